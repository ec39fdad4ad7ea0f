//! A name that arrives in pieces is set by each of them instead of being put together.
//!
//! lmstudio-ai/lmstudio-bug-tracker#649: later parts carry an empty name and the client takes it over.
//! sgl-project/sglang#11373: a name is read before it is whole. NVIDIA-NeMo/Switchyard#785: `get_` | `weather`.
//!
//! The call is there with its arguments, under a name that no call has.

use anysplit::check::Check;
use anysplit::dialect::Dialect;

use super::buffered::{Buffered, Habits, Marker, Stop, marker};
use crate::support::{Faulty, provable, with};

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Overwritten {
    /// Where in the marker the last piece of the name begins, if there are several.
    piece: Option<usize>,
}

impl Habits for Overwritten {
    fn read(&mut self, text: &str) -> Result<Marker, Stop> {
        let read = marker(self, text);
        match (read, self.piece) {
            (Err(Stop::End), _) => {
                if ends_in_name(text) {
                    self.piece = Some(text.len());
                }
                Err(Stop::End)
            }
            (Ok(marker), Some(start)) => {
                self.piece = None;
                let name = text[start..].split('"').next();
                Ok(Marker { call: with(marker.call, "name", name), ..marker })
            }
            (read, _) => {
                self.piece = None;
                read
            }
        }
    }
}

fn ends_in_name(marker: &str) -> bool {
    let before_args = marker.split(" args=").next().unwrap_or(marker);
    let name = before_args.split_once(" name=\"");
    before_args == marker && name.is_some_and(|(_, name)| !name.contains('"'))
}

pub(crate) fn faulty() -> Faulty {
    Faulty {
        name: module_path!(),
        origin: "lmstudio-ai/lmstudio-bug-tracker#649",
        caught_by: Check::Identity,
        target: provable(Dialect::InlineTag, |_| Buffered::new(Overwritten::default())),
    }
}
