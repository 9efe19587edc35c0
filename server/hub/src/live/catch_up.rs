//! Entries on their way from the log to a tab that is behind: a bounded part of them at a time, however
//! long the log is and however often the tab asks for it.

use super::tab::Frame;
use crate::error::{Error, Result};
use crate::log::{packed, stored};
use crate::store::{Store, query};
use futures_util::TryStreamExt;
use protocol::AgentId;
use protocol::hub::HubFrame;
use protocol::log::Entry;
use std::collections::{HashMap, VecDeque};

/// Entries read from the log at a time, and bytes of frames after which no more of them are read.
const PAGE: usize = 100;
const MAX_PART_BYTES: usize = 1024 * 1024;

/// What a tab follows, and how far it is.
#[derive(Default)]
pub(super) struct Following {
    agents: HashMap<AgentId, FollowPosition>,
    /// Agents of which the log has to be read before anything live is handed out.
    behind: VecDeque<AgentId>,
    /// What was read and not handed out, and of which agent.
    page: VecDeque<(AgentId, Frame)>,
}

#[derive(Clone, Copy)]
struct FollowPosition {
    /// The newest entry that was read.
    seq: u64,
    /// The tab was told that its feed begins.
    is_announced: bool,
    /// The tab was told that it is up to date.
    is_caught_up: bool,
}

/// A part of a log.
pub(super) struct Part {
    frames: Vec<Frame>,
    /// Nothing is behind it.
    is_last: bool,
}

/// What comes next, and where it comes from.
pub(super) enum Next {
    Frame(Frame),
    /// More of this agent's log has to be read.
    Read(AgentId, u64),
    /// All that was read is handed out.
    Live,
}

/// What an event of an agent is to a tab.
pub(super) enum Fresh {
    Yes,
    /// The tab has it, or does not follow the agent.
    No,
    /// Something is missing before it.
    Behind,
}

impl Following {
    /// Follows the agent from `after` on, whatever was asked of it before.
    pub(super) fn begin(&mut self, agent: &AgentId, after: u64) {
        self.end(agent);
        self.agents
            .insert(agent.clone(), FollowPosition { seq: after, is_announced: false, is_caught_up: false });
        self.behind.push_back(agent.clone());
    }

    pub(super) fn end(&mut self, agent: &AgentId) {
        self.agents.remove(agent);
        self.page.retain(|(other, _)| other != agent);
        self.behind.retain(|other| other != agent);
    }

    pub(super) fn next(&mut self) -> Next {
        if let Some((_, frame)) = self.page.pop_front() {
            return Next::Frame(frame);
        }
        match self.wanted() {
            Some((agent, seq)) => Next::Read(agent, seq),
            None => Next::Live,
        }
    }

    /// The agent whose log has to be read now, and after which entry. Nothing while something read waits.
    pub(super) fn wanted(&self) -> Option<(AgentId, u64)> {
        let agent = self.behind.front().filter(|_| self.page.is_empty())?;
        Some((agent.clone(), self.agents.get(agent).map_or(0, |place| place.seq)))
    }

    /// Takes what was read of the log after the place of an agent, where it was [`Self::wanted`].
    pub(super) fn take(&mut self, agent: &AgentId, part: Part, partials: impl FnOnce() -> Vec<Frame>) {
        let Some(place) = self.agents.get_mut(agent) else { return };
        if !std::mem::replace(&mut place.is_announced, true) {
            let subscribed = HubFrame::Subscribed { agent: agent.clone(), after: place.seq };
            self.page.push_back((agent.clone(), Frame::of(&subscribed)));
        }
        if let Some(seq) = part.frames.iter().rev().find_map(|frame| frame.seq) {
            place.seq = seq;
        }
        self.page.extend(part.frames.into_iter().map(|frame| (agent.clone(), frame)));
        if !part.is_last {
            return;
        }
        self.behind.retain(|other| other != agent);
        if !std::mem::replace(&mut place.is_caught_up, true) {
            let caught_up = HubFrame::CaughtUp { agent: agent.clone(), seq: place.seq };
            let frames = std::iter::once(Frame::of(&caught_up)).chain(partials());
            self.page.extend(frames.map(|frame| (agent.clone(), frame)));
        }
    }

    /// Notes an event that has come live, with its `seq` if it is an entry.
    pub(super) fn note(&mut self, agent: &AgentId, seq: Option<u64>) -> Fresh {
        let Some(place) = self.agents.get_mut(agent) else { return Fresh::No };
        match seq {
            None => Fresh::Yes,
            Some(seq) if seq <= place.seq => Fresh::No,
            Some(seq) if seq > place.seq + 1 => {
                self.behind.push_back(agent.clone());
                Fresh::Behind
            }
            Some(seq) => {
                place.seq = seq;
                Fresh::Yes
            }
        }
    }
}

/// The entries after `seq` as frames, as many as are read at a time. Of a conversation that is damaged stands in words,
/// where it begins, that it is.
pub(super) async fn read(store: &Store, agent: &AgentId, seq: u64) -> Result<Part> {
    let first = packed::first_after(store, agent, stored(seq)).await?;
    let part = read_rows(store, agent, seq).await?;
    let last = part.frames.last().and_then(|frame| frame.seq).filter(|_| !part.is_last);
    let upto = last.map_or(i64::MAX, stored);
    let brought = packed::bring_back_between(store, agent, first, stored(seq), upto).await?;
    let part = if brought.came { read_rows(store, agent, seq).await? } else { part };
    let mut part = part.with(brought.read);
    for damaged in brought.damaged {
        let begins_before = |frame: &Frame| frame.seq.is_none_or(|seq| stored(seq) < damaged.first);
        let at = part.frames.partition_point(begins_before);
        // It is told once, and not again to whoever is past its beginning.
        if damaged.first > stored(seq) && (at < part.frames.len() || part.is_last) {
            let failure = Error::from(damaged).into_failure();
            part.frames.insert(at, Frame::of(&HubFrame::Refused { failure }));
        }
    }
    Ok(part)
}

