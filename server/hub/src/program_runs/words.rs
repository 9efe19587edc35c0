//! What a run says, as it comes, to whoever asked for it.

use super::WhenGone;
use crate::Hub;
use crate::approvals::{asked_in_words, in_words};
use crate::live::Tab;
use protocol::hub::HubFrame;
use protocol::log::{Entry, EntryBody, NoticeKind, Outcome};
use protocol::model::{Block, BlockKind, Usage};
use protocol::{AgentId, ApprovalId, RunId};
use std::collections::VecDeque;

/// Between two things that an agent says in one run.
const BREAK: &str = "\n\n";

#[derive(Clone, Debug, PartialEq)]
pub enum RunWord {
    /// A piece of the text.
    Said(String),
    /// Its person has to answer something before it goes on.
    Waits,
    /// It asks this, and the program may answer.
    Asks(String),
    GoesOn,
    Over(RunEnd),
    /// The token was revoked, or the hub is too busy: the rest is not heard.
    Lost,
}

#[derive(Clone, Debug, PartialEq)]
pub struct RunEnd {
    pub outcome: Outcome,
    /// All that was said.
    pub text: String,
    pub usage: Usage,
}

impl RunEnd {
    /// Why it is no answer; `None`: it is one.
    pub fn trouble(&self) -> Option<String> {
        (self.outcome != Outcome::Completed).then(|| crate::runs::in_words(&self.outcome))
    }
}

/// What is heard of a run. Whether it goes on without a listener was said when it was asked for.
pub struct RunWords {
    tab: Tab,
    waiter: Waiter,
    /// What comes up to this entry is older than the run.
    after: u64,
    ready: VecDeque<RunWord>,
    hearing: Hearing,
    goes_on: bool,
}

impl RunWords {
    pub(super) fn new(tab: Tab, waiter: Waiter, hearing: Hearing, after: u64) -> Self {
        Self { tab, waiter, after, ready: VecDeque::new(), hearing, goes_on: false }
    }

    /// Of a run of which `hearing` has heard all up to the entry `after`: these words of it come first.
    pub(super) fn behind(
        tab: Tab,
        mut waiter: Waiter,
        hearing: Hearing,
        after: u64,
        ready: VecDeque<RunWord>,
    ) -> Self {
        waiter.is_over = matches!(ready.back(), Some(RunWord::Over(_)));
        let goes_on = hearing.has_begun && !ready.iter().any(|word| matches!(word, RunWord::Said(_)));
        Self { tab, waiter, after, ready, hearing, goes_on }
    }

    /// Whether the run said something before the first of these words.
    pub fn go_on(&self) -> bool {
        self.goes_on
    }

    /// Says anew what becomes of the run when nobody hears the rest.
    pub fn set_when_gone(&mut self, when_gone: WhenGone) {
        self.waiter.when_gone = when_gone;
    }

    /// `None` after its end.
    pub async fn next(&mut self) -> Option<RunWord> {
        loop {
            if let Some(word) = self.ready.pop_front() {
                return Some(word);
            }
            if self.waiter.is_over {
                return None;
            }
            match self.tab.next().await.map(|frame| serde_json::from_slice(&frame.text)) {
                Some(Ok(HubFrame::Entry { entry })) if entry.seq <= self.after => {}
                Some(Ok(frame)) => self.hearing.take(frame, &mut self.ready),
                Some(Err(_)) => {}
                None => self.ready.push_back(RunWord::Lost),
            }
            self.waiter.is_over |= matches!(self.ready.back(), Some(RunWord::Over(_) | RunWord::Lost));
        }
    }
}

/// Who waits for the run.
pub(super) struct Waiter {
    hub: Hub,
    agent: AgentId,
    run: RunId,
    when_gone: WhenGone,
    is_over: bool,
}

impl Waiter {
    pub(super) fn new(hub: &Hub, agent: &AgentId, run: &RunId, when_gone: WhenGone) -> Self {
        Self { hub: hub.clone(), agent: agent.clone(), run: run.clone(), when_gone, is_over: false }
    }
}

impl Drop for Waiter {
    fn drop(&mut self) {
        if self.is_over || self.when_gone == WhenGone::GoOn {
            return;
        }
        let (hub, agent, run) = (self.hub.clone(), self.agent.clone(), self.run.clone());
        self.hub.tasks().spawn(async move {
            if let Err(error) = hub.runs().stop_only(&agent, &run).await {
                let failure = error.into_failure();
                tracing::warn!(run.id = %run, "run {run}, for which nobody waits, is yet to be stopped: {failure}");
            }
        });
    }
}

/// Reads one run out of its agent's feed, or its log.
pub(super) struct Hearing {
    run: RunId,
    /// The finished texts.
    pub(super) said: String,
    /// The turn and block that is being streamed.
    streaming: Option<(u32, u32)>,
    /// Bytes of it that were said.
    heard: usize,
    has_begun: bool,
    /// What the person has to answer.
    open: Vec<Open>,
    may_answer: bool,
    usage: Usage,
}

