//! A folder of inputs that led to something new, with a folder in it for each dialect.

use std::io;
use std::path::{Path, PathBuf};

use anysplit::dialect::Dialect;
use anysplit::finding::write_soon;
use anysplit::fuzz::oracle::{dialect_of, name_of};
use anysplit::machine::landmark;
use anysplit::sample::Sample;

use super::super::Problem;

/// The folder.
pub(super) struct Corpus {
    folder: PathBuf,
}

impl Corpus {
    /// The folder, which is made if it is not there; what in it is no folder of inputs is told of, and left alone.
    pub(super) fn open(folder: &Path) -> Result<Self, Problem> {
        std::fs::create_dir_all(folder).map_err(|error| problem(folder, error))?;
        let entries = std::fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let names = entries.map_err(|error| problem(folder, error))?.into_iter().map(|entry| entry.file_name());
        let names = names.map(|name| name.to_string_lossy().into_owned());
        let mut strange: Vec<String> = names.filter(|name| dialect_of(name).is_none()).collect();
        strange.sort();
        if !strange.is_empty() {
            let known = Dialect::ALL.map(name_of).join(", ");
            let (strange, folder) = (strange.join(", "), folder.display());
            anstream::eprintln!("note: {strange} in {folder} is passed over; its folders of inputs are {known}");
        }
        Ok(Self { folder: folder.to_owned() })
    }

    /// All samples in it, in the order of their dialects and names.
    pub(super) fn samples(&self) -> Result<Vec<Sample>, Problem> {
        let mut samples = Vec::new();
        for dialect in Dialect::ALL {
            let folder = self.folder.join(name_of(dialect));
            if folder.is_dir() {
                samples.extend(read(&folder, dialect).map_err(|error| problem(&folder, error))?);
            }
        }
        Ok(samples)
    }

    /// Adds a sample, under a name that others with the same content have too.
    pub(super) fn add(&self, sample: &Sample) -> Result<(), Problem> {
        let content = sample.write();
        let hash = landmark(content.iter().map(|&byte| u64::from(byte)));
        let path = self.folder.join(name_of(sample.dialect)).join(format!("new-{hash:016x}"));
        write_soon(&path, &content).map_err(|error| problem(&path, error))
    }
}

fn read(folder: &Path, dialect: Dialect) -> io::Result<Vec<Sample>> {
    let entries = std::fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    let mut files: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    files.sort();
    files.iter().map(|file| std::fs::read(file).map(|content| Sample::read(dialect, &content))).collect()
}

fn problem(path: &Path, error: io::Error) -> Problem {
    Problem::usage(format!("{}: {error}", path.display()))
}
