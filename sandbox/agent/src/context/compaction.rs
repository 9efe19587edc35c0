//! What is done about the size of a request, decided before each model call. Every step is an entry,
//! so that what was decided once stays decided: requests keep their beginning, and a resumed run
//! knows it.

use super::history::History;
use super::rendering::Rendering;
use super::tiers::{Tier, request_tokens};
use super::{overview, summary};
use protocol::log::{EntryBody, Mark, Summariser};
use protocol::model::{ModelFailureKind, ModelRequest, StopReason};
use protocol::run::RunSpec;

/// Turns whose results are never told as digests.
const RECENT: usize = 3;
/// A step that saves less than this share of the room is not worth a new beginning.
const WORTH: u64 = 5;
/// Percent of the room that what stays may take after a summary.
const KEPT_PERCENT: u64 = 40;
/// Whole turns between two attempts at a summary.
const COOLDOWN: u32 = 5;
/// No text is clipped to less, in bytes, before even the last turn goes into the summary.
const CLIPPED: usize = 2000;
/// No text is clipped to less at all.
const MIN_CLIPPED_BYTES: usize = 64;

pub(crate) enum CompactionStep {
    Send(ModelRequest),
    Append(EntryBody),
    /// A model is asked for a summary; [`summarised`] takes its answer.
    Ask(ModelRequest),
}

/// The next step on the way to the call of `turn`.
pub(crate) fn step(spec: &RunSpec, history: &History, turn: u32, request: ModelRequest) -> CompactionStep {
    let Some(sent) = history.rendered() else {
        return CompactionStep::Send(request);
    };
    let room = Room::of(spec, history.head_bytes(), sent);
    let forced = is_forced(history);
    let tier = if forced { room.tier.further() } else { room.tier };
    if tier >= Tier::Digest
        && let Some(upto) = digest(spec, history, sent, &room)
    {
        return CompactionStep::Append(EntryBody::Digested { turn, upto });
    }
    if tier == Tier::Summary
        && !forced
        && history.since_summary().is_none_or(|turns| turns >= COOLDOWN)
        && let Some(upto) = cut(sent, &room)
    {
        return CompactionStep::Ask(summary::request(spec, history, &upto, room.bytes / 2));
    }
    if tier == Tier::Cut || forced {
        if let Some(upto) = cut(sent, &room) {
            return CompactionStep::Append(by_log(history, turn, upto, &room));
        }
        if tier == Tier::Cut {
            return shorten(history, turn, sent, &room)
                .map_or(CompactionStep::Send(request), CompactionStep::Append);
        }
    }
    CompactionStep::Send(request)
}

/// What is appended when a model has summarised. `None` if there is nothing to cut any more.
pub(crate) fn summarised(spec: &RunSpec, history: &mut History, turn: u32, text: &str) -> Option<EntryBody> {
    history.render(spec, super::RESULT_CHARS);
    let head = history.prepare(spec).bytes;
    let sent = history.rendered()?;
    let room = Room::of(spec, head, sent);
    let upto = cut(sent, &room)?;
    let text = summary::render(text, room.share(10));
    Some(EntryBody::Summary { turn, by: Summariser::Model, upto, text })
}

struct Room {
    /// What the whole request may have, and what it has before its messages.
    bytes: usize,
    tier: Tier,
}

impl Room {
    fn of(spec: &RunSpec, head: usize, sent: &Rendering) -> Self {
        let gauge = sent.gauge(head);
        let tokens = request_tokens(spec);
        let used = gauge.tokens(head + sent.bytes());
        let percent = used.saturating_mul(100).checked_div(tokens).unwrap_or(100);
        Self { bytes: gauge.bytes(tokens), tier: Tier::of(percent) }
    }

    fn share(&self, percent: u64) -> usize {
        let bytes = u64::try_from(self.bytes).unwrap_or(u64::MAX);
        usize::try_from(bytes.saturating_mul(percent) / 100).unwrap_or(usize::MAX)
    }
}

/// The provider found the last request too long, and nothing has been done about it yet.
fn is_forced(history: &History) -> bool {
    let Some(run) = history.run() else {
        return false;
    };
    let mut failures = run.failures();
    let failed = failures.find(|(_, failure)| failure.kind == ModelFailureKind::ContextTooLong);
    let full = run.last_turn().filter(|(_, turn)| turn.stop() == Some(StopReason::ContextFull));
    let at = failed.map(|(number, _)| number).or(full.map(|(number, _)| number));
    at.is_some_and(|at| run.compacted.is_none_or(|done| done <= at))
}

/// Up to where results become digests, if that is further than now and saves enough.
fn digest(spec: &RunSpec, history: &History, sent: &Rendering, room: &Room) -> Option<Mark> {
    let (upto, _) = sent.marks.iter().rev().nth(RECENT)?;
    if history.digested() == Some(upto) {
        return None;
    }
    let after = history.told_digested(spec, super::RESULT_CHARS, upto);
    let saved = sent.bytes().saturating_sub(after.bytes());
    (saved >= room.share(WORTH)).then(|| upto.clone())
}

/// Up to where what was said goes into a summary: as far as needed for the rest to be small, and
/// never the last turn.
fn cut(sent: &Rendering, room: &Room) -> Option<Mark> {
    let turns = sent.marks.get(1..sent.marks.len().saturating_sub(1))?;
    let most = room.share(KEPT_PERCENT);
    let is_small = |at: usize| sent.bytes() - sent.bytes_before(at) <= most;
    let found = turns.iter().find(|(_, at)| is_small(*at)).or(turns.last())?;
    Some(found.0.clone())
}

/// What helps when there is nothing left to cut.
fn shorten(history: &History, turn: u32, sent: &Rendering, room: &Room) -> Option<EntryBody> {
    let longest = history.longest().map_or(room.bytes / 4, |longest| longest / 2);
    let clip = |longest: usize| {
        Some(EntryBody::Clipped { turn, longest: u32::try_from(longest).unwrap_or(u32::MAX) })
    };
    if longest >= CLIPPED {
        return clip(longest);
    }
    if let [_, .., (upto, _)] = sent.marks.as_slice() {
        return Some(by_log(history, turn, upto.clone(), room));
    }
    (longest >= MIN_CLIPPED_BYTES).then(|| clip(longest)).flatten()
}

fn by_log(history: &History, turn: u32, upto: Mark, room: &Room) -> EntryBody {
    let text = overview::of(history, &upto, room.share(8));
    EntryBody::Summary { turn, by: Summariser::Log, upto, text }
}
