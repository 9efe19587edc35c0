//! From the log to the request that a model gets: system prompt, tools, messages. In stages, on one
//! owned value: [`History`] reads the log, `telling` and `messages` put it into the words and the
//! order of roles that every provider takes, `compaction` sees to it that it fits.
//!
//! A request begins with all of the request before it, because providers cache by prefix. Only a
//! step of compaction changes what was sent before, and each is an entry of the log.

mod catalogue;
mod compaction;
mod cut;
mod exchange;
mod fence;
mod head;
mod history;
mod message;
mod messages;
mod overview;
mod page;
mod prompt;
mod rendering;
mod reply;
mod report;
mod result_text;
pub mod search;
mod size;
mod snapshot;
mod summary;
mod tiers;

pub(crate) use compaction::{CompactionStep, step, summarised};
pub(crate) use exchange::{Exchange, Turn};
pub(crate) use history::History;

pub use fence::{around as fenced, is_in as has_fence, outside as outside_fences, within as only_fenced};
pub use page::{attribute as attributed, is_note};
pub use report::{Report, compaction_in, report};
pub(crate) use size::of as bytes_of;
pub use size::{Size, tokens_of_text};
pub use snapshot::Snapshot;
pub use tiers::{INACTIVITY_MS, Tier, UNKNOWN_CONTEXT, request_tokens, room};

use rendering::Rendering;

use protocol::RunId;
use protocol::log::Entry;
use protocol::model::{ModelRequest, ToolChoice};
use protocol::run::RunSpec;

/// Bytes of a tool's result that are sent.
pub const RESULT_CHARS: usize = 8000;

/// The request that `run` sends next when the log holds these entries.
pub fn assemble(spec: &RunSpec, run: &RunId, entries: &[Entry]) -> ModelRequest {
    request(spec, &mut Snapshot::new(spec.clear_after_ms).take_all(entries).seen_by(run))
}

pub(crate) fn request(spec: &RunSpec, history: &mut History) -> ModelRequest {
    history.render(spec, RESULT_CHARS);
    let head = history.prepare(spec).clone();
    ModelRequest {
        model: spec.model.clone(),
        system: head.system,
        tools: head.tools,
        tool_choice: ToolChoice::Auto,
        messages: history.rendered().map(Rendering::request).unwrap_or_default(),
        max_output_tokens: spec.max_output_tokens,
        effort: spec.effort,
        sampling: spec.sampling.clone(),
    }
}

/// Whether the text is what the loop says after the results of a round, and nothing else.
pub fn is_counter(text: &str) -> bool {
    let numbers = text.strip_prefix("[Round ").and_then(|rest| rest.strip_suffix(".]")?.split_once(" of "));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
    numbers.is_some_and(|(round, rounds)| is_number(round) && is_number(rounds))
}

/// The words that follow the results of a round.
fn counter(whole: usize, rounds: u32) -> String {
    format!("[Round {} of {rounds}.]", whole + 1)
}
