//! An agent's loop as a pure state machine, and all that it is made of: context assembly, tool
//! declarations, facts about models, and the providers' codecs. No clock, no chance, no async, no I/O.
//!
//! # The contract
//!
//! - [`Run::handle`] is the loop: an [`Input`] says what happened, the [`Effect`]s say what to do.
//!   The same inputs give the same effects, always.
//! - The transcript is the only durable state. [`Run::resume`] makes a run of it, the first time
//!   and after every crash, reload or move between homes; [`Input::Resumed`] then gives the effects
//!   that the former driver still owed.
//! - A driver performs effects in their order, and an `Append` or `Finish` before anything that
//!   follows it. The loop numbers these two from 0 within the run, so a repeated one can be told.
//! - `ToolStarted`, `ToolFinished` and `Used` entries, and the notice that another model answers, are
//!   the hub's to write, and the first before the second. The loop takes the results from its inputs.
//! - A person's message is part of a run when it was written before the run's `RunStarted` entry, or
//!   when the run has a `Steered` entry for it: the driver says [`Input::Steer`], and the next model
//!   call reads it. What no run has read waits for the next one, as do the words of the page.
//! - `RunTools` comes again for the next calls of a reply when the former ones are answered.
//! - After `Finish` every input is answered with no effects.
//!
//! # A driver
//!
//! ```text
//! let mut run = Run::resume(id, spec, &transcript);
//! let mut effects = run.handle(Input::Resumed);
//! while !run.is_finished() {
//!     for effect in effects {
//!         perform(effect);
//!     }
//!     let Some(input) = Input::from_reply(next_reply()) else { return };
//!     effects = run.handle(input);
//! }
//! effects.into_iter().for_each(perform);
//! ```

pub mod ambient;
pub mod context;
pub mod facts;
pub mod garbage;
pub mod hooks;
mod input;
#[cfg(feature = "model-endpoints")]
pub mod model_endpoints;
mod preflight;
pub mod providers;
pub mod rules;
mod run;
pub mod taint;
pub mod text_lane;
pub mod tools;
pub mod words;

pub use input::Input;
pub use protocol::run::{Effect, RunSpec};
pub use run::{MOST_AUTONOMOUS, MOST_ROUNDS, ROUNDS, Run, gives_up, most_turns, rounds};
