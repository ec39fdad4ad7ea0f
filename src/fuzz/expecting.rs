//! A sink that holds what comes against what must come, and keeps nothing of it.
//!
//! Nearly all runs of a fuzzer come out right. Of these no event need be made that only carries text, and none be kept; what does not
//! agree is run again by those who say how.

use crate::event::{Event, Form, TextKind};
use crate::fault::catching;
use crate::machine::Sink;
use crate::sample::Sample;
use crate::target::{Setting, reference_machine};

/// Whether the reference gives exactly these events for the input of a sample in one chunk.
pub(super) fn is_met_at_once(sample: &Sample, expected: &[Event]) -> bool {
    let met = catching(|| {
        let mut machine = reference_machine(Setting { dialect: sample.dialect, options: &sample.options }).0;
        let mut sink = Expecting::new(sample.dialect.form(), machine.text(), expected);
        machine.feed(sample.input.as_chunk(), &mut sink);
        machine.finish(&mut sink);
        sink.met()
    });
    met == Ok(true)
}

/// The sink.
pub(super) struct Expecting<'a> {
    form: Form,
    kind: TextKind,
    /// In normal form.
    expected: &'a [Event],
    /// How many of them came, without the text that is coming.
    come: usize,
    /// The text that is coming, and what of it is still to come.
    text: Option<(TextKind, &'a str)>,
    agrees: bool,
}

impl<'a> Expecting<'a> {
    /// For a machine that names its running text so.
    pub(super) fn new(form: Form, kind: TextKind, expected: &'a [Event]) -> Self {
        Self { form, kind, expected, come: 0, text: None, agrees: true }
    }

    /// Whether what came is what had to come.
    pub(super) fn met(mut self) -> bool {
        self.end_text();
        self.agrees && self.come == self.expected.len()
    }

    fn piece(&mut self, kind: TextKind, piece: &str) {
        if piece.is_empty() {
            return;
        }
        let text = self.text.or_else(|| self.expected.get(self.come)?.running_text());
        self.text = text
            .filter(|(expected, _)| *expected == kind)
            .and_then(|(_, text)| Some((kind, text.strip_prefix(piece)?)));
        self.agrees &= self.text.is_some();
    }

    fn end_text(&mut self) {
        if let Some((_, rest)) = self.text.take() {
            self.agrees &= rest.is_empty();
            self.come += 1;
        }
    }

    /// Whether an event shows a call as the latest one did.
    fn is_no_news(&self, event: &Event) -> bool {
        let call = event.snapshot_of();
        let latest = self.expected[..self.come].iter().rev().find(|other| other.snapshot_of() == call);
        self.form == Form::Snapshots && call.is_some() && latest == Some(event)
    }
}

impl Sink for Expecting<'_> {
    fn text(&mut self, text: &str) {
        self.piece(self.kind, text);
    }

    fn event(&mut self, event: Event) {
        if !self.agrees {
            return;
        }
        if let Some((kind, text)) = event.running_text() {
            return self.piece(kind, text);
        }
        self.end_text();
        if self.expected.get(self.come) == Some(&event) {
            self.come += 1;
        } else {
            self.agrees &= self.is_no_news(&event);
        }
    }
}
