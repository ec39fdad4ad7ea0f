//! The wire formats and their reference implementations, one file or folder each.
//!
//! A dialect knows its rules and nothing of cases, targets or reports. Every reference implementation is a
//! [`Machine`](crate::machine::Machine) that is also `Clone + Eq + Hash`.

mod ai_sdk_parts;
pub(crate) mod calls;
mod chat_chunks;
mod default_expanded;
mod inline_tag;
mod invocation;
mod markdown_fence;
mod ndjson;
mod options;
pub mod reducer;
mod sse;
mod tool_session;
mod tool_stages;
pub mod transport;

use std::{fmt, str::FromStr};

pub use ai_sdk_parts::{AiSdkParts, matches_schema};
pub use chat_chunks::ChatChunks;
pub use default_expanded::DefaultExpanded;
pub use inline_tag::InlineTag;
pub use markdown_fence::MarkdownFence;
pub use ndjson::Ndjson;
pub use options::{Options, OptionsError};
pub use sse::Sse;
pub use tool_session::{ToolSession, sse_frame};
pub use tool_stages::ToolStages;

use serde_json::Value;

use self::reducer::Reducer;
use self::transport::Transport;
use crate::event::{Event, Form};
use crate::input::Kind;
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
    /// The chunks of a chat's stream.
    ChatChunks,
    /// Whether tool cards are open.
    DefaultExpanded,
    /// The parts of a model's full stream.
    AiSdkParts,
    /// Updates of tool blocks.
    ToolStages,
    /// Server-sent events.
    Sse,
    /// Lines of JSON.
    Ndjson,
}

impl Dialect {
    /// All dialects, in the order of the specification.
    pub const ALL: [Self; 9] = [
        Self::MarkdownFence,
        Self::InlineTag,
        Self::ToolSession,
        Self::ChatChunks,
        Self::DefaultExpanded,
        Self::AiSdkParts,
        Self::ToolStages,
        Self::Sse,
        Self::Ndjson,
    ];

    /// The name, as in case files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::MarkdownFence => "markdown-fence",
            Self::InlineTag => "inline-tag",
            Self::ToolSession => "tool-session",
            Self::ChatChunks => "chat-chunks",
            Self::DefaultExpanded => "default-expanded",
            Self::AiSdkParts => "ai-sdk-parts",
            Self::ToolStages => "tool-stages",
            Self::Sse => "sse",
            Self::Ndjson => "ndjson",
        }
    }

    /// What goes in, with these settings.
    pub fn kind(self, options: &Options) -> Kind {
        match self {
            Self::MarkdownFence | Self::InlineTag | Self::ToolSession => Kind::Text,
            Self::Sse | Self::Ndjson => Kind::Bytes,
            Self::ChatChunks | Self::DefaultExpanded | Self::AiSdkParts | Self::ToolStages => {
                if options.0.contains_key("transport") { Kind::Bytes } else { Kind::Objects }
            }
        }
    }

    /// What its normal form merges.
    pub fn form(self) -> Form {
        match self {
            Self::ChatChunks | Self::AiSdkParts | Self::ToolStages => Form::Snapshots,
            _ => Form::Text,
        }
    }

    /// Whether running text comes out.
    pub fn has_text(self) -> bool {
        matches!(self, Self::MarkdownFence | Self::InlineTag | Self::ToolSession)
    }

    /// What an event means in the life of a call, if anything.
    pub fn step(self, event: &Event) -> Option<Step> {
        match self {
            Self::MarkdownFence => markdown_fence::step(event),
            Self::InlineTag => inline_tag::step(event),
            Self::ToolSession => tool_session::step(event),
            Self::ChatChunks => chat_chunks::step(event),
            Self::AiSdkParts => ai_sdk_parts::step(event),
            Self::ToolStages => tool_stages::step(event),
            Self::DefaultExpanded | Self::Sse | Self::Ndjson => None,
        }
    }

    /// The call that an event of a lifecycle dialect tells of, if it tells of one.
    pub fn call_of_event(self, event: &Event) -> Option<String> {
        let call = match event.kind() {
            "violation" => event.str("call"),
            "call" | "expanded" => event.str("toolCallId"),
            _ => event.snapshot_of(),
        };
        call.map(str::to_owned)
    }

    /// The call that each item of a lifecycle dialect's input belongs to; nothing at all where that cannot be told.
    pub fn owners(self, items: &[Value]) -> Option<Vec<Option<String>>> {
        let owner = match self {
            Self::ChatChunks => return chat_chunks::owners(items),
            Self::DefaultExpanded => default_expanded::owner,
            Self::AiSdkParts => ai_sdk_parts::owner,
            Self::ToolStages => tool_stages::owner,
            Self::MarkdownFence | Self::InlineTag | Self::ToolSession | Self::Sse | Self::Ndjson => return None,
        };
        Some(items.iter().map(owner).collect())
    }

    /// Whether these settings are ones the dialect understands.
    pub fn check_options(self, options: &Options) -> Result<(), OptionsError> {
        match self {
            Self::MarkdownFence => MarkdownFence::new(options).map(drop),
            Self::InlineTag => InlineTag::new(options).map(drop),
            Self::ToolSession => ToolSession::new(options).map(drop),
            Self::ChatChunks => check_reducer::<ChatChunks>(options),
            Self::DefaultExpanded => check_reducer::<DefaultExpanded>(options),
            Self::AiSdkParts => check_reducer::<AiSdkParts>(options),
            Self::ToolStages => check_reducer::<ToolStages>(options),
            Self::Sse => Sse::new(options).map(drop),
            Self::Ndjson => Ndjson::new(options).map(drop),
        }
    }
}

fn check_reducer<R: Reducer>(options: &Options) -> Result<(), OptionsError> {
    Transport::of(options)?;
    R::new(options).map(drop)
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
