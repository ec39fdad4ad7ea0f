//! Fuzzing: random inputs against the rules, for as long as one likes.
//!
//! A [`Plan`] says what is fuzzed, and [`Lane`]s do the runs. Each run makes a sample ([`crate::generate`]), or changes one that led to
//! something new before ([`Landmarks`]), gives it to the target whole and cut, and compares. A failure is shrunk
//! ([`crate::shrink`]) and becomes a [`Finding`](crate::finding::Finding), which anyone can replay. [`oracle`] asks the same of
//! bytes that another engine makes.

mod examine;
mod expecting;
mod haul;
mod landmarks;
mod lane;
pub mod oracle;

pub use examine::{Examined, Failed, case_of, checks, examine, is_disputed, is_quick, judge};
pub use haul::{Added, Haul};
pub use landmarks::Landmarks;
pub use lane::{Event, LANES, Lane, Plan};