struct Open {
    id: ApprovalId,
    /// What is asked, if the program may answer.
    asks: Option<String>,
}

impl Hearing {
    /// `may_answer`: what is asked in words is the program's to answer as well.
    pub(super) fn of(run: &RunId, may_answer: bool) -> Self {
        Self {
            run: run.clone(),
            said: String::new(),
            streaming: None,
            heard: 0,
            has_begun: false,
            open: Vec::new(),
            may_answer,
            usage: Usage::default(),
        }
    }

    /// For what it waits, if it does.
    pub(super) fn waits(&self) -> Option<RunWord> {
        let asks = self.open.iter().find_map(|open| open.asks.clone());
        match asks {
            Some(question) => Some(RunWord::Asks(question)),
            None => (!self.open.is_empty()).then_some(RunWord::Waits),
        }
    }

    fn take(&mut self, frame: HubFrame, ready: &mut VecDeque<RunWord>) {
        match frame {
            HubFrame::Entry { entry } => self.read(entry, ready),
            HubFrame::Partial { run, turn, index, kind: BlockKind::Text, text, .. } if self.run == run => {
                self.begin(ready);
                self.streaming = Some((turn, index));
                self.heard = text.len();
                say(ready, &text);
            }
            HubFrame::Delta { run, turn, index, offset, text, .. }
                if self.run == run && self.streaming == Some((turn, index)) =>
            {
                // Who joins while it is said is told as a whole what may be on its way in pieces, too.
                let known = self.heard.saturating_sub(usize::try_from(offset).unwrap_or(usize::MAX));
                let new = text.get(known..).unwrap_or_default();
                self.heard += new.len();
                say(ready, new);
            }
            // What else a tab is told is about other things than what the agent says.
            _ => {}
        }
    }

    pub(super) fn read(&mut self, entry: Entry, ready: &mut VecDeque<RunWord>) {
        if entry.run.as_ref() != Some(&self.run) {
            return;
        }
        match entry.body {
            EntryBody::Notice { kind: NoticeKind::Unanswered, text, .. } if !self.has_begun => {
                self.begin(ready);
                say(ready, &text);
                self.said = text;
            }
            EntryBody::Block { turn, index, block: Block::Text { text } } => {
                if self.streaming.take() != Some((turn, index)) {
                    self.begin(ready);
                    say(ready, &text);
                }
                self.said.push_str(if self.said.is_empty() { "" } else { BREAK });
                self.said.push_str(&text);
            }
            EntryBody::ApprovalAsked { approval } => {
                let asks = asked_in_words(&approval).filter(|_| self.may_answer).map(in_words);
                self.open.push(Open { id: approval.id, asks });
                ready.extend(self.waits());
            }
            EntryBody::ApprovalSettled { approval, .. } => {
                self.open.retain(|open| open.id != approval);
                ready.push_back(self.waits().unwrap_or(RunWord::GoesOn));
            }
            EntryBody::Used { usage, .. } => {
                self.usage.input += usage.input;
                self.usage.output += usage.output;
                self.usage.cache_read += usage.cache_read;
                self.usage.cache_write += usage.cache_write;
                self.usage.reasoning += usage.reasoning;
            }
            EntryBody::RunFinished { outcome, .. } => {
                let text = std::mem::take(&mut self.said);
                ready.push_back(RunWord::Over(RunEnd { outcome, text, usage: self.usage }));
            }
            _ => {}
        }
    }

    /// Sets what comes apart from what came.
    fn begin(&mut self, ready: &mut VecDeque<RunWord>) {
        if std::mem::replace(&mut self.has_begun, true) {
            say(ready, BREAK);
        }
    }
}

fn say(ready: &mut VecDeque<RunWord>, text: &str) {
    if !text.is_empty() {
        ready.push_back(RunWord::Said(text.to_owned()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_told_as_a_whole_is_not_said_again_in_pieces() {
        let (agent, run) = (AgentId::from("a"), RunId::from("r"));
        let whole = |index, text: &str| HubFrame::Partial {
            agent: agent.clone(),
            run: run.clone(),
            turn: 0,
            index,
            kind: BlockKind::Text,
            text: text.to_owned(),
        };
        let piece = |index, offset, text: &str| HubFrame::Delta {
            agent: agent.clone(),
            run: run.clone(),
            turn: 0,
            index,
            offset,
            text: text.to_owned(),
        };
        let (mut hearing, mut ready) = (Hearing::of(&run, false), VecDeque::new());
        for frame in [
            whole(0, "One é"),
            piece(0, 0, "One "),
            piece(0, 4, "é two"),
            piece(0, 10, " three"),
            whole(1, ""),
            piece(1, 0, "Four"),
        ] {
            hearing.take(frame, &mut ready);
        }
        let said: String = ready
            .into_iter()
            .filter_map(|word| match word {
                RunWord::Said(text) => Some(text),
                _ => None,
            })
            .collect();
        assert_eq!(said, format!("One é two three{BREAK}Four"));
    }
}
