//! On the way to the next model call: what there is to say, what has to be asked on the side, and what
//! has to go so that the request fits.

use super::reply::Reply;
use super::{Phase, Run, most_turns, notices, outcome, unanswered};
use crate::context::{self, CompactionStep};
use protocol::log::{EntryBody, NoticeKind, Outcome};
use protocol::model::Purpose;
use protocol::model::{ModelRequest, ToolChoice, ToolResult};
use protocol::run::Effect;
use protocol::words;

/// How long a summary and a plan may take.
const SUMMARY_MS: u64 = 60_000;
const PLAN_MS: u64 = 2_000;
/// How long looking up what a model may want may take, all together.
const PREFETCH_MS: u64 = 1_400;

impl Run {
    /// Goes to the next model call: says what there is to say, sees to the size, calls.
    pub(super) fn advance(&mut self) -> Vec<Effect> {
        let turn = self.next_turn();
        if turn >= most_turns(self.spec.round_limit) {
            let run = self.exchange();
            let note = unanswered::note(run).filter(|note| !notices::is_said(run, note));
            let mut effects: Vec<Effect> = note
                .map(|(kind, text)| self.append(EntryBody::Notice { turn, kind, text }))
                .into_iter()
                .collect();
            effects.push(self.finish(Outcome::RoundLimit));
            return effects;
        }
        let is_last = self.whole_turns().saturating_add(1) >= self.rounds();
        let due = match notices::due(&self.spec, self.exchange(), is_last) {
            Ok(due) => due,
            Err(reason) => {
                let failure = outcome::denied(&reason);
                return vec![self.finish(Outcome::Failed { failure })];
            }
        };
        let mut effects = self.steer(self.whole_turns());
        for (kind, text) in due {
            effects.push(self.append(EntryBody::Notice { turn, kind, text }));
        }
        if let Some(request) = notices::plan(&self.spec, self.exchange()) {
            effects.push(self.ask(turn, Purpose::Plan, request, PLAN_MS));
            return effects;
        }
        let calls = notices::prefetch(&self.spec, self.exchange());
        if !calls.is_empty() {
            self.phase = Phase::Prefetching { turn };
            effects.push(Effect::Prefetch { turn, calls, deadline_ms: PREFETCH_MS });
            return effects;
        }
        loop {
            let request = context::request(&self.spec, &mut self.history);
            match context::step(&self.spec, &self.history, turn, request) {
                CompactionStep::Append(body) => effects.push(self.append(body)),
                CompactionStep::Ask(request) => {
                    effects.push(self.ask(turn, Purpose::Summary, request, SUMMARY_MS));
                    return effects;
                }
                CompactionStep::Send(mut request) => {
                    if is_last {
                        request.tool_choice = ToolChoice::None;
                    }
                    self.phase = Phase::Calling { turn, reply: Reply::default(), usage: None };
                    effects.push(Effect::CallModel { turn, request });
                    return effects;
                }
            }
        }
    }

    fn ask(&mut self, turn: u32, purpose: Purpose, request: ModelRequest, deadline_ms: u64) -> Effect {
        self.phase = Phase::Asking { turn, purpose };
        Effect::Aside { turn, purpose, request, deadline_ms }
    }

    /// Takes what was looked up, or its absence, and goes on.
    pub(super) fn looked_up(&mut self, turn: u32, results: &[ToolResult]) -> Vec<Effect> {
        let text = notices::looked_up(results);
        let mut effects = vec![self.append(EntryBody::Notice { turn, kind: NoticeKind::Prefetch, text })];
        effects.extend(self.advance());
        effects
    }

    /// Takes the answer of a side call, or its absence, and goes on.
    pub(super) fn take_aside(&mut self, turn: u32, purpose: Purpose, text: Option<String>) -> Vec<Effect> {
        let text = text.filter(|text| !text.trim().is_empty());
        let body = match (purpose, text) {
            // No loop asks for these.
            (Purpose::Title | Purpose::Memories | Purpose::Search, _) => return Vec::new(),
            (Purpose::Plan, text) => {
                let text = text.map(|text| notices::planned(&text)).unwrap_or_default();
                Some(EntryBody::Notice { turn, kind: NoticeKind::Plan, text })
            }
            (Purpose::Summary, Some(text)) => context::summarised(&self.spec, &mut self.history, turn, &text),
            (Purpose::Summary, None) => None,
        };
        let body = body.unwrap_or_else(|| EntryBody::Notice {
            turn,
            kind: NoticeKind::NoSummary,
            text: words!("The model gave no summary of what was said earlier.").to_owned(),
        });
        let mut effects = vec![self.append(body)];
        effects.extend(self.advance());
        effects
    }
}
