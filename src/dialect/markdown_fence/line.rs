//! Lines that open or close a fence, followed byte by byte.

/// A fence that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Fence {
    /// A backtick or a tilde.
    pub(super) mark: u8,
    /// How many of them opened it; at least three.
    pub(super) len: usize,
}

/// How far a line has come that may open a fence (F2, F7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Opening {
    /// Only spaces so far.
    Indent(u8),
    /// In the run of marks; shorter than three it opens nothing.
    Marks(Fence),
    /// In the blanks before the info string.
    Lead(Fence),
    /// In an info string that may be `tool`: how many bytes match.
    Tool(Fence, usize),
    /// In the blanks after `tool`.
    Trail(Fence),
    /// In any other info string.
    Info(Fence),
}

/// What a further byte makes of a line that may open a fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opened {
    NotYet(Opening),
    /// The line opens nothing.
    Nothing,
    /// The line ended and opened nothing.
    LineEnd,
    /// The line ended and opened a tool fence.
    Tool(Fence),
    /// The line ended and opened any other fence.
    Other(Fence),
}

const LANGUAGE: &[u8] = b"tool";

impl Opening {
    /// At the beginning of a line.
    pub(super) const START: Self = Self::Indent(0);

    /// Whether a line that opens a fence can begin with this byte.
    pub(super) fn may_begin(byte: u8) -> bool {
        matches!(byte, b' ' | b'`' | b'~')
    }

    /// Whether the fence may still be a tool fence.
    pub(super) fn may_be_tool(self) -> bool {
        !matches!(self, Self::Info(_))
    }

    /// Coarsely how far it has come.
    pub(super) fn landmark(self) -> u64 {
        let marks = |fence: Fence| u64::from(fence.mark) + 256 * (fence.len.min(4) as u64);
        match self {
            Self::Indent(spaces) => u64::from(spaces),
            Self::Marks(fence) => 10 + marks(fence),
            Self::Lead(fence) => 2_000 + marks(fence),
            Self::Tool(fence, matched) => 4_000 * (1 + matched as u64) + marks(fence),
            Self::Trail(fence) => 30_000 + marks(fence),
            Self::Info(fence) => 40_000 + marks(fence),
        }
    }

    pub(super) fn next(self, byte: u8) -> Opened {
        Opened::NotYet(match self {
            Self::Indent(spaces) => match byte {
                b' ' if spaces < 3 => Self::Indent(spaces + 1),
                b'`' | b'~' => Self::Marks(Fence { mark: byte, len: 1 }),
                _ if is_end(byte) => return Opened::LineEnd,
                _ => return Opened::Nothing,
            },
            Self::Marks(fence) if byte == fence.mark => Self::Marks(Fence { len: fence.len + 1, ..fence }),
            Self::Marks(fence) if fence.len < 3 => {
                return if is_end(byte) { Opened::LineEnd } else { Opened::Nothing };
            }
            Self::Marks(fence) | Self::Lead(fence) if is_blank(byte) => Self::Lead(fence),
            Self::Marks(fence) | Self::Lead(fence) if byte == LANGUAGE[0] => Self::Tool(fence, 1),
            Self::Tool(fence, matched) if LANGUAGE.get(matched) == Some(&byte) => Self::Tool(fence, matched + 1),
            Self::Tool(fence, matched) if matched == LANGUAGE.len() && is_blank(byte) => Self::Trail(fence),
            Self::Tool(fence, matched) if matched == LANGUAGE.len() && is_end(byte) => {
                return Opened::Tool(fence);
            }
            Self::Trail(fence) if is_blank(byte) => Self::Trail(fence),
            Self::Trail(fence) if is_end(byte) => return Opened::Tool(fence),
            Self::Marks(fence) | Self::Lead(fence) | Self::Tool(fence, _) | Self::Trail(fence) | Self::Info(fence) => {
                match byte {
                    _ if is_end(byte) => return Opened::Other(fence),
                    b'`' if fence.mark == b'`' => return Opened::Nothing, // F7: no backtick in a backtick fence's info
                    _ => Self::Info(fence),
                }
            }
        })
    }
}

/// How far a line has come that may close a fence (F5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Closing {
    /// Only spaces so far.
    Indent(u8),
    /// In the run of marks.
    Marks(usize),
    /// In the blanks after enough marks.
    Blanks,
    /// This line closes nothing.
    No,
    /// The line ended and closed the fence.
    Closed,
}

impl Closing {
    /// At the beginning of a line.
    pub(super) const START: Self = Self::Indent(0);

    /// Whether the line holds marks that would have to be the closing ones.
    pub(super) fn has_marks(self) -> bool {
        matches!(self, Self::Marks(_) | Self::Blanks)
    }

    /// Coarsely how far it has come.
    pub(super) fn landmark(self) -> u64 {
        match self {
            Self::Indent(spaces) => u64::from(spaces),
            Self::Marks(marks) => 10 + marks.min(6) as u64,
            Self::Blanks => 20,
            Self::No => 21,
            Self::Closed => 22,
        }
    }

    pub(super) fn next(self, byte: u8, fence: Fence) -> Self {
        match self {
            Self::Marks(marks) if marks >= fence.len && is_end(byte) => Self::Closed,
            Self::Blanks if is_end(byte) => Self::Closed,
            _ if is_end(byte) => Self::START,
            Self::Indent(spaces) if byte == b' ' && spaces < 3 => Self::Indent(spaces + 1),
            Self::Indent(_) if byte == fence.mark => Self::Marks(1),
            Self::Marks(marks) if byte == fence.mark => Self::Marks(marks + 1),
            Self::Marks(marks) if marks >= fence.len && is_blank(byte) => Self::Blanks,
            Self::Blanks if is_blank(byte) => Self::Blanks,
            _ => Self::No,
        }
    }
}

/// F3.
fn is_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}
