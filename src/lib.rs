//! placeholder
#![forbid(unsafe_code)]
pub mod case;
pub mod dialect;
pub mod event;
pub mod level;
pub mod lifecycle;
pub mod machine;
pub mod naive;
pub mod rule;
pub mod scan;
pub mod spec;
