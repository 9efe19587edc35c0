//! Inputs that are nearly right.

/// Pieces that mean something somewhere.
const WORDS: [&str; 24] = [
    "data: ",
    "event: error\n",
    "\n\n",
    "\r\n",
    "[DONE]",
    "null",
    "-1",
    "18446744073709551616",
    "1e999",
    "\"\"",
    "{}",
    "[]",
    "\"index\":",
    "\"tool_calls\":",
    "\"usage\":",
    "<tool_call>",
    "</tool_call>",
    "[TOOL_CALL]",
    "```json\n",
    "look|{",
    "<function=look>",
    "\u{feff}",
    "🐙",
    "\\u0000",
];

/// A few changes: bits, cuts, repeats, splices, words.
pub fn mutate(bytes: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut input = bytes.to_vec();
    for _ in 0..=random.below(6) {
        let at = random.below(input.len() + 1);
        let end = at + random.below(40).min(input.len() - at);
        match random.below(7) {
            0 if at < input.len() => input[at] ^= 1 << random.below(8),
            1 => input.truncate(at),
            2 => drop(input.drain(at..end)),
            3 => {
                let piece = input[at..end].to_vec();
                input.splice(at..at, piece);
            }
            4 => {
                let from = random.below(other.len() + 1);
                let to = from + random.below(200).min(other.len() - from);
                input.splice(at..at, other[from..to].iter().copied());
            }
            5 => drop(input.splice(at..at, WORDS[random.below(WORDS.len())].bytes())),
            // A whole event or line once more.
            _ => {
                let from = input[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |found| found + 1);
                let piece = input[from..at].to_vec();
                input.splice(from..from, piece);
            }
        }
    }
    input
}

/// Xorshift, so that a seed says all.
pub struct Random(u64);

impl Random {
    pub fn of(seed: u64) -> Self {
        Self(seed.wrapping_mul(2).wrapping_add(1))
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}
