//! The wire formats and their reference implementations, one file or folder each.
//!
//! A dialect knows its rules and nothing of cases, targets or reports. Every reference implementation is a
//! [`Machine`](crate::machine::Machine) that is also `Clone + Eq + Hash`.

mod inline_tag;
mod markdown_fence;
mod options;
mod tool_session;

use std::{fmt, str::FromStr};

pub use inline_tag::InlineTag;
pub use markdown_fence::MarkdownFence;
pub use options::{Options, OptionsError};
pub use tool_session::{ToolSession, sse_frame};

use crate::event::Event;
use crate::lifecycle::Step;

/// A wire format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Dialect {
    /// Markdown with ```` ```tool ```` blocks.
    MarkdownFence,
    /// Prose with `<tool_call name="…" args={…}></tool_call>`.
    InlineTag,
    /// The same prose, with tools that run.
    ToolSession,
}

impl Dialect {
    /// All dialects, in the order of the specification.
    pub const ALL: [Self; 3] = [Self::MarkdownFence, Self::InlineTag, Self::ToolSession];

    /// The name, as in case files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::MarkdownFence => "markdown-fence",
            Self::InlineTag => "inline-tag",
            Self::ToolSession => "tool-session",
        }
    }

    /// What an event means in the life of a call, if anything.
    pub fn step(self, event: &Event) -> Option<Step> {
        match self {
            Self::MarkdownFence => markdown_fence::step(event),
            Self::InlineTag => inline_tag::step(event),
            Self::ToolSession => tool_session::step(event),
        }
    }

    /// Whether these settings are ones the dialect understands.
    pub fn check_options(self, options: &Options) -> Result<(), OptionsError> {
        match self {
            Self::MarkdownFence => MarkdownFence::new(options).map(drop),
            Self::InlineTag => InlineTag::new(options).map(drop),
            Self::ToolSession => ToolSession::new(options).map(drop),
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// There is no dialect of this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown dialect {0:?}; there are {known}", known = Dialect::ALL.map(Dialect::name).join(", "))]
pub struct UnknownDialect(String);

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(name: &str) -> Result<Self, UnknownDialect> {
        Self::ALL.into_iter().find(|dialect| dialect.name() == name).ok_or_else(|| UnknownDialect(name.to_owned()))
    }
}
