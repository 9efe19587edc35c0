//! The blocks of a reply while it is streamed, and how much of them was told to who follows.

use crate::clock::Moment;
use protocol::hub::HubFrame;
use protocol::model::BlockKind;
use protocol::{AgentId, RunId};
use std::collections::BTreeMap;

/// Milliseconds from one telling to the next: little longer than a page takes from one picture to the next.
const BETWEEN_MS: i64 = 20;

pub(super) struct Partial {
    run: RunId,
    turn: u32,
    blocks: BTreeMap<u32, Streamed>,
    /// From here on more of it may be told.
    next: Moment,
    /// Somebody comes at `next` to tell it.
    is_awaited: bool,
}

struct Streamed {
    kind: BlockKind,
    text: String,
    /// Bytes of it that were told.
    told: usize,
}

/// When a piece is told.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Telling {
    Now,
    /// Then, if whoever added it comes back.
    At(Moment),
    /// With pieces that came before it.
    Awaited,
}

impl Partial {
    pub(super) fn new(run: RunId, turn: u32) -> Self {
        Self { run, turn, blocks: BTreeMap::new(), next: Moment::default(), is_awaited: false }
    }

    pub(super) fn is_other(&self, run: &RunId, turn: u32) -> bool {
        self.run != *run || self.turn != turn
    }

    pub(super) fn start(&mut self, agent: &AgentId, index: u32, kind: BlockKind) -> HubFrame {
        let block = Streamed { kind, text: String::new(), told: 0 };
        let frame = self.frame(agent, index, &block);
        self.blocks.insert(index, block);
        frame
    }

    /// Adds a piece. The first one is told at once, others together with those that come soon behind it.
    pub(super) fn grow(&mut self, index: u32, more: &str, now: Moment) -> Telling {
        let Some(block) = self.blocks.get_mut(&index) else { return Telling::Awaited };
        block.text.push_str(more);
        if now >= self.next {
            self.begin_wait(now);
            return Telling::Now;
        }
        match std::mem::replace(&mut self.is_awaited, true) {
            true => Telling::Awaited,
            false => Telling::At(self.next),
        }
    }

    /// Whether whoever comes at `at` has something to tell: it may have been told meanwhile.
    pub(super) fn is_due(&mut self, at: Moment) -> bool {
        let is_due = self.is_awaited && self.next == at;
        if is_due {
            self.begin_wait(at);
        }
        is_due
    }

    /// Adds a piece that nobody is there to hear.
    pub(super) fn pass(&mut self, index: u32, more: &str) {
        if let Some(block) = self.blocks.get_mut(&index) {
            block.text.push_str(more);
            block.told = block.text.len();
        }
    }

    fn begin_wait(&mut self, now: Moment) {
        self.next = now.plus_ms(BETWEEN_MS);
        self.is_awaited = false;
    }

    /// What was not told yet, a frame for each block. From here on it was.
    pub(super) fn untold(&mut self, agent: &AgentId) -> Vec<HubFrame> {
        let mut frames = Vec::new();
        for (&index, block) in &mut self.blocks {
            let offset = std::mem::replace(&mut block.told, block.text.len());
            if offset < block.text.len() {
                frames.push(HubFrame::Delta {
                    agent: agent.clone(),
                    run: self.run.clone(),
                    turn: self.turn,
                    index,
                    offset: offset as u64,
                    text: block.text[offset..].to_owned(),
                });
            }
        }
        frames
    }

    /// The newest of its blocks with words in it, if it is a reply of this run.
    pub(super) fn streamed_words(&self, run: &RunId) -> Option<&str> {
        let mut blocks = self.blocks.values().rev().filter(|_| self.run == *run);
        blocks
            .find(|block| block.kind == BlockKind::Text && !block.text.trim().is_empty())
            .map(|block| block.text.as_str())
    }

    pub(super) fn finish(&mut self, turn: u32, index: u32) {
        if self.turn == turn {
            self.blocks.remove(&index);
        }
    }

    /// The blocks as far as they were told: who joins now is told the rest with everybody.
    pub(super) fn frames(&self, agent: &AgentId) -> Vec<HubFrame> {
        self.blocks.iter().map(|(&index, block)| self.frame(agent, index, block)).collect()
    }

    fn frame(&self, agent: &AgentId, index: u32, block: &Streamed) -> HubFrame {
        HubFrame::Partial {
            agent: agent.clone(),
            run: self.run.clone(),
            turn: self.turn,
            index,
            kind: block.kind.clone(),
            text: block.text[..block.told].to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn streaming() -> (AgentId, Partial) {
        let agent = AgentId::from("a");
        let mut partial = Partial::new(RunId::from("r"), 0);
        for index in 0..2 {
            partial.start(&agent, index, BlockKind::Text);
        }
        (agent, partial)
    }

    fn told(frames: Vec<HubFrame>) -> Vec<(u32, u64, String)> {
        let piece = |frame| match frame {
            HubFrame::Delta { index, offset, text, .. } => (index, offset, text),
            other => panic!("no piece: {other:?}"),
        };
        frames.into_iter().map(piece).collect()
    }

    #[test]
    fn the_first_piece_is_told_at_once_and_what_follows_waits_as_long_as_it_may_and_no_longer() {
        let (_, mut partial) = streaming();
        for (at, expected) in [
            (100, Telling::Now),
            (101, Telling::At(Moment(120))),
            (119, Telling::Awaited),
            // Who was to come at 120 is late.
            (121, Telling::Now),
            (121, Telling::At(Moment(141))),
        ] {
            assert_eq!(partial.grow(0, "x", Moment(at)), expected, "at {at}");
        }
        assert!(!partial.is_due(Moment(120)), "it was told at 121");
        assert!(partial.is_due(Moment(141)));
        assert_eq!(partial.grow(0, "x", Moment(142)), Telling::At(Moment(161)));
        assert_eq!(partial.grow(0, "x", Moment(500)), Telling::Now, "after a pause none waits");
    }

    #[test]
    fn pieces_are_joined_block_by_block_and_who_joins_meanwhile_has_none_of_them_twice() {
        let (agent, mut partial) = streaming();
        let mut pieces = Vec::new();
        for (index, text) in [(0, "ä"), (1, "{"), (0, "b"), (1, "}"), (0, "c")] {
            if partial.grow(index, text, Moment(100)) == Telling::Now {
                pieces.extend(told(partial.untold(&agent)));
            }
        }
        assert_eq!(pieces, [(0, 0, "ä".to_owned())]);
        let joined = partial.frames(&agent);
        let texts: Vec<&str> = joined
            .iter()
            .filter_map(|frame| match frame {
                HubFrame::Partial { text, .. } => Some(text.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(texts, ["ä", ""]);
        assert_eq!(told(partial.untold(&agent)), [(0, 2, "bc".to_owned()), (1, 0, "{}".to_owned())]);
        assert_eq!(partial.untold(&agent), []);
    }
}
