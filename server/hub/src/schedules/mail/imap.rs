//! As much of IMAP (RFC 3501) as it takes to read what is new in one folder. What a server sends is read flat, so
//! that no depth of it costs anything, and in all no more than one look may bring.

mod reply;

use crate::outbound::{Connection, Outbound, OutboundError, seal};
use crate::vault::Secret;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use protocol::schedule::{MailSeal, Mailbox};
use reply::{Reader, Reply, Status, Trouble};
use thiserror::Error;
use tokio::io::AsyncWriteExt;

/// Why a look was in vain, in words for whoever's mailbox it is.
#[derive(Debug, Error)]
pub(super) enum LookError {
    /// It may go another time.
    #[error("{0}")]
    NotYet(String),
    /// Somebody has to do something.
    #[error("{0}")]
    Refused(String),
}

/// A connection that is signed in.
pub(super) struct Session {
    reader: Reader,
    place: String,
    /// Commands that were sent.
    sent: u32,
}

/// A folder as it was when it was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Folder {
    pub(super) uid_validity: i64,
    /// The number that the next mail gets, where the server says.
    pub(super) uid_next: Option<i64>,
}

impl Session {
    pub(super) async fn open(
        outbound: &Outbound,
        mailbox: &Mailbox,
        password: &Secret,
    ) -> Result<Self, LookError> {
        let place = mailbox.server.clone();
        let (host, port) = super::account::split(&mailbox.server).ok_or_else(|| {
            LookError::Refused(format!("{place} is no address of a server. Enter it again."))
        })?;
        let connection: Box<dyn Connection> = Box::new(outbound.dial(host, port).await.map_err(unreached)?);
        let connection = match mailbox.seal {
            MailSeal::Tls => seal(host, port, connection).await.map_err(unreached)?,
            MailSeal::Starttls | MailSeal::None => connection,
        };
        let mut session = Self { reader: Reader::new(connection), place, sent: 0 };
        session.greet().await?;
        if mailbox.seal == MailSeal::Starttls {
            let done = session.command("STARTTLS").await?;
            if done.status != Status::Ok {
                return Err(LookError::Refused(format!(
                    "{} seals no connection that began open (STARTTLS). Choose TLS from the beginning.",
                    session.place
                )));
            }
            // What came before the seal was anybody's.
            let open =
                session.reader.into_connection().map_err(|trouble| trouble_at(&session.place, trouble))?;
            session.reader = Reader::new(seal(host, port, open).await.map_err(unreached)?);
        }
        session.sign_in(&mailbox.user, password).await?;
        Ok(session)
    }

    async fn greet(&mut self) -> Result<(), LookError> {
        let greeting = self.read().await?;
        match (greeting.word(0), greeting.word(1)) {
            (Some("*"), Some("OK")) => Ok(()),
            (Some("*"), Some("BYE")) => {
                Err(LookError::NotYet(format!("{} takes nobody in right now.", self.place)))
            }
            _ => Err(LookError::NotYet(format!("{} does not answer as a server for mail does.", self.place))),
        }
    }

    async fn sign_in(&mut self, user: &str, password: &Secret) -> Result<(), LookError> {
        let is_plain = |text: &str| text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
        let done = if is_plain(user) && is_plain(password.expose()) {
            let login = Secret::new(format!("LOGIN {} {}", quoted(user), quoted(password.expose())));
            self.command(login.expose()).await?
        } else {
            let both = Secret::new(format!("\0{user}\0{}", password.expose()));
            let answer = Secret::new(STANDARD.encode(both.expose()));
            self.command_with("AUTHENTICATE PLAIN", Some(answer.expose())).await?
        };
        if done.status == Status::Ok {
            return Ok(());
        }
        Err(match done.code() {
            Some("UNAVAILABLE" | "INUSE" | "LIMIT" | "SERVERBUG") => {
                LookError::NotYet(format!("{} takes nobody in right now.", self.place))
            }
            _ => LookError::Refused(format!(
                "{} takes neither this account nor this password. Enter both again under Edit. Many services want a password that is made for programs.",
                self.place
            )),
        })
    }

    /// Opens a folder, so that mails in it can be marked.
    pub(super) async fn select(&mut self, folder: &str) -> Result<Folder, LookError> {
        let done = self.command(&format!("SELECT {}", quoted(&encoded(folder)))).await?;
        if done.status != Status::Ok {
            return Err(LookError::Refused(format!(
                "The mailbox has no folder {folder}, or it cannot be opened. Enter its name under Edit as the server writes it; INBOX is always there."
            )));
        }
        let number = |name| done.replies.iter().rev().find_map(|reply| reply.coded_number(name));
        let uid_validity = number("UIDVALIDITY").ok_or_else(|| {
            LookError::Refused(format!(
                "{} does not number its mails, so none could be told from those that were read. Use another server.",
                self.place
            ))
        })?;
        Ok(Folder { uid_validity, uid_next: number("UIDNEXT") })
    }

