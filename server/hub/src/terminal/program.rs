//! A program that is spoken to: it runs in a room of its own, with none of an agent's files, until it ends or is not
//! wanted any more.

use super::run::{EmptyRoom, Ended, First, Room};
use super::{Terminal, TerminalError, confine, way_out};
use crate::fair_queue::Permit;
use crate::vault::Secret;
use protocol::UserId;
use protocol::view::{TerminalRoom, TerminalUse};
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::process::Stdio;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::process::{ChildStdin, ChildStdout};
use tokio::time::timeout;

/// Bytes of all values that a program is given.
const MOST_GIVEN: usize = 32 * 1024;
/// How long they may wait to be taken.
const TO_TAKE: Duration = Duration::from_secs(10);

/// One that runs. All of it ends when its room is dropped.
pub(crate) struct Spoken {
    pub(crate) input: ChildStdin,
    pub(crate) output: ChildStdout,
    pub(crate) room: SpokenRoom,
}

pub(crate) struct SpokenRoom {
    room: Room,
    _place: Permit<UserId>,
}

impl Terminal {
    /// Why no program can be run here. None: one can.
    pub(crate) async fn runs_no_programs(&self) -> Option<TerminalError> {
        match self.whose {
            TerminalUse::Nobody => Some(TerminalError::SwitchedOff),
            TerminalUse::Admins | TerminalUse::Members | TerminalUse::Everyone => {
                self.ground().await.err().map(TerminalError::NotHere)
            }
        }
    }

    /// A room for a program of this person's, if there is a place for one more.
    pub(crate) async fn program_room(&self, owner: &UserId) -> Result<EmptyRoom, TerminalError> {
        if let Some(why) = self.runs_no_programs().await {
            return Err(why);
        }
        let ground = self.ground().await.map_err(TerminalError::NotHere)?;
        let place = self.program_places.enter(owner).await.map_err(|_| TerminalError::NoPlace)?;
        EmptyRoom::make(ground, place, TerminalRoom::default()).await
    }
}

impl EmptyRoom {
    /// Starts the program, with its arguments, and with these variables besides those that every room has.
    pub(crate) async fn begin_program(
        self,
        words: &[String],
        values: &[(String, Secret)],
    ) -> Result<Spoken, TerminalError> {
        let EmptyRoom { ground, folder, place, way_out, most } = self;
        let mut room = Room::start(&ground, folder, First::Program(words), Stdio::piped(), way_out, most)?;
        let (Some(mut input), Some(output)) = (room.input(), room.output()) else {
            return Err(TerminalError::NoRoom("it cannot be spoken to".to_owned()));
        };
        // Where nobody takes them the room ends, and says why.
        let _ = timeout(TO_TAKE, input.write_all(&written(values))).await;
        Ok(Spoken { input, output, room: SpokenRoom { room, _place: place } })
    }
}

impl SpokenRoom {
    /// Waits until nothing of it runs any more: by itself, or because it is `over`.
    pub(crate) async fn attend(
        self,
        over: impl Future<Output = ()>,
        aside: impl FnMut(&[u8]),
    ) -> Result<Ended, TerminalError> {
        let Self { room, _place } = self;
        let over = async {
            over.await;
            Ended::Stopped
        };
        room.attend_program(over, aside).await
    }
}

/// Whether every room has it, with a value of its own.
pub(crate) fn is_own_variable(name: &str) -> bool {
    let mut own = confine::VARIABLES.iter().chain(&way_out::VARIABLES);
    own.any(|(known, _)| known.eq_ignore_ascii_case(name))
}

/// How many bytes they are, and each with its name.
fn written(values: &[(String, Secret)]) -> Vec<u8> {
    let lines: String = values.iter().map(|(name, value)| format!("{name}={}\0", value.expose())).collect();
    let length = u32::try_from(lines.len()).unwrap_or(u32::MAX);
    [&length.to_be_bytes()[..], lines.as_bytes()].concat()
}

/// What [`written`] wrote, read within the room. They stand in front of what the program reads: among its arguments
/// all of the machine would see them.
pub(super) fn given() -> io::Result<Vec<(String, String)>> {
    // Without a buffer, which would take what comes after them.
    read(&mut File::from(io::stdin().as_fd().try_clone_to_owned()?))
}

fn read(input: &mut impl Read) -> io::Result<Vec<(String, String)>> {
    let mut length = [0; 4];
    input.read_exact(&mut length)?;
    let length = usize::try_from(u32::from_be_bytes(length)).unwrap_or(usize::MAX);
    if length > MOST_GIVEN {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    let mut bytes = vec![0; length];
    input.read_exact(&mut bytes)?;
    let text = String::from_utf8(bytes).map_err(io::Error::other)?;
    let lines = text.split('\0').filter_map(|line| line.split_once('='));
    Ok(lines.map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_they_were_written_and_nothing_that_comes_after_them() {
        let values = [("KEY", "a=b c\n"), ("EMPTY", "")];
        let secret = values.map(|(name, value)| (name.to_owned(), Secret::new(value.to_owned())));
        let mut whole = written(&secret);
        whole.extend_from_slice(b"{\"id\":1}\n");
        let mut input = &whole[..];
        let expected = values.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!((read(&mut input).unwrap(), input), (expected.to_vec(), &b"{\"id\":1}\n"[..]));
        assert!(read(&mut &u32::MAX.to_be_bytes()[..]).is_err());
    }
}
