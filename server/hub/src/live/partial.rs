//! The blocks of a reply while it is streamed.

use protocol::hub::HubFrame;
use protocol::model::BlockKind;
use protocol::{AgentId, RunId};
use std::collections::BTreeMap;

pub(super) struct Partial {
    run: RunId,
    turn: u32,
    blocks: BTreeMap<u32, (BlockKind, String)>,
}

impl Partial {
    pub(super) fn new(run: RunId, turn: u32) -> Self {
        Self { run, turn, blocks: BTreeMap::new() }
    }

    pub(super) fn is_other(&self, run: &RunId, turn: u32) -> bool {
        self.run != *run || self.turn != turn
    }

    pub(super) fn start(&mut self, agent: &AgentId, index: u32, kind: BlockKind) -> HubFrame {
        self.blocks.insert(index, (kind.clone(), String::new()));
        self.frame(agent, index, kind, String::new())
    }

    pub(super) fn grow(&mut self, agent: &AgentId, index: u32, more: &str) -> Option<HubFrame> {
        let (_, text) = self.blocks.get_mut(&index)?;
        let offset = text.len() as u64;
        text.push_str(more);
        Some(HubFrame::Delta {
            agent: agent.clone(),
            run: self.run.clone(),
            turn: self.turn,
            index,
            offset,
            text: more.to_owned(),
        })
    }

    pub(super) fn finish(&mut self, turn: u32, index: u32) {
        if self.turn == turn {
            self.blocks.remove(&index);
        }
    }

    pub(super) fn frames(&self, agent: &AgentId) -> Vec<HubFrame> {
        self.blocks
            .iter()
            .map(|(&index, (kind, text))| self.frame(agent, index, kind.clone(), text.clone()))
            .collect()
    }

    fn frame(&self, agent: &AgentId, index: u32, kind: BlockKind, text: String) -> HubFrame {
        HubFrame::Partial { agent: agent.clone(), run: self.run.clone(), turn: self.turn, index, kind, text }
    }
}
