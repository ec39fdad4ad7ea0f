//! Embeds `spec/` in the library: writes a list of (path, content) that `src/spec.rs` includes.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo")).join("spec");
    println!("cargo:rerun-if-changed=spec");
    let mut files = Vec::new();
    collect(&root, &mut files)?;
    files.sort();
    let mut list = String::from("&[\n");
    for file in files {
        let name = file.strip_prefix(&root).expect("found under it").to_string_lossy().replace('\\', "/");
        writeln!(list, "    ({name:?}, include_str!({:?})),", file.to_string_lossy()).expect("a string takes all");
    }
    list.push_str("]\n");
    fs::write(PathBuf::from(env::var_os("OUT_DIR").expect("set by cargo")).join("spec_files.rs"), list)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        println!("cargo:rerun-if-changed={}", path.display());
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "json" || extension == "md") {
            files.push(path);
        }
    }
    Ok(())
}
