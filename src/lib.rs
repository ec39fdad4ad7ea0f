//! placeholder
#![forbid(unsafe_code)]
pub mod dialect;
pub mod event;
pub mod lifecycle;
pub mod machine;
pub mod scan;
