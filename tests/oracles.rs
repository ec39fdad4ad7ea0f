//! The questions of the fuzz targets, without a fuzzer: of every seed in `corpus/`, and of seeded inputs.
//!
//! `<target>/seeds/<file>` and `<target>/seeded` are trials; `targets/…` holds targets, seeds and dictionaries against each other.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anysplit::dialect::Dialect;
use anysplit::fuzz::oracle::{ORACLES, Oracle, dialect_of};
use anysplit::generate::{Draw, bytes_of, make, mutant};
use anysplit::input::Input;
use anysplit::sample::Sample;
use libtest_mimic::{Arguments, Failed, Trial};

/// So many seeded inputs are put to each question.
const SEEDED: u64 = 2_000;

/// So many seeds a target begins with, or more.
const SEEDS: usize = 15;

/// Larger seeds are tried too seldom.
const LARGEST: usize = 4 << 10;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = vec![
        Trial::test("targets/have-an-oracle-and-a-dictionary-each", each_has_its_own),
        Trial::test("targets/have-dictionaries-that-libfuzzer-reads", dictionaries_are_read),
    ];
    for (target, oracle) in ORACLES {
        let seeds = seeds(target);
        let count = seeds.len();
        trials.push(Trial::test(format!("{target}/has-enough-seeds"), move || enough(count)));
        let of_seed = |path: PathBuf| {
            Trial::test(format!("{target}/seeds/{}", name_of(&path)), move || {
                speaks(&name_of(&path))?;
                ask(oracle, &fs::read(&path)?)
            })
        };
        trials.extend(seeds.into_iter().map(of_seed));
        trials.push(Trial::test(format!("{target}/seeded"), move || seeded(target, oracle)));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn listed(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

fn seeds(target: &str) -> Vec<PathBuf> {
    listed(&root().join("corpus").join(target))
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn ask(oracle: Oracle, data: &[u8]) -> Result<(), Failed> {
    if data.len() > LARGEST {
        return Err(format!("{} bytes are too many for a seed", data.len()).into());
    }
    oracle(data).map_err(|wrong| wrong.to_string().into())
}

fn enough(count: usize) -> Result<(), Failed> {
    if count < SEEDS { Err(format!("there are {count} seeds").into()) } else { Ok(()) }
}

/// A seed's name says why it is there: in words.
fn speaks(name: &str) -> Result<(), Failed> {
    let is_word = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    let is_good = name.contains('-') && name.split('-').all(is_word);
    if is_good { Ok(()) } else { Err(format!("{name} is no name of words in lower case with hyphens").into()) }
}

/// Inputs made from seeds of the generator; where a question is of no dialect, its seed files with something else in a few places.
fn seeded(target: &str, oracle: Oracle) -> Result<(), Failed> {
    let files: Vec<Vec<u8>> = seeds(target).iter().map(fs::read).collect::<Result<_, _>>()?;
    for seed in 0..SEEDED {
        let bytes = bytes_of(seed);
        let mut draw = Draw::new(&bytes);
        let data = match dialect_of(target) {
            Some(dialect) => make(dialect, &mut draw).sample.write(),
            None => {
                let file = Sample::read(Dialect::Ndjson, &files[draw.below(files.len())]);
                let Input::Bytes(bytes) = mutant(&file, &mut draw).sample.input else { continue };
                bytes
            }
        };
        oracle(&data).map_err(|wrong| format!("seed {seed}, {:?}: {wrong}", String::from_utf8_lossy(&data)))?;
    }
    Ok(())
}

/// A target that nobody asks, or an oracle without a target, would go unnoticed.
fn each_has_its_own() -> Result<(), Failed> {
    let oracles: BTreeSet<String> = ORACLES.iter().map(|(name, _)| (*name).to_owned()).collect();
    let stems = |folder: &str| -> BTreeSet<String> {
        let files = listed(&root().join("fuzz").join(folder)).into_iter();
        files.filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned())).collect()
    };
    let folders = listed(&root().join("corpus")).into_iter().filter(|path| path.is_dir());
    let folders: BTreeSet<String> = folders.map(|path| name_of(&path)).collect();
    for (what, found) in [("targets", stems("fuzz_targets")), ("dictionaries", stems("dict")), ("seeds", folders)] {
        if found != oracles {
            return Err(format!("{what}: {found:?} instead of {oracles:?}").into());
        }
    }
    for name in oracles {
        let source = fs::read_to_string(root().join(format!("fuzz/fuzz_targets/{name}.rs")))?;
        if !source.contains(&format!("ask(\"{name}\", data)")) {
            return Err(format!("{name}.rs puts another question").into());
        }
    }
    Ok(())
}

/// libFuzzer leaves out words of more than 64 bytes without a word, and ends where a line is none.
fn dictionaries_are_read() -> Result<(), Failed> {
    for path in listed(&root().join("fuzz/dict")) {
        let text = fs::read_to_string(&path)?;
        let mut words = BTreeSet::new();
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let word = word_of(line).ok_or_else(|| format!("{}: {line} is no word", path.display()))?;
            if word.is_empty() || word.len() > 64 || !words.insert(word) {
                return Err(format!("{}: {line} is empty, too long or there twice", path.display()).into());
            }
        }
        if words.len() < 10 {
            return Err(format!("{} has {} words", path.display(), words.len()).into());
        }
    }
    Ok(())
}

/// The bytes of `name="…"`, where `\\`, `\"` and `\xHH` are the only escapes.
fn word_of(line: &str) -> Option<Vec<u8>> {
    let quoted = line[line.find('"')?..].strip_prefix('"')?.strip_suffix('"')?;
    let mut bytes = quoted.bytes();
    let mut word = Vec::new();
    while let Some(byte) = bytes.next() {
        word.push(match byte {
            b'"' => return None,
            b'\\' => match bytes.next()? {
                escaped @ (b'"' | b'\\') => escaped,
                b'x' => {
                    let digits = [bytes.next()?, bytes.next()?];
                    u8::from_str_radix(str::from_utf8(&digits).ok()?, 16).ok()?
                }
                _ => return None,
            },
            byte if (0x20..0x7f).contains(&byte) => byte,
            _ => return None,
        });
    }
    Some(word)
}
