//! Incremental scanners that dialects share.

pub mod json;
