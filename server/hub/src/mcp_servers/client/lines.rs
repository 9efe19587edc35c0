//! What a program says, line by line, within bounds.

use super::answer::BODY;
use std::io;
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

pub(super) struct Lines<R>(BufReader<R>);

/// What comes next.
#[derive(Debug, PartialEq)]
pub(super) enum Line {
    Whole(Vec<u8>),
    /// It is longer than an answer may be.
    TooLong,
    End,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(super) fn of(said: R) -> Self {
        Self(BufReader::new(said))
    }

    pub(super) async fn next(&mut self) -> io::Result<Line> {
        let mut line = Vec::new();
        loop {
            let part = self.0.fill_buf().await?;
            if part.is_empty() {
                return Ok(if line.is_empty() { Line::End } else { Line::Whole(line) });
            }
            let end = part.iter().position(|byte| *byte == b'\n');
            let taken = &part[..end.unwrap_or(part.len())];
            if line.len() + taken.len() > BODY {
                return Ok(Line::TooLong);
            }
            line.extend_from_slice(taken);
            let read = taken.len() + usize::from(end.is_some());
            self.0.consume(read);
            if end.is_some() {
                return Ok(Line::Whole(line));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn all(said: &[u8]) -> Vec<Line> {
        let (mut lines, mut all) = (Lines::of(said), Vec::new());
        loop {
            let line = lines.next().await.unwrap();
            let is_last = !matches!(line, Line::Whole(_));
            all.push(line);
            if is_last {
                return all;
            }
        }
    }

    #[tokio::test]
    async fn a_program_says_lines_and_none_is_longer_than_an_answer() {
        let whole = |text: &str| Line::Whole(text.into());
        assert_eq!(all(b"").await, [Line::End]);
        assert_eq!(all(b"a\n\nb\r\n").await, [whole("a"), whole(""), whole("b\r"), Line::End]);
        assert_eq!(all(b"a\nb").await, [whole("a"), whole("b"), Line::End]);
        let mut long = vec![b'x'; BODY];
        assert_eq!(all(&long).await.len(), 2);
        long.push(b'x');
        assert_eq!(all(&long).await, [Line::TooLong]);
    }
}
