//! The embedded reference implementations as a target.

use std::time::Duration;

use super::in_process::{abandon, prove, run, run_alternately, time};
use super::{Attempt, Fault, Run, Setting, Target};
use crate::dialect::{Dialect, InlineTag, MarkdownFence, ToolSession};
use crate::proof::Cap;
use crate::variation::Atoms;

/// The embedded reference implementations of all dialects.
#[derive(Clone, Copy, Debug)]
pub struct Reference;

/// Calls a function with a maker of the setting's machine. Settings are checked when a case is loaded, so that a refusal
/// here is a fault like any other.
macro_rules! with_machine {
    ($setting:ident, $call:ident $(, $argument:expr)*) => {{
        const CHECKED: &str = "the settings of a case are checked when it is loaded";
        match $setting.dialect {
            Dialect::MarkdownFence => $call(|| MarkdownFence::new($setting.options).expect(CHECKED) $(, $argument)*),
            Dialect::InlineTag => $call(|| InlineTag::new($setting.options).expect(CHECKED) $(, $argument)*),
            Dialect::ToolSession => $call(|| ToolSession::new($setting.options).expect(CHECKED) $(, $argument)*),
        }
    }};
}

impl Target for Reference {
    fn name(&self) -> &str {
        "reference"
    }

    fn speaks(&self, _dialect: Dialect) -> bool {
        true
    }

    fn run(&self, setting: Setting<'_>, chunks: &[&str]) -> Result<Run, Fault> {
        with_machine!(setting, run, chunks)
    }

    fn run_alternately(&self, setting: Setting<'_>, chunks: &[&str]) -> Option<Result<[Run; 2], Fault>> {
        Some(with_machine!(setting, run_alternately, chunks))
    }

    fn abandon(&self, setting: Setting<'_>, chunks: &[&str]) -> Option<Result<(), Fault>> {
        Some(with_machine!(setting, abandon, chunks))
    }

    fn time(&self, setting: Setting<'_>, chunks: &[&str]) -> Result<Duration, Fault> {
        with_machine!(setting, time, chunks)
    }

    fn prove(&self, setting: Setting<'_>, atoms: &Atoms<'_>, cap: Cap) -> Attempt {
        with_machine!(setting, prove, atoms, cap)
    }
}
