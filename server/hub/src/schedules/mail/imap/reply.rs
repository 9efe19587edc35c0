//! Replies of a server of IMAP, as flat lists of what stands in them.

use crate::outbound::Connection;
use tokio::io::{AsyncReadExt, BufReader};

/// Bytes of a line, of what it announces, and of everything that one connection brings.
const LINE: usize = 256 * 1024;
const TEXT: usize = 1024 * 1024;
const ALL: usize = 16 * 1024 * 1024;
/// What a word costs of that beside its bytes: as many as keeping it takes.
const WORD: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// The connection ended.
    Cut,
    TooMuch,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Ok,
    /// Or bad.
    No,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Word(String),
    /// In quotes, or counted.
    Text(Vec<u8>),
}

/// One reply. Parentheses only part what is in it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Reply(Vec<Token>);

impl Reply {
    pub(super) fn word(&self, place: usize) -> Option<&str> {
        match self.0.get(place)? {
            Token::Word(word) => Some(word),
            Token::Text(_) => None,
        }
    }

    /// What comes from this place on, as far as it is numbers.
    pub(super) fn numbers(&self, place: usize) -> impl Iterator<Item = i64> {
        (place..self.0.len()).map_while(|place| number(self.word(place)?))
    }

    /// Of `* OK [UIDNEXT 4392] …` the number.
    pub(super) fn coded_number(&self, name: &str) -> Option<i64> {
        let is_code = self.word(2)?.strip_prefix('[')?.eq_ignore_ascii_case(name);
        if is_code { number(self.word(3)?.trim_end_matches(']')) } else { None }
    }

    pub(super) fn number_after(&self, name: &str) -> Option<i64> {
        number(self.word(self.place_of(name)? + 1)?)
    }

    /// The text that follows a word that begins so.
    pub(super) fn into_text_after(mut self, name: &str) -> Option<Vec<u8>> {
        let place = self.place_of(name)? + 1;
        match self.0.get_mut(place)? {
            Token::Text(text) => Some(std::mem::take(text)),
            Token::Word(_) => None,
        }
    }

    fn place_of(&self, name: &str) -> Option<usize> {
        let is_it = |word: &str| word.get(..name.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(name));
        (0..self.0.len()).find(|place| self.word(*place).is_some_and(is_it))
    }
}

/// What identifies mails is positive, and 32 bits long.
fn number(word: &str) -> Option<i64> {
    word.parse::<u32>().ok().map(i64::from)
}

pub(super) struct Reader {
    connection: BufReader<Box<dyn Connection>>,
    left: usize,
}

impl Reader {
    pub(super) fn new(connection: Box<dyn Connection>) -> Self {
        Self { connection: BufReader::new(connection), left: ALL }
    }

    pub(super) fn connection(&mut self) -> &mut Box<dyn Connection> {
        self.connection.get_mut()
    }

    /// Fails where more came already than was read.
    pub(super) fn into_connection(self) -> Result<Box<dyn Connection>, Trouble> {
        if self.connection.buffer().is_empty() { Ok(self.connection.into_inner()) } else { Err(Trouble::Cut) }
    }

    pub(super) async fn next(&mut self) -> Result<Reply, Trouble> {
        let mut reply = Reply::default();
        loop {
            let line = self.line().await?;
            let (line, announced) = announced(&line);
            let before = reply.0.len();
            tokens(line, &mut reply.0);
            self.spend(WORD * (reply.0.len() - before))?;
            let Some(length) = announced else { return Ok(reply) };
            reply.0.push(Token::Text(self.text(length).await?));
        }
    }

    /// Without its end.
    async fn line(&mut self) -> Result<Vec<u8>, Trouble> {
        let mut line = Vec::new();
        loop {
            let byte = self.connection.read_u8().await.map_err(|_| Trouble::Cut)?;
            self.spend(1)?;
            match byte {
                b'\n' => break,
                _ if line.len() == LINE => return Err(Trouble::TooMuch),
                byte => line.push(byte),
            }
        }
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        Ok(line)
    }

    async fn text(&mut self, length: usize) -> Result<Vec<u8>, Trouble> {
        if length > TEXT {
            return Err(Trouble::TooMuch);
        }
        self.spend(length)?;
        let mut text = Vec::new();
        let length = u64::try_from(length).unwrap_or(u64::MAX);
        (&mut self.connection).take(length).read_to_end(&mut text).await.map_err(|_| Trouble::Cut)?;
        if u64::try_from(text.len()) == Ok(length) { Ok(text) } else { Err(Trouble::Cut) }
    }

    fn spend(&mut self, bytes: usize) -> Result<(), Trouble> {
        self.left = self.left.checked_sub(bytes).ok_or(Trouble::TooMuch)?;
        Ok(())
    }
}

