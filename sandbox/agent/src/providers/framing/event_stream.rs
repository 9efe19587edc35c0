//! Messages of `application/vnd.amazon.eventstream` out of bytes that are cut anywhere: total length
//! and length of the headers (four bytes each, the highest first), CRC-32 of these eight bytes, the
//! headers, the payload, CRC-32 of all that came before.
//! <https://docs.aws.amazon.com/lexv2/latest/dg/event-stream-encoding.html>

use super::{EVENT_LIMIT, Event, Frame};
use protocol::words;

const PRELUDE: usize = 12;
const CHECKSUM: usize = 4;
const SMALLEST: usize = PRELUDE + CHECKSUM;

#[derive(Debug, Default)]
pub struct Parser {
    message: Vec<u8>,
    is_broken: bool,
}

impl Parser {
    pub(in crate::providers) fn push(&mut self, bytes: &[u8]) -> Vec<Frame> {
        let mut frames = Vec::new();
        let mut rest = bytes;
        while !self.is_broken {
            let wanted = match self.wanted() {
                Ok(wanted) => wanted,
                Err(frame) => {
                    self.is_broken = true;
                    frames.push(frame);
                    return frames;
                }
            };
            let (piece, later) = rest.split_at(rest.len().min(wanted - self.message.len()));
            self.message.extend_from_slice(piece);
            rest = later;
            if self.message.len() < wanted {
                break;
            }
            if wanted > PRELUDE {
                let frame = read(&std::mem::take(&mut self.message));
                self.is_broken = !matches!(frame, Frame::Event(_));
                frames.push(frame);
            }
        }
        frames
    }

    /// How many bytes make the next step possible: the length, the prelude, or the whole message.
    fn wanted(&self) -> Result<usize, Frame> {
        let Some(total) = number(&self.message, 0) else { return Ok(4) };
        let total = total as usize;
        if total < SMALLEST {
            return Err(Frame::Corrupt(words!("a message is shorter than its own frame")));
        }
        if total > EVENT_LIMIT {
            return Err(Frame::TooLarge);
        }
        if self.message.len() < PRELUDE {
            return Ok(PRELUDE);
        }
        if number(&self.message, 8) != Some(crc32(&self.message[..8])) {
            return Err(Frame::Corrupt(words!("the checksum of a message's length is wrong")));
        }
        Ok(total)
    }
}

fn read(message: &[u8]) -> Frame {
    let (covered, checksum) = message.split_at(message.len() - CHECKSUM);
    if number(checksum, 0) != Some(crc32(covered)) {
        return Frame::Corrupt(words!("the checksum of a message is wrong"));
    }
    let length = number(message, 4).unwrap_or_default() as usize;
    let Some((headers, payload)) = covered[PRELUDE..].split_at_checked(length) else {
        return Frame::Corrupt(words!("a message's headers are longer than the message"));
    };
    let Some(kind) = read_headers(headers) else {
        return Frame::Corrupt(words!("a message's headers cannot be read"));
    };
    let data = match kind.error {
        // Errors outside the service's model have no payload.
        Some(error) if payload.is_empty() => serde_json::json!({ "message": error }).to_string(),
        _ => String::from_utf8_lossy(payload).into_owned(),
    };
    Frame::Event(Event { name: kind.name, data, whole: true })
}

#[derive(Default)]
struct Kind {
    /// Of the event, the exception or the error.
    name: String,
    error: Option<String>,
}

/// Headers are a name (one byte of length), one byte of type, and a value. `None` where they break
/// off or have a type that does not exist.
fn read_headers(bytes: &[u8]) -> Option<Kind> {
    let mut kind = Kind::default();
    let mut rest = bytes;
    while let Some((length, after)) = rest.split_first() {
        let (name, after) = after.split_at_checked(usize::from(*length))?;
        let (type_of, after) = after.split_first()?;
        let (value, after) = match type_of {
            0 | 1 => after.split_at_checked(0),
            2 => after.split_at_checked(1),
            3 => after.split_at_checked(2),
            4 => after.split_at_checked(4),
            5 | 8 => after.split_at_checked(8),
            6 | 7 => {
                let (length, after) = after.split_at_checked(2)?;
                after.split_at_checked(usize::from(u16::from_be_bytes([length[0], length[1]])))
            }
            9 => after.split_at_checked(16),
            _ => None,
        }?;
        let text = || String::from_utf8_lossy(value).into_owned();
        match name {
            b":event-type" | b":exception-type" | b":error-code" => kind.name = text(),
            b":error-message" => kind.error = Some(text()),
            _ => {}
        }
        rest = after;
    }
    Some(kind)
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at + 4)?;
    Some(u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
}

/// CRC-32 as in gzip.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| TABLE[((crc ^ u32::from(*byte)) & 0xff) as usize] ^ (crc >> 8))
}

const TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { 0xedb8_8320 ^ (crc >> 1) } else { crc >> 1 };
            bit += 1;
        }
        table[byte] = crc;
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests;
