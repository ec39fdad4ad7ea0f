//! Questions that any fuzzing engine can ask: bytes in, and an error where something is wrong.
//!
//! Each of them also runs in the project's own tests, on the files of `corpus/` and on seeded inputs.
