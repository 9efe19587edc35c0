//! Texts at which an answer ends, for providers that cannot be told of them: what could be the beginning of
//! one waits until it is known. Where the provider ended the answer itself there is nothing left to find.

use protocol::model::{Block, BlockKind, ModelEvent, StopReason};
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default)]
pub(super) struct Ending {
    texts: Vec<String>,
    /// By block of text, what waits of it.
    waiting: BTreeMap<u32, String>,
    /// The block that holds the end, and what of it was let through.
    end: Option<(u32, String)>,
    /// By block of text, what was let through.
    said: BTreeMap<u32, String>,
}

impl Ending {
    pub(super) fn at(texts: &[String]) -> Self {
        let texts = texts.iter().filter(|text| !text.is_empty()).cloned().collect();
        Self { texts, ..Self::default() }
    }

    /// Whether all that comes is a part of the answer.
    pub(super) fn has_none(&self) -> bool {
        self.texts.is_empty()
    }

    /// What of the event is a part of the answer.
    pub(super) fn take(&mut self, event: ModelEvent) -> Vec<ModelEvent> {
        if self.has_none() {
            return vec![event];
        }
        match event {
            ModelEvent::BlockStarted { index, kind: BlockKind::Text } if self.end.is_none() => {
                self.waiting.insert(index, String::new());
                vec![event]
            }
            ModelEvent::Delta { index, text } if self.waiting.contains_key(&index) => {
                self.grow(index, &text).into_iter().collect()
            }
            ModelEvent::BlockFinished { index, block: Block::Text { text } } => self.finish(index, text),
            ModelEvent::BlockStarted { .. } | ModelEvent::Delta { .. } | ModelEvent::BlockFinished { .. } => {
                if self.end.is_some() {
                    Vec::new()
                } else {
                    vec![event]
                }
            }
            ModelEvent::Stopped { .. } if self.end.is_some() => {
                vec![ModelEvent::Stopped { reason: StopReason::StopSequence }]
            }
            ModelEvent::Stopped { .. }
            | ModelEvent::Usage { .. }
            | ModelEvent::Failed { .. }
            | ModelEvent::Cited { .. }
            | ModelEvent::Unknown { .. } => vec![event],
        }
    }

    fn grow(&mut self, index: u32, text: &str) -> Option<ModelEvent> {
        if self.end.is_some() {
            return None;
        }
        let mut waiting = self.waiting.remove(&index).unwrap_or_default();
        waiting.push_str(text);
        let found = self.find(&waiting);
        let known = found.unwrap_or_else(|| self.known(&waiting));
        let rest = waiting.split_off(known);
        let said = self.said.entry(index).or_default();
        said.push_str(&waiting);
        match found {
            Some(_) => self.end = Some((index, said.clone())),
            None => drop(self.waiting.insert(index, rest)),
        }
        (!waiting.is_empty()).then_some(ModelEvent::Delta { index, text: waiting })
    }

    fn finish(&mut self, index: u32, text: String) -> Vec<ModelEvent> {
        if let Some((at, said)) = &self.end {
            return if *at == index { vec![finished(index, said.clone())] } else { Vec::new() };
        }
        if let Some(at) = self.find(&text) {
            let said = text[..at].to_owned();
            self.end = Some((index, said.clone()));
            return vec![finished(index, said)];
        }
        let rest = self.waiting.remove(&index).filter(|rest| !rest.is_empty());
        let rest = rest.map(|text| ModelEvent::Delta { index, text });
        rest.into_iter().chain([finished(index, text)]).collect()
    }

    /// Where the end begins that is whole first: a provider that knows them stops there too.
    fn find(&self, text: &str) -> Option<usize> {
        let found =
            self.texts.iter().filter_map(|end| text.find(end.as_str()).map(|at| (at + end.len(), at)));
        found.min().map(|(_, at)| at)
    }

    /// How much of it cannot be the beginning of an end any more.
    fn known(&self, text: &str) -> usize {
        let begins = |at: &usize| self.texts.iter().any(|end| end.starts_with(&text[*at..]));
        text.char_indices().map(|(at, _)| at).find(begins).unwrap_or(text.len())
    }
}

fn finished(index: u32, text: String) -> ModelEvent {
    ModelEvent::BlockFinished { index, block: Block::Text { text } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cut_at_stop(texts: &[&str], pieces: &[&str]) -> (String, String, StopReason) {
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        let mut ending = Ending::at(&texts);
        let mut events = ending.take(ModelEvent::BlockStarted { index: 0, kind: BlockKind::Text });
        for piece in pieces {
            events.extend(ending.take(ModelEvent::Delta { index: 0, text: (*piece).to_owned() }));
        }
        events.extend(ending.take(finished(0, pieces.concat())));
        events.extend(ending.take(ModelEvent::Stopped { reason: StopReason::EndTurn }));
        let (mut said, mut whole, mut stop) = (String::new(), String::new(), StopReason::Other);
        for event in events {
            match event {
                ModelEvent::Delta { text, .. } => said += &text,
                ModelEvent::BlockFinished { block: Block::Text { text }, .. } => whole = text,
                ModelEvent::Stopped { reason } => stop = reason,
                ModelEvent::BlockStarted { .. }
                | ModelEvent::BlockFinished { .. }
                | ModelEvent::Usage { .. }
                | ModelEvent::Failed { .. }
                | ModelEvent::Cited { .. }
                | ModelEvent::Unknown { .. } => {}
            }
        }
        (said, whole, stop)
    }

    #[test]
    fn an_answer_ends_before_the_end_that_is_whole_first() {
        use StopReason::{EndTurn, StopSequence};
        for (texts, pieces, expected, stop) in [
            (vec!["END"], vec!["One E", "N", "D two"], "One ", StopSequence),
            (vec!["END"], vec!["One EN", "d two"], "One ENd two", EndTurn),
            (vec!["END"], vec!["One EN"], "One EN", EndTurn),
            (vec!["\n\n", "two"], vec!["One\n", " two\n\n"], "One\n ", StopSequence),
            (vec!["é!"], vec!["caf", "é", "é!", "more"], "café", StopSequence),
            (vec![""], vec!["One"], "One", EndTurn),
            (vec!["One"], vec!["One"], "", StopSequence),
            (vec!["a", "éaa"], vec!["éa", "a"], "é", StopSequence),
            (vec!["b", "ab"], vec!["éab"], "é", StopSequence),
        ] {
            let told = cut_at_stop(&texts, &pieces);
            assert_eq!(told, (expected.to_owned(), expected.to_owned(), stop), "{texts:?} {pieces:?}");
        }
    }

    proptest! {
        #[test]
        fn the_end_is_found_wherever_the_pieces_are_cut(
            pieces in prop::collection::vec("[abé]{0,3}", 0..8),
            texts in prop::collection::vec("[abé]{1,3}", 1..3),
        ) {
            let whole = pieces.concat();
            // It grows by a letter at a time until it ends with one of them.
            let grown = whole.char_indices().map(|(at, letter)| &whole[..at + letter.len_utf8()]);
            let ends = |grown: &str| texts.iter().filter(|text| grown.ends_with(*text)).map(|text| grown.len() - text.len()).min();
            let end = grown.into_iter().find_map(ends);
            let expected = whole[..end.unwrap_or(whole.len())].to_owned();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
            let (said, finished, stop) = cut_at_stop(&texts, &pieces);
            prop_assert_eq!((&said, &finished), (&expected, &expected));
            prop_assert_eq!(stop == StopReason::StopSequence, end.is_some());
        }
    }
}