impl Part {
    /// With these entries in their places, which are no rows, each with the bytes of its body.
    fn with(mut self, read: Vec<(usize, Entry)>) -> Self {
        // What comes behind rows that are not read yet comes with them.
        let end = self.frames.last().and_then(|last| last.seq).filter(|_| !self.is_last);
        let mut bytes = 0;
        for (size, entry) in read.into_iter().filter(|(_, entry)| end.is_none_or(|end| entry.seq < end)) {
            if bytes >= MAX_PART_BYTES {
                self.frames.retain(|before| before.seq < Some(entry.seq));
                self.is_last = false;
                break;
            }
            bytes += size;
            self.frames.push(Frame::of(&HubFrame::Entry { entry }));
        }
        self.frames.sort_by_key(|frame| frame.seq);
        self.is_last &= self.frames.len() < PAGE;
        self.frames.truncate(PAGE);
        self
    }
}

async fn read_rows(store: &Store, agent: &AgentId, seq: u64) -> Result<Part> {
    let mut entries = query(
        "SELECT agent_id, seq, at, conversation_id, run_id, body FROM entries
         WHERE agent_id = $1 AND seq > $2 ORDER BY seq LIMIT $3",
        (agent, stored(seq), PAGE),
    )
    .fetch(store.read())?;
    let (mut frames, mut bytes) = (Vec::new(), 0);
    while bytes < MAX_PART_BYTES {
        let Some(entry) = entries.try_next().await? else {
            let is_last = frames.len() < PAGE;
            return Ok(Part { frames, is_last });
        };
        let frame = Frame::of(&HubFrame::Entry { entry });
        bytes += frame.text.len();
        frames.push(frame);
    }
    Ok(Part { frames, is_last: false })
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;
    use protocol::log::{EntryBody, Sender};

    fn part(seqs: std::ops::RangeInclusive<u64>) -> Part {
        let frames = seqs.map(|seq| Frame { seq: Some(seq), text: Bytes::new() }).collect();
        Part { frames, is_last: false }
    }

    #[test]
    fn what_is_no_row_stands_in_its_place_and_behind_no_row_that_is_not_read_yet() {
        let entry = |seq: u64, bytes: usize| {
            let body = EntryBody::said(Sender::Devices, String::new());
            (bytes, Entry { agent: "one".into(), seq, at: 1, conversation: None, run: None, body })
        };
        let seqs = |part: &Part| part.frames.iter().filter_map(|frame| frame.seq).collect::<Vec<_>>();
        let rows = |is_last| Part {
            is_last,
            frames: [part(2..=3), part(6..=7)].into_iter().flat_map(|part| part.frames).collect(),
        };
        let read = || vec![entry(1, 1), entry(5, 1), entry(9, 1)];
        for (is_last, expected) in [(true, vec![1, 2, 3, 5, 6, 7, 9]), (false, vec![1, 2, 3, 5, 6, 7])] {
            let whole = rows(is_last).with(read());
            assert_eq!((seqs(&whole), whole.is_last), (expected, is_last));
        }
        let cut = rows(true).with(vec![entry(1, 1), entry(4, MAX_PART_BYTES), entry(5, 1), entry(9, 1)]);
        assert_eq!((seqs(&cut), cut.is_last), (vec![1, 2, 3, 4], false));
        let many = rows(true).with((10..=200).map(|seq| entry(seq, 1)).collect());
        assert_eq!((many.frames.len(), many.is_last), (PAGE, false));
    }

    #[test]
    fn however_often_a_tab_asks_for_the_log_one_page_of_it_waits() {
        let mut following = Following::default();
        let (one, other) = (AgentId::from("one"), AgentId::from("other"));
        for _ in 0..1_000 {
            for agent in [&one, &other] {
                following.begin(agent, 0);
                if let Next::Read(agent, _) = following.next() {
                    following.take(&agent, part(1..=100), Vec::new);
                }
                // With the frame that begins it.
                assert!(following.page.len() <= 101, "{}", following.page.len());
            }
        }
        assert_eq!((following.behind.len(), following.agents.len()), (2, 2));
    }

    #[test]
    fn a_second_subscription_takes_the_place_of_the_first() {
        let mut following = Following::default();
        let agent = AgentId::from("one");
        following.begin(&agent, 0);
        following.take(&agent, part(1..=3), Vec::new);
        following.begin(&agent, 1);
        let Next::Read(_, 1) = following.next() else { panic!("the first one goes on") };
        following.take(&agent, part(2..=3), Vec::new);
        let mut seqs = Vec::new();
        while let Next::Frame(frame) = following.next() {
            seqs.push(frame.seq);
        }
        assert_eq!(seqs, [None, Some(2), Some(3)], "it begins, and has what is behind its place");
        following.take(&agent, Part { frames: Vec::new(), is_last: true }, Vec::new);
        assert!(matches!(following.next(), Next::Frame(Frame { seq: None, .. })));
        assert!(matches!(following.next(), Next::Live));
    }
}
