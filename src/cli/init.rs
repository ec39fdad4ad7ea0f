//! `anysplit init`: writes a working adapter to start from.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::{Exit, Problem};

/// Write a working adapter to start from
#[derive(Args)]
#[command(after_help = "\
What is written passes `anysplit doctor` and fails some cases on purpose, until
the parser in it is replaced with yours.

Examples:
  anysplit init --lang python my-adapter
  anysplit init --lang node my-adapter
  anysplit init --lang rust my-parser")]
pub(super) struct Init {
    /// The language of your implementation
    #[arg(long, value_enum)]
    lang: Lang,
    /// Where to; a folder that is new or empty
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

#[derive(Clone, Copy, ValueEnum)]
enum Lang {
    Python,
    Node,
    Rust,
}

macro_rules! kit {
    ($path:literal) => {
        include_str!(concat!("../../adapters/kit/", $path))
    };
}

const PYTHON: &[(&str, &str)] = &[
    ("adapter.py", kit!("python/template/adapter.py")),
    ("README.md", kit!("python/template/README.md")),
    ("anysplit_kit.py", kit!("python/anysplit_kit.py")),
];

const NODE: &[(&str, &str)] = &[
    ("adapter.mjs", kit!("node/template/adapter.mjs")),
    ("package.json", kit!("node/template/package.json")),
    ("README.md", kit!("node/template/README.md")),
    ("anysplit-kit.mjs", kit!("node/anysplit-kit.mjs")),
    ("anysplit-kit.d.mts", kit!("node/anysplit-kit.d.mts")),
];

const RUST: &[(&str, &str)] = &[
    ("Cargo.toml", include_str!("../../examples/rust/Cargo.toml")),
    ("README.md", include_str!("../../examples/rust/README.md")),
    ("src/lib.rs", include_str!("../../examples/rust/src/lib.rs")),
    ("tests/conformance.rs", include_str!("../../examples/rust/tests/conformance.rs")),
];

impl Init {
    pub(super) fn execute(self) -> Result<Exit, Problem> {
        self.refuse_to_overwrite()?;
        let (files, next) = match self.lang {
            Lang::Python => (PYTHON, "anysplit run --target 'python3 adapter.py'"),
            Lang::Node => (NODE, "anysplit run --target 'node adapter.mjs'"),
            Lang::Rust => (RUST, "cargo test"),
        };
        for (name, content) in files {
            let content = content.replace("path = \"../..\"", &dependency());
            self.write(Path::new(name), &content)?;
        }
        let folder = self.folder.display();
        anstream::println!("{} files are in {folder}. Next:\n  cd {folder}\n  {next}", files.len());
        Ok(Exit::Conforms)
    }

    fn refuse_to_overwrite(&self) -> Result<(), Problem> {
        let taken = fs::read_dir(&self.folder).is_ok_and(|mut entries| entries.next().is_some());
        let problem = match self.folder.is_file() {
            true => "is a file",
            false if taken => "is not empty",
            false => return Ok(()),
        };
        let folder = self.folder.display();
        Err(Problem::usage(format!("{folder} {problem}; nothing was written: name another folder")))
    }

    fn write(&self, name: &Path, content: &str) -> Result<(), Problem> {
        let path = self.folder.join(name);
        let folder = path.parent().unwrap_or(&self.folder);
        let written = fs::create_dir_all(folder).and_then(|()| fs::write(&path, content));
        written.map_err(|error| Problem::usage(format!("{}: cannot be written: {error}", path.display())))
    }
}

/// Where a Rust crate finds anysplit: the checkout that this program was built from, or the registry.
fn dependency() -> String {
    let checkout = env!("CARGO_MANIFEST_DIR");
    match Path::new(checkout).join("Cargo.toml").is_file() {
        true => format!("path = {checkout:?}"),
        false => format!("version = {:?}", env!("CARGO_PKG_VERSION")),
    }
}
