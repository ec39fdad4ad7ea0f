//! Events side by side: what must come out against what came.

use std::time::{Duration, Instant};

use similar::{Algorithm, ChangeTag, capture_diff_slices_deadline};

use crate::event::Event;

/// One line of a diff.
pub(super) enum Line<'a> {
    /// In both.
    Same(&'a Event),
    /// Must come out, and did not.
    Missing(&'a Event),
    /// Came out, and must not.
    Unexpected(&'a Event),
}

/// A diff of events. Targets are hostile, so it gives up looking for the smallest one after a while.
pub(super) fn events<'a>(expected: &'a [Event], actual: &'a [Event]) -> Vec<Line<'a>> {
    let deadline = Some(Instant::now() + Duration::from_millis(200));
    let operations = capture_diff_slices_deadline(Algorithm::Myers, expected, actual, deadline);
    let changes = operations.iter().flat_map(|operation| operation.iter_changes(expected, actual));
    changes
        .map(|change| match change.tag() {
            ChangeTag::Equal => Line::Same(&expected[change.old_index().unwrap_or_default()]),
            ChangeTag::Delete => Line::Missing(&expected[change.old_index().unwrap_or_default()]),
            ChangeTag::Insert => Line::Unexpected(&actual[change.new_index().unwrap_or_default()]),
        })
        .collect()
}
