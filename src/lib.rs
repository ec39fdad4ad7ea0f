//! The conformance suite for streaming tool calls. *Any split, same events.*
//!
//! Every chat server, SDK and UI that lets a language model call tools pulls those calls out of a stream that is cut at
//! arbitrary places. This crate holds the rules of several such formats, a reference implementation of each, three thousand
//! cases, and an engine that judges any implementation on them, for *all* the ways to cut each input.
//!
//! # A machine
//!
//! An implementation is a plain value that is fed chunks and finished: a [`Machine`](machine::Machine). What comes out goes
//! into a [`Sink`](machine::Sink). The references are in [`dialect`].
//!
//! ```
//! use anysplit::dialect::{InlineTag, Options};
//! use anysplit::event::{Event, normal_form};
//! use anysplit::machine;
//!
//! let parser = InlineTag::new(&Options::default())?;
//! let events = machine::run(parser, &["Look: <tool_", "call name=\"search\" args={\"q\":\"}\"}></tool_call> found"]);
//! let events: Vec<String> = normal_form(events).iter().map(Event::to_string).collect();
//! assert_eq!(events, [
//!     r#"{"type":"text","text":"Look: "}"#,
//!     r#"{"type":"tool_call","args":{"q":"}"},"name":"search"}"#,
//!     r#"{"type":"text","text":" found"}"#,
//! ]);
//! # Ok::<(), anysplit::dialect::OptionsError>(())
//! ```
//!
//! # All splittings at once
//!
//! A machine that can be cloned and compared is not tried on some splittings but proved for all 2^(n−1): [`proof`] walks
//! over the states that any splitting can reach and merges equal ones.
//!
//! ```
//! use anysplit::dialect::{InlineTag, Options};
//! use anysplit::proof::{Cap, prove};
//! use anysplit::variation::Atoms;
//!
//! let input = Atoms::of("a <toolbox> and a <tool_call name=\"b\"></tool_call>");
//! let proof = prove(InlineTag::new(&Options::default())?, &input, Cap::default()).expect("no panic").expect("below the cap");
//! assert_eq!(proof.outcomes.len(), 1, "2^48 splittings, one outcome");
//! # Ok::<(), anysplit::dialect::OptionsError>(())
//! ```
//!
//! # Judging your own
//!
//! Implement [`Machine`](machine::Machine), wrap it as a target, and let a [`Judge`](judge::Judge) put every check to every
//! case. This parser looks for the marker in each chunk alone, as many do:
//!
//! ```
//! use anysplit::check::Check;
//! use anysplit::dialect::Dialect;
//! use anysplit::judge::{Judge, Status};
//! use anysplit::machine::{Machine, Sink};
//! use anysplit::target::InProcess;
//!
//! #[derive(Clone, PartialEq, Eq, Hash)]
//! struct ChunkByChunk;
//!
//! impl Machine for ChunkByChunk {
//!     type Chunk = str;
//!
//!     fn feed(&mut self, chunk: &str, sink: &mut impl Sink) {
//!         let marker = r#"<tool_call name="wave"></tool_call>"#;
//!         for (number, text) in chunk.split(marker).enumerate() {
//!             if number > 0 {
//!                 let fields = [("name", "wave".into()), ("args", serde_json::json!({}))];
//!                 sink.event(anysplit::event::Event::new("tool_call", fields));
//!             }
//!             sink.text(text);
//!         }
//!     }
//!
//!     fn finish(self, _sink: &mut impl Sink) {}
//! }
//!
//! let target = InProcess::new("chunk by chunk", Dialect::InlineTag, |_options| ChunkByChunk).provable();
//! let case = r#"{"dialect": "inline-tag", "cases": [{"name": "a-call", "input": "<tool_call name=\"wave\"></tool_call>",
//!     "events": [{"type": "tool_call", "name": "wave", "args": {}}]}]}"#;
//! let case = &anysplit::case::CaseFile::parse("doc", case)?.cases[0];
//!
//! let verdicts = Judge::new(&target).judge(case);
//! let status = |check| verdicts.iter().find(|verdict| verdict.check == check).map(|verdict| verdict.status);
//! assert_eq!(status(Check::Expect), Some(Status::Pass));
//! assert_eq!(status(Check::Split), Some(Status::Fail), "cut anywhere, the call is lost");
//! # Ok::<(), anysplit::case::CaseError>(())
//! ```
//!
//! # The way of the data
//!
//! ```text
//! spec, your files ─► case ─► variation ─► target ─► judge ─► report
//!                                                      │ check
//! ```
//!
//! * [`spec`]: the embedded rules, cases and schemas; [`rule`], [`case`], [`level`]: how they are read.
//! * [`dialect`]: the references, on [`machine`], [`input`], [`scan`] and [`event`]; [`naive`]: the second opinion on each of them.
//! * [`variation`], [`proof`]: ways to deliver an input, one by one or all at once; [`random`]: seeds that replay for ever.
//! * [`target`]: implementations under test; [`doctor`]: whether an adapter is sound.
//! * [`check`], [`lifecycle`]: the questions; [`judge`]: who asks them; [`shrink`]: the smallest failure; [`known`]: failures that are expected; [`disagreement`]: how two outcomes differ.
//! * `suite`: all of it as a test of your own crate, with one call.
//! * [`report`]: verdicts for people and for machines; [`lint`]: recorded and live streams.
//! * [`generate`], [`sample`]: random inputs; [`fuzz`]: who puts them to a target; [`finding`]: failures that anyone can replay.
//!
//! # Known limitations
//!
//! * A target in this process that never returns cannot be stopped.
//! * The check `cost` uses the clock; it measures a suspicion again, and is never more than a `should`.
//! * Of calls that have ended or wait (for an answer, for their outcome) the last 65,536 are remembered; what comes for an older one is
//!   taken for a new call's. Open calls, of which something must follow, are all remembered.
//! * Inputs of more than about a thousand characters pass the cap of the proof; their splittings are sampled, and reported so.

#![forbid(unsafe_code)]

pub mod case;
pub mod check;
pub mod dialect;
pub mod disagreement;
pub mod doctor;
mod erased;
pub mod event;
mod fault;
pub mod finding;
pub mod fuzz;
pub mod generate;
pub mod input;
pub mod judge;
pub mod known;
pub mod level;
pub mod lifecycle;
pub mod lint;
pub mod machine;
pub mod naive;
pub mod proof;
pub mod random;
pub mod report;
pub mod rule;
pub mod sample;
pub mod scan;
pub mod shrink;
pub mod spec;
mod strict_json;
#[cfg(feature = "suite")]
pub mod suite;
pub mod target;
pub mod variation;

#[cfg(feature = "suite")]
pub use suite::suite;

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
