//! What a run said last, for whoever is told of several at once.

use super::Live;
use protocol::log::Entry;
use protocol::model::Block;
use protocol::{AgentId, RunId};

/// Characters that are kept of it.
const KEPT: usize = 400;

/// The end of the last words of a run that stand in the log.
#[derive(Debug)]
pub(super) struct LastWords {
    run: RunId,
    end: String,
}

impl LastWords {
    /// `None`: nobody said anything in it.
    pub(super) fn of(entry: &Entry, block: &Block) -> Option<Self> {
        let (Block::Text { text }, Some(run)) = (block, &entry.run) else { return None };
        let end = tail_of(text, KEPT);
        (!end.is_empty()).then(|| Self { run: run.clone(), end })
    }
}

impl Live {
    /// The last words of a run that is under way here, whether they are being streamed or were said before a call:
    /// at most so many characters from their end, in one line.
    pub(crate) fn last_words_of(&self, agent: &AgentId, run: &RunId, most: usize) -> String {
        let state = self.state();
        let Some(feed) = state.feeds.get(agent) else { return String::new() };
        let streamed = feed.partial.as_ref().and_then(|partial| partial.streamed_words(run));
        let said =
            || feed.last_words.as_ref().filter(|words| words.run == *run).map(|words| words.end.as_str());
        tail_of(streamed.or_else(said).unwrap_or_default(), most)
    }
}

/// At most so many of its characters, in one line.
pub(crate) fn tail_of(text: &str, most: usize) -> String {
    let start = text.char_indices().rev().nth(most.saturating_sub(1)).map_or(0, |(at, _)| at);
    text[start..].split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_text_is_one_line_of_whole_characters() {
        for (text, most, end) in
            [("", 4, ""), ("möss", 4, "möss"), ("the möss", 4, "möss"), ("a\n b ", 9, "a b"), ("  ", 4, "")]
        {
            assert_eq!(tail_of(text, most), end, "{text:?}");
        }
    }
}
