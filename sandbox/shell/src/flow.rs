//! Text on its way from a model server to the worker: when it was asked for, and in as few messages as
//! that allows.

/// Between two messages. Each costs the worker several of its own, and a frame that floods is taken away.
const PAUSE_MS: f64 = 10.0;
/// What may wait for the worker before no more is read.
const FULL: usize = 256 * 1024;

#[derive(Debug, Default)]
pub struct Flow {
    bytes: Vec<u8>,
    is_over: bool,
    is_wanted: bool,
    last: f64,
}

#[derive(Debug, PartialEq)]
pub enum FlowStep {
    Nothing,
    /// Nothing before so many milliseconds are over.
    After(f64),
    Text(String),
    End,
}

impl Flow {
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// No more comes.
    pub fn end(&mut self) {
        self.is_over = true;
    }

    /// The worker has taken in what it got.
    pub fn want(&mut self) {
        self.is_wanted = true;
    }

    pub fn has_room(&self) -> bool {
        !self.is_over && self.bytes.len() < FULL
    }

    /// What to do now; what it gives out is gone from here.
    pub fn step(&mut self, now: f64) -> FlowStep {
        if !self.is_wanted || (self.bytes.is_empty() && !self.is_over) {
            return FlowStep::Nothing;
        }
        let wait = (self.last + PAUSE_MS - now).min(PAUSE_MS);
        if wait > 0.0 {
            return FlowStep::After(wait);
        }
        let text = self.take_text();
        if text.is_empty() && !self.is_over {
            return FlowStep::Nothing;
        }
        self.is_wanted = false;
        self.last = now;
        if text.is_empty() { FlowStep::End } else { FlowStep::Text(text) }
    }

    /// All whole characters. One that is cut waits for its rest.
    fn take_text(&mut self) -> String {
        let whole = match std::str::from_utf8(&self.bytes) {
            Err(error) if error.error_len().is_none() && !self.is_over => error.valid_up_to(),
            Ok(_) | Err(_) => self.bytes.len(),
        };
        let rest = self.bytes.split_off(whole);
        let taken = std::mem::replace(&mut self.bytes, rest);
        String::from_utf8_lossy(&taken).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> FlowStep {
        FlowStep::Text(text.to_owned())
    }

    #[test]
    fn nothing_goes_out_that_was_not_asked_for() {
        let mut flow = Flow::default();
        flow.push(b"one");
        assert_eq!(flow.step(100.0), FlowStep::Nothing);
        flow.want();
        assert_eq!(flow.step(100.0), text("one"));
        flow.push(b"two");
        assert_eq!(flow.step(200.0), FlowStep::Nothing);
    }

    #[test]
    fn what_comes_fast_goes_out_together() {
        let mut flow = Flow::default();
        flow.want();
        flow.push(b"one");
        assert_eq!(flow.step(100.0), text("one"));
        flow.want();
        flow.push(b"two");
        assert_eq!(flow.step(104.0), FlowStep::After(6.0));
        flow.push(b"three");
        assert_eq!(flow.step(110.0), text("twothree"));
        flow.want();
        flow.push(b"back");
        assert_eq!(
            flow.step(0.0),
            FlowStep::After(10.0),
            "a clock that was set back holds up nothing for long"
        );
    }

    #[test]
    fn a_character_that_is_cut_waits_for_its_rest() {
        let mut flow = Flow::default();
        flow.want();
        flow.push(&"ü".as_bytes()[..1]);
        assert_eq!(flow.step(100.0), FlowStep::Nothing);
        flow.push(&"ü".as_bytes()[1..]);
        assert_eq!(flow.step(100.0), text("ü"));
        flow.want();
        flow.push(&[b'a', 0xff, b'b']);
        assert_eq!(flow.step(200.0), text("a\u{fffd}b"));
        flow.want();
        flow.push(&"ü".as_bytes()[..1]);
        flow.end();
        assert_eq!(flow.step(300.0), text("\u{fffd}"));
    }

    #[test]
    fn the_end_comes_behind_the_last_word() {
        let mut flow = Flow::default();
        flow.push(b"last");
        flow.end();
        flow.want();
        assert_eq!(flow.step(100.0), text("last"));
        assert_eq!(flow.step(200.0), FlowStep::Nothing);
        flow.want();
        assert_eq!(flow.step(200.0), FlowStep::End);
    }

    #[test]
    fn a_worker_that_does_not_keep_up_stops_the_reading() {
        let mut flow = Flow::default();
        assert!(flow.has_room());
        flow.push(&vec![b'a'; FULL]);
        assert!(!flow.has_room());
        flow.want();
        assert!(matches!(flow.step(100.0), FlowStep::Text(_)));
        assert!(flow.has_room());
        flow.end();
        assert!(!flow.has_room());
    }
}
