//! A number that stands for how far a run has come.

use super::Run;
use crate::context;
use std::io;

impl Run {
    /// The same for two runs that go on the same way: that of a driver which leaves is that of the next
    /// one, which resumes from the log. Stable across builds and machines.
    pub fn fingerprint(&self) -> u64 {
        let mut history = self.history.clone();
        let request = context::request(&self.spec, &mut history);
        let unread = self.history.unread();
        // A run that is over writes nothing more.
        let ordinal = (!self.is_finished()).then_some(self.ordinal);
        let state = (&self.id, ordinal, self.whole_turns(), unread, request);
        let mut hash = Fnv(OFFSET);
        serde_json::to_writer(&mut hash, &state).expect("plain values serialise, and hashing never fails");
        hash.0
    }
}

const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0100_0000_01b3;

/// FNV-1a.
struct Fnv(u64);

impl io::Write for Fnv {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(PRIME);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
