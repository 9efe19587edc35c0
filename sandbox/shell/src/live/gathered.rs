//! What streams in, gathered until it is shown: a reply comes in hundreds of pieces a second, and each that is shown by
//! itself costs a layout of the page.

use protocol::hub::HubFrame;

/// Milliseconds from one showing to the next: as long as the hub joins what it tells, so that what it joined waits no more.
pub(super) const BETWEEN_MS: f64 = 20.0;
/// Bytes that are shown at once, however little time has passed, and pieces.
const MOST_BYTES: usize = 64 * 1024;
const MOST_PIECES: usize = 1000;

/// Pieces of text in the order in which they came, those of one block as one.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    frames: Vec<HubFrame>,
    bytes: usize,
}

impl Gathered {
    pub(super) fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    pub(super) fn is_full(&self) -> bool {
        self.bytes >= MOST_BYTES || self.frames.len() >= MOST_PIECES
    }

    /// Takes a piece of text. Any other frame is given back: it is not to wait.
    pub(super) fn take(&mut self, frame: HubFrame) -> Option<HubFrame> {
        let HubFrame::Delta { text, .. } = &frame else { return Some(frame) };
        self.bytes += text.len();
        if let Some(last) = self.frames.last_mut()
            && goes_on(last, &frame)
            && let (HubFrame::Delta { text: whole, .. }, HubFrame::Delta { text, .. }) = (last, &frame)
        {
            whole.push_str(text);
        } else {
            self.frames.push(frame);
        }
        None
    }

    pub(super) fn drain(&mut self) -> Vec<HubFrame> {
        self.bytes = 0;
        std::mem::take(&mut self.frames)
    }
}

/// Whether the second piece begins where the first one ends.
fn goes_on(first: &HubFrame, second: &HubFrame) -> bool {
    let (
        HubFrame::Delta { agent, run, turn, index, offset, text },
        HubFrame::Delta {
            agent: its_agent,
            run: its_run,
            turn: its_turn,
            index: its_index,
            offset: its_offset,
            text: _,
        },
    ) = (first, second)
    else {
        return false;
    };
    (agent, run, turn, index) == (its_agent, its_run, its_turn, its_index)
        && offset + text.len() as u64 == *its_offset
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::{AgentId, RunId};

    fn piece(index: u32, offset: u64, text: &str) -> HubFrame {
        let (agent, run) = (AgentId("a".to_owned()), RunId("r".to_owned()));
        HubFrame::Delta { agent, run, turn: 0, index, offset, text: text.to_owned() }
    }

    #[test]
    fn pieces_that_follow_each_other_are_one() {
        let mut gathered = Gathered::default();
        for frame in
            [piece(0, 0, "ä"), piece(0, 2, "bc"), piece(1, 0, "d"), piece(1, 1, "e"), piece(0, 4, "f")]
        {
            assert!(gathered.take(frame).is_none());
        }
        assert_eq!(gathered.drain(), [piece(0, 0, "äbc"), piece(1, 0, "de"), piece(0, 4, "f")]);
        assert!(gathered.is_empty());
    }

    #[test]
    fn behind_a_gap_or_before_an_overlap_a_new_one_begins() {
        let mut gathered = Gathered::default();
        for frame in [piece(0, 0, "ab"), piece(0, 3, "c"), piece(0, 3, "cd")] {
            assert!(gathered.take(frame).is_none());
        }
        assert_eq!(gathered.drain().len(), 3);
    }

    #[test]
    fn whatever_is_no_piece_of_text_does_not_wait() {
        assert_eq!(Gathered::default().take(HubFrame::Pong), Some(HubFrame::Pong));
    }

    #[test]
    fn so_much_at_once_is_shown_at_once() {
        let mut gathered = Gathered::default();
        assert!(gathered.take(piece(0, 0, &"a".repeat(MOST_BYTES - 1))).is_none() && !gathered.is_full());
        assert!(gathered.take(piece(0, MOST_BYTES as u64 - 1, "b")).is_none() && gathered.is_full());
        gathered.drain();
        assert!(!gathered.is_full());
    }
}
