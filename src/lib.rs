//! placeholder
#![forbid(unsafe_code)]
pub mod case;
pub mod check;
pub mod dialect;
pub mod event;
pub mod judge;
pub mod level;
pub mod lifecycle;
pub mod machine;
pub mod naive;
pub mod proof;
pub mod random;
pub mod report;
pub mod rule;
pub mod scan;
pub mod shrink;
pub mod spec;
pub mod target;
pub mod variation;
