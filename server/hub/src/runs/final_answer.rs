//! What a run that is over answers to whoever waited for it.

use super::Runs;
use crate::error::Result;
use crate::log::run_entries;
use protocol::RunId;
use protocol::log::{Entry, EntryBody, NoticeKind, Outcome};
use protocol::model::Block;
use protocol::page::Answer;
use protocol::words;

impl Runs<'_> {
    /// What the run said last.
    pub(crate) async fn final_text_of(self, run: &RunId) -> Result<String> {
        Ok(final_text(&run_entries(self.hub.store(), run).await?, run))
    }

    pub(super) async fn final_answer(self, run: &RunId) -> Answer {
        let entries = run_entries(self.hub.store(), run).await.unwrap_or_default();
        final_answer(&entries, run)
    }
}

fn final_answer(entries: &[Entry], run: &RunId) -> Answer {
    let ends = entries.iter().filter(|entry| entry.run.as_ref() == Some(run)).rev();
    let end = ends.into_iter().find_map(|entry| match &entry.body {
        EntryBody::RunFinished { outcome, .. } => Some(outcome),
        _ => None,
    });
    match end {
        Some(Outcome::Completed) => Answer::Text { text: final_text(entries, run) },
        Some(outcome) => Answer::Error { message: in_words(outcome) },
        None => Answer::Error { message: "The run has no end.".to_owned() },
    }
}

/// The text of the run's last turn that has any; without one what its calls brought.
pub(super) fn final_text(entries: &[Entry], run: &RunId) -> String {
    let mut last_turn = 0;
    let mut text = String::new();
    let mut brought = "";
    for entry in entries.iter().filter(|entry| entry.run.as_ref() == Some(run)) {
        if let EntryBody::Notice { kind: NoticeKind::Unanswered, text, .. } = &entry.body {
            brought = text;
        }
        if let EntryBody::Block { turn, block: Block::Text { text: more }, .. } = &entry.body {
            if *turn != last_turn {
                text.clear();
                last_turn = *turn;
            }
            text.push_str(more);
        }
    }
    if text.is_empty() { brought.to_owned() } else { text }
}

pub(crate) fn in_words(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Completed => String::new(),
        Outcome::Stopped => words!("The run was stopped.").to_owned(),
        Outcome::RoundLimit => words!("The agent used up its rounds before it was done.").to_owned(),
        Outcome::Failed { failure } => failure.message.clone(),
        Outcome::Interrupted { why } => why.clone(),
    }
}
