//! Every event is framed for the client, the logs included.
//!
//! thedotmack/claude-mem#2118: the broadcaster forwards every event, so internal ones leak to the clients of the stream.
//!
//! Only a session that is asked for its frames shows it.

use anysplit::check::Check;
use anysplit::dialect::{Dialect, Options};
use anysplit::event::{Event, TextKind};
use anysplit::machine::Sink;

use crate::support::{Alter, Altered, Faulty, provable, tool_session};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct FramesAll {
    frames: bool,
}

impl Alter for FramesAll {
    fn text(&mut self, text: &str, sink: &mut impl Sink) {
        if self.frames {
            sink.event(TextKind::Frame.event(text));
        } else {
            sink.text(text);
        }
    }

    fn event(&mut self, event: Event, sink: &mut impl Sink) {
        sink.event(if self.frames { Event::frame(event) } else { event });
    }
}

/// The reference sends no logs where it frames, so it is asked for plain events and framed here.
fn plain(options: &Options) -> Options {
    let mut options = options.clone();
    options.0.remove("frames");
    options
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "thedotmack/claude-mem#2118",
        caught_by: Check::Expect,
        target: provable(Dialect::ToolSession, |options| {
            let frames = options.0.get("frames").is_some_and(|frames| frames == true);
            Altered::new(tool_session(&plain(options)), FramesAll { frames })
        }),
    }
}
