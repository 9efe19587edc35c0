//! What a model call has used so far, whoever made it: as its provider counted, and where it did not count,
//! by the lengths of what was asked and said.

use agent::context::tokens_of_text;
use protocol::model::{ModelEvent, Usage};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Shared by whoever hears the call and whoever books it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally(Arc<Mutex<Counts>>);

#[derive(Debug, Default)]
struct Counts {
    /// Money may be held for the call, and it is not booked.
    is_open: bool,
    /// The request is with the provider, which has not refused it.
    is_sent: bool,
    expected: Expected,
    counted: Option<Usage>,
    /// Bytes of the reply.
    heard: usize,
    /// Bytes of the reply that the provider had not said when it last counted.
    since: usize,
}

/// What a call that is about to be made can use. What a provider counts beyond the most is not believed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Expected {
    /// About how many tokens the request has.
    pub(crate) input: u64,
    pub(crate) most_input: u64,
    pub(crate) most_output: u64,
}

/// What is left to do for a call that is over.
#[derive(Debug)]
pub(crate) enum Settlement {
    Used(Usage),
    /// Nothing is to be booked, and what was held for it is to be let go.
    Unused,
}

impl Tally {
    pub(crate) fn begin(&self, expected: Expected) {
        *self.counts() = Counts { is_open: true, expected, ..Counts::default() };
    }

    pub(crate) fn sent(&self) {
        self.counts().is_sent = true;
    }

    /// The request was not taken: it costs nothing.
    pub(crate) fn refused(&self) {
        self.counts().is_sent = false;
    }

    pub(crate) fn note(&self, event: &ModelEvent) {
        let mut counts = self.counts();
        match event {
            ModelEvent::Delta { text, .. } => {
                counts.heard += text.len();
                counts.since += text.len();
            }
            ModelEvent::Usage { usage } => {
                counts.counted = Some(*usage);
                counts.since = 0;
            }
            ModelEvent::BlockStarted { .. }
            | ModelEvent::BlockFinished { .. }
            | ModelEvent::Stopped { .. }
            | ModelEvent::Failed { .. }
            | ModelEvent::Cited { .. }
            | ModelEvent::Unknown { .. } => {}
        }
    }

    pub(crate) fn is_open(&self) -> bool {
        self.counts().is_open
    }

    /// Whether there is something to book already.
    pub(crate) fn has_begun(&self) -> bool {
        self.counts().used().is_some()
    }

    pub(crate) fn used(&self) -> Option<Usage> {
        self.counts().used()
    }

    /// Once for each call. `None`: it was settled before, or there was none.
    pub(crate) fn settle(&self) -> Option<Settlement> {
        let owed = self.owed();
        self.close();
        owed
    }

    /// What is to be done for it, which is owed until it is closed.
    pub(crate) fn owed(&self) -> Option<Settlement> {
        let counts = self.counts();
        counts.is_open.then(|| counts.used().map_or(Settlement::Unused, Settlement::Used))
    }

    pub(crate) fn close(&self) {
        *self.counts() = Counts::default();
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Counts {
    fn used(&self) -> Option<Usage> {
        let Expected { input, most_input, most_output } = self.expected;
        let guessed =
            Usage { input, output: tokens_of_text(self.heard).min(most_output), ..Usage::default() };
        let Some(counted) = self.counted else { return self.is_sent.then_some(guessed) };
        // No prompt has no tokens, and no words have none: who says so has not counted.
        let input = if counted.prompt() == 0 { guessed.input } else { counted.input };
        let output = match counted.output {
            0 => guessed.output,
            output => output.saturating_add(tokens_of_text(self.since)),
        };
        let output = output.min(most_output);
        let cache_read = counted.cache_read.min(most_input);
        let cache_write = counted.cache_write.min(most_input - cache_read);
        let input = input.min(most_input - cache_read - cache_write);
        Some(Usage { input, output, cache_read, cache_write, reasoning: counted.reasoning.min(output) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::model::StopReason;

    const EXPECTED: Expected = Expected { input: 100, most_input: 1000, most_output: 500 };

    #[test]
    fn a_call_has_used_what_was_counted_and_what_nobody_has_counted_yet() {
        let said = |bytes: usize| ModelEvent::Delta { index: 0, text: "a".repeat(bytes) };
        let counted =
            |input, output| ModelEvent::Usage { usage: Usage { input, output, ..Usage::default() } };
        let stopped = || ModelEvent::Stopped { reason: StopReason::EndTurn };
        for (name, events, expected) in [
            ("nothing was said", vec![], (100, 0)),
            ("nothing was counted", vec![said(300)], (100, 100)),
            ("it stopped and was not counted", vec![said(300), stopped()], (100, 100)),
            ("the prompt was counted", vec![counted(7, 1), said(300)], (7, 101)),
            ("all was counted", vec![counted(7, 1), said(300), counted(7, 80)], (7, 80)),
            ("it was counted last", vec![said(300), counted(7, 80), stopped()], (7, 80)),
            ("it was counted in between", vec![said(300), counted(7, 80), said(30)], (7, 90)),
            ("it was counted as nothing", vec![said(300), counted(0, 0), stopped()], (100, 100)),
            ("more was counted than can be", vec![counted(u64::MAX, u64::MAX), stopped()], (1000, 500)),
            ("more was said than can be", vec![said(30_000)], (100, 500)),
        ] {
            let tally = Tally::default();
            tally.begin(EXPECTED);
            tally.sent();
            events.iter().for_each(|event| tally.note(event));
            let used = tally.used().map(|usage| (usage.input, usage.output));
            assert_eq!(used, Some(expected), "{name}");
        }
    }

    #[test]
    fn a_call_is_settled_once_and_a_refused_one_used_nothing() {
        let tally = Tally::default();
        assert!(tally.settle().is_none());
        tally.begin(EXPECTED);
        tally.sent();
        assert!(matches!(tally.settle(), Some(Settlement::Used(Usage { input: 100, .. }))));
        assert!(tally.settle().is_none());
        tally.begin(EXPECTED);
        tally.sent();
        tally.refused();
        assert!(matches!(tally.settle(), Some(Settlement::Unused)));
    }
}