    /// Numbers of the mails that the criteria find, in order.
    pub(super) async fn search(&mut self, criteria: &str) -> Result<Vec<i64>, LookError> {
        let done = self.command(&format!("UID SEARCH {criteria}")).await?;
        self.require(&done)?;
        let found = done.replies.iter().filter(|reply| reply.word(1) == Some("SEARCH"));
        let mut numbers: Vec<i64> = found.flat_map(|reply| reply.numbers(2)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        Ok(numbers)
    }

    /// The first so many bytes of a mail, as it is, which leaves it unread. `None`: it is gone.
    pub(super) async fn fetch(&mut self, uid: i64, bytes: usize) -> Result<Option<Vec<u8>>, LookError> {
        let done = self.command(&format!("UID FETCH {uid} (UID BODY.PEEK[]<0.{bytes}>)")).await?;
        self.require(&done)?;
        // Where another program just read it, its marks come as a reply of their own.
        let mut of_it = done.replies.into_iter().filter(|reply| reply.number_after("UID") == Some(uid));
        Ok(of_it.find_map(|reply| {
            let mut body = reply.into_text_after("BODY[]")?;
            body.truncate(bytes);
            Some(body)
        }))
    }

    /// Whether it could be.
    pub(super) async fn mark_seen(&mut self, uid: i64) -> Result<bool, LookError> {
        let done = self.command(&format!("UID STORE {uid} +FLAGS.SILENT (\\Seen)")).await?;
        Ok(done.status == Status::Ok)
    }

    /// Says that nothing more comes. What the server says to that is not waited for.
    pub(super) async fn close(mut self) {
        // It may have gone already.
        let _ = self.reader.connection().write_all(b"z LOGOUT\r\n").await;
        let _ = self.reader.connection().shutdown().await;
    }

    async fn command(&mut self, text: &str) -> Result<Done, LookError> {
        self.command_with(text, None).await
    }

    /// Sends a command, what it asks for then, and reads up to its end.
    async fn command_with(&mut self, text: &str, asked_for: Option<&str>) -> Result<Done, LookError> {
        self.sent += 1;
        let tag = format!("a{}", self.sent);
        self.send(&Secret::new(format!("{tag} {text}\r\n"))).await?;
        let mut replies = Vec::new();
        let mut asked_for = asked_for;
        loop {
            let reply = self.read().await?;
            if reply.word(0) == Some(&tag) {
                let status = match reply.word(1) {
                    Some("OK") => Status::Ok,
                    _ => Status::No,
                };
                return Ok(Done { status, end: reply, replies });
            }
            match (reply.word(0), asked_for.take()) {
                (Some("+"), Some(answer)) => self.send(&Secret::new(format!("{answer}\r\n"))).await?,
                (_, not_yet) => {
                    asked_for = not_yet;
                    replies.push(reply);
                }
            }
        }
    }

    fn require(&self, done: &Done) -> Result<(), LookError> {
        match done.status {
            Status::Ok => Ok(()),
            Status::No => Err(LookError::NotYet(format!("{} does not do what it was asked.", self.place))),
        }
    }

    async fn send(&mut self, text: &Secret) -> Result<(), LookError> {
        let connection = self.reader.connection();
        let sent = async {
            connection.write_all(text.expose().as_bytes()).await?;
            connection.flush().await
        };
        sent.await.map_err(|_| trouble_at(&self.place, Trouble::Cut))
    }

    async fn read(&mut self) -> Result<Reply, LookError> {
        self.reader.next().await.map_err(|trouble| trouble_at(&self.place, trouble))
    }
}

/// A command that came to its end.
struct Done {
    status: Status,
    end: Reply,
    replies: Vec<Reply>,
}

impl Done {
    /// Of `NO [UNAVAILABLE] …` the word in brackets.
    fn code(&self) -> Option<&str> {
        Some(self.end.word(2)?.strip_prefix('[')?.trim_end_matches(']'))
    }
}

fn trouble_at(place: &str, trouble: Trouble) -> LookError {
    LookError::NotYet(match trouble {
        Trouble::Cut => format!("{place} closed the connection in the middle of it."),
        Trouble::TooMuch => format!("{place} sent more than a look may bring."),
    })
}

fn unreached(error: OutboundError) -> LookError {
    match error {
        OutboundError::NotAllowed { .. } | OutboundError::Url(_) => LookError::Refused(error.to_string()),
        OutboundError::Insecure { place } => LookError::NotYet(format!(
            "No secure connection to {place} can be made. Check the address, and how it is sealed."
        )),
        error => LookError::NotYet(error.to_string()),
    }
}

/// Only what has no control character gets here.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The name of a folder as IMAP writes it (RFC 3501, 5.1.3).
fn encoded(folder: &str) -> String {
    let mut written = String::new();
    let mut foreign = Vec::new();
    let end = |foreign: &mut Vec<u16>, written: &mut String| {
        if !foreign.is_empty() {
            let bytes: Vec<u8> = foreign.drain(..).flat_map(u16::to_be_bytes).collect();
            written.push('&');
            written.push_str(STANDARD.encode(bytes).trim_end_matches('=').replace('/', ",").as_str());
            written.push('-');
        }
    };
    for letter in folder.chars() {
        if matches!(letter, ' '..='~') {
            end(&mut foreign, &mut written);
            written.push(letter);
            if letter == '&' {
                written.push('-');
            }
        } else {
            foreign.extend(letter.encode_utf16(&mut [0; 2]).iter());
        }
    }
    end(&mut foreign, &mut written);
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_named_as_its_server_writes_it() {
        for (folder, expected) in [
            ("INBOX", "INBOX"),
            ("Agents/To do", "Agents/To do"),
            ("Entwürfe", "Entw&APw-rfe"),
            ("A & B", "A &- B"),
            ("台北", "&U,BTFw-"),
        ] {
            assert_eq!(encoded(folder), expected);
        }
        assert_eq!(quoted("a\"b\\c"), "\"a\\\"b\\\\c\"");
    }
}