/// The line without the `{42}` at its end, and the 42.
fn announced(line: &[u8]) -> (&[u8], Option<usize>) {
    let length = || {
        let begin = line.iter().rposition(|byte| *byte == b'{')?;
        let digits = line[begin + 1..].strip_suffix(b"}")?;
        let length = std::str::from_utf8(digits).ok()?.trim_end_matches('+').parse().ok()?;
        Some((&line[..begin], length))
    };
    match length() {
        Some((line, length)) => (line, Some(length)),
        None => (line, None),
    }
}

fn tokens(line: &[u8], into: &mut Vec<Token>) {
    let mut rest = line;
    while let Some((first, after)) = rest.split_first() {
        match first {
            b' ' | b'(' | b')' => rest = after,
            b'"' => {
                let (text, after) = in_quotes(after);
                into.push(Token::Text(text));
                rest = after;
            }
            _ => {
                let end = rest.iter().position(|byte| matches!(byte, b' ' | b'(' | b')' | b'"'));
                let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
                into.push(Token::Word(String::from_utf8_lossy(word).into_owned()));
                rest = after;
            }
        }
    }
}

/// What stands up to the quote at its end, and what follows that.
fn in_quotes(line: &[u8]) -> (Vec<u8>, &[u8]) {
    let mut text = Vec::new();
    let mut bytes = line.iter().enumerate();
    while let Some((place, byte)) = bytes.next() {
        match byte {
            b'"' => return (text, &line[place + 1..]),
            b'\\' => text.extend(bytes.next().map(|(_, byte)| *byte)),
            byte => text.push(*byte),
        }
    }
    (text, &[])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    async fn read(bytes: &[u8]) -> Result<Reply, Trouble> {
        Reader::new(Box::new(tokio::io::join(std::io::Cursor::new(bytes.to_vec()), tokio::io::sink())))
            .next()
            .await
    }

    #[tokio::test]
    async fn a_reply_is_read_whichever_way_its_server_writes_it() {
        let fetched = b"* 12 FETCH (FLAGS (\\Seen) UID 7 BODY[]<0> {4}\r\na)\r\n)\r\n";
        let reply = read(fetched).await.unwrap();
        assert_eq!(reply.number_after("uid"), Some(7));
        assert_eq!(reply.into_text_after("BODY[]"), Some(b"a)\r\n".to_vec()));
        let quoted = read(b"* 1 FETCH (BODY[]<0> \"a \\\"b\\\\\" UID 3)\r\n").await.unwrap();
        assert_eq!(
            (quoted.number_after("UID"), quoted.into_text_after("BODY[]")),
            (Some(3), Some(b"a \"b\\".to_vec()))
        );
        let search = read(b"* SEARCH 4 5 6\n").await.unwrap();
        assert_eq!(search.numbers(2).collect::<Vec<_>>(), [4, 5, 6]);
        let code = read(b"* OK [UIDNEXT 4392] Predicted next UID\r\n").await.unwrap();
        assert_eq!((code.coded_number("UIDNEXT"), code.coded_number("UIDVALIDITY")), (Some(4392), None));
        assert_eq!(read(b"* 1 FETCH (BODY[] NIL)\r\n").await.unwrap().into_text_after("BODY[]"), None);
    }

    #[tokio::test]
    async fn what_is_too_much_or_cut_is_no_reply() {
        let endless = [b'('; LINE + 2];
        for (bytes, expected) in [
            (&b"* OK"[..], Trouble::Cut),
            (b"* 1 FETCH (BODY[] {10}\r\nabc", Trouble::Cut),
            (b"* 1 FETCH (BODY[] {99999999}\r\n", Trouble::TooMuch),
            (&endless, Trouble::TooMuch),
        ] {
            assert_eq!(read(bytes).await.unwrap_err(), expected);
        }
        // However deep it is, it is as long as it is.
        let deep = [vec![b'('; 200_000], b"\r\n".to_vec()].concat();
        assert_eq!(read(&deep).await.unwrap(), Reply::default());
        let words = [b"* a".to_vec(), b" a".repeat(LINE / 2 - 8), b"\r\n".to_vec()].concat().repeat(3);
        let mut reader =
            Reader::new(Box::new(tokio::io::join(std::io::Cursor::new(words), tokio::io::sink())));
        reader.next().await.unwrap();
        assert_eq!(
            reader.next().await.unwrap_err(),
            Trouble::TooMuch,
            "short words cost more than their bytes"
        );
        let many = b"{1}\r\nx".repeat(ALL / 6 + 2);
        assert_eq!(read(&many).await.unwrap_err(), Trouble::TooMuch);
    }

    proptest! {
        #[test]
        fn no_line_breaks_the_reader(line in prop::collection::vec(any::<u8>(), 0..200)) {
            let mut found = Vec::new();
            let (line, _) = announced(&line);
            tokens(line, &mut found);
            prop_assert!(found.len() <= line.len());
        }
    }
}
