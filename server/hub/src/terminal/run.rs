//! One command, from its room to what came of it.

use super::folder::{Folder, Left, RoomFile, Within};
use super::ground::Ground;
use super::output::{Kept, Output};
use super::reading::When;
use super::session::Session;
use super::watch::Bounds;
use super::way_out::{self, Reached, WayOut};
use super::{Allowed, Terminal, TerminalError, confine, watch};
use crate::fair_queue::Permit;
use crate::files::{FilePath, Mount};
use protocol::UserId;
use protocol::view::TerminalRoom;
use rustix::process::{Pid, Signal, kill_process};
use std::convert::Infallible;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream as OsStream;
use std::os::unix::process::ExitStatusExt;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::AsyncReadExt;
use tokio::net::UnixStream;
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::{sleep, timeout};

/// Bytes of what `bwrap` itself says.
const COMPLAINT: u64 = 1000;
/// Bytes of what a program says on its errors that are read once it has ended.
const LAST_WORDS: u64 = 64 * 1024;
/// How long what was ended may take to be gone.
const TO_END: Duration = Duration::from_secs(5);

/// What is to be run.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    pub(crate) command: String,
    /// Where it begins, from the root. It comes to be if it is not there.
    pub(crate) workdir: String,
    pub(crate) timeout: Duration,
    /// Bytes of the beginning of its output that are kept.
    pub(crate) output: usize,
    /// What the command before it in its session left. None: it has no session.
    pub(crate) session: Option<Session>,
}

/// What the first process of a room is.
#[derive(Clone, Copy)]
pub(super) enum First<'a> {
    Command(&'a Order),
    /// With its arguments.
    Program(&'a [String]),
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    Exited(i32),
    /// The number of the signal.
    Killed(i32),
    TimedOut,
    /// Somebody ended it.
    Stopped,
    /// It took more than it may have.
    Exceeded(&'static str),
}

/// What came of a command.
pub(crate) struct Ran {
    pub(crate) ended: Ended,
    pub(crate) millis: u64,
    pub(crate) output: Output,
    pub(crate) left: Left,
    /// For the next command of its session.
    pub(crate) session: Option<Session>,
    pub(crate) reached: Reached,
}

/// Leave to run one command, and the room in which it will, which is to be filled before. Given back when it is
/// dropped.
pub(crate) struct EmptyRoom {
    pub(super) ground: Arc<Ground>,
    pub(super) folder: Arc<Folder>,
    pub(super) place: Permit<UserId>,
    /// None: a command in it reaches nothing.
    pub(super) way_out: Option<WayOut>,
    pub(super) most: TerminalRoom,
}

impl Terminal {
    /// Waits until a command of somebody's agent may be run. What it works on is read after that, so that those who
    /// wait hold nothing.
    pub(crate) async fn turn(&self, allowed: &Allowed) -> Result<EmptyRoom, TerminalError> {
        let ground = self.ground().await.map_err(TerminalError::NotHere)?;
        let place = self.queue.enter(&allowed.owner).await.map_err(|_| TerminalError::Busy)?;
        EmptyRoom::make(ground, place, allowed.most).await
    }
}

impl EmptyRoom {
    pub(super) async fn make(
        ground: Arc<Ground>,
        place: Permit<UserId>,
        most: TerminalRoom,
    ) -> Result<Self, TerminalError> {
        let folder = empty_folder(&ground).await?;
        Ok(Self { ground, folder, place, way_out: None, most })
    }

    /// A command in it reaches what that opens.
    pub(crate) fn with(self, way_out: Option<WayOut>) -> Self {
        Self { way_out, ..self }
    }

    /// From now on the mount is in it, empty.
    pub(crate) async fn open_mount(&self, mount: Mount) -> Result<(), TerminalError> {
        let folder = Arc::clone(&self.folder);
        off_thread(move || folder.open_mount(mount)).await
    }

    pub(crate) async fn put(&self, within: Within, files: Vec<RoomFile>) -> Result<(), TerminalError> {
        let folder = Arc::clone(&self.folder);
        off_thread(move || folder.put(within, &files)).await
    }

    /// Folders with nothing in them, once the files are there.
    pub(crate) async fn put_folders(
        &self,
        mount: Mount,
        folders: Vec<FilePath>,
    ) -> Result<(), TerminalError> {
        let folder = Arc::clone(&self.folder);
        off_thread(move || folder.put_folders(mount, folders)).await
    }

    /// The files of a skill, which a command reads and runs, and does not change.
    pub(crate) async fn put_skill(&self, name: String, files: Vec<RoomFile>) -> Result<(), TerminalError> {
        let folder = Arc::clone(&self.folder);
        off_thread(move || folder.put_skill(&name, &files)).await
    }

    /// Whoever stops waiting for the command ends it, and what it did is lost.
    pub(crate) async fn run(self, order: &Order) -> Result<Ran, TerminalError> {
        let Self { ground, folder, place, way_out, most } = self;
        let ran = in_room(&ground, folder, order, way_out, most).await;
        drop(place);
        ran
    }
}

pub(super) async fn in_room(
    ground: &Arc<Ground>,
    folder: Arc<Folder>,
    order: &Order,
    way_out: Option<WayOut>,
    most: TerminalRoom,
) -> Result<Ran, TerminalError> {
    prepare(&folder, order).await?;
    let traffic = way_out.as_ref().map(|way_out| Arc::clone(&way_out.traffic));
    let begun = Instant::now();
    let room = Room::start(ground, folder, First::Command(order), Stdio::null(), way_out, most)?;
    let mut kept = Kept::new(order.output);
    let over = async {
        sleep(order.timeout).await;
        Ended::TimedOut
    };
    let (ended, folder) = room.attend(Bounds::of_command(most), over, |part| kept.take(part)).await?;
    let millis = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    let left = read_back(&folder, When::AtRest).await?;
    let session = match order.session {
        Some(_) => off_thread(move || Ok(Session::left(&folder.session()))).await?,
        None => None,
    };
    let reached = traffic.map(|traffic| traffic.reached()).unwrap_or_default();
    Ok(Ran { ended, millis, output: kept.output(), left, session, reached })
}

pub(super) async fn empty_folder(ground: &Arc<Ground>) -> Result<Arc<Folder>, TerminalError> {
    let slot = ground.slot();
    off_thread(move || Folder::make(slot)).await.map(Arc::new)
}

/// Makes the folder in which the command begins, and puts down what its session has.
pub(super) async fn prepare(folder: &Arc<Folder>, order: &Order) -> Result<(), TerminalError> {
    let (folder, workdir, session) = (Arc::clone(folder), order.workdir.clone(), order.session.clone());
    off_thread(move || {
        folder.make_workdir(&workdir)?;
        session.map_or(Ok(()), |session| folder.put_session(&session))
    })
    .await
}

pub(super) async fn read_back(folder: &Arc<Folder>, when: When) -> Result<Left, TerminalError> {
    let folder = Arc::clone(folder);
    off_thread(move || folder.read_back(when)).await
}

async fn off_thread<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, TerminalError> {
    let done = tokio::task::spawn_blocking(work).await;
    let done = done.map_err(|error| TerminalError::NoRoom(error.to_string()))?;
    done.map_err(|error| TerminalError::NoRoom(error.to_string()))
}

/// A room in which a command runs. All of it ends when this is dropped.
pub(super) struct Room {
    bwrap: Child,
    process: u32,
    folder: Arc<Folder>,
    /// What whoever makes the room says, until the command begins.
    errors: UnixStream,
    way_out: Option<WayOut>,
}

impl Room {
    /// The room ends with the thread that starts it, so that is one of the runtime's own.
    pub(super) fn start(
        ground: &Ground,
        folder: Arc<Folder>,
        first: First<'_>,
        input: Stdio,
        way_out: Option<WayOut>,
        most: TerminalRoom,
    ) -> Result<Self, TerminalError> {
        let (errors, of_room) = pair().map_err(|error| TerminalError::NoRoom(error.to_string()))?;
        let mut bwrap = Command::new("bwrap");
        bwrap
            .args(confine::arguments(ground, &folder, first, way_out.as_ref(), most))
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .current_dir("/")
            .stdin(input)
            .stdout(Stdio::piped())
            .stderr(OwnedFd::from(of_room))
            .kill_on_drop(true);
        if let Some(user) = folder.user() {
            bwrap.uid(user).gid(user);
        }
        let bwrap = bwrap.spawn().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => TerminalError::NotHere("bubblewrap is not installed".to_owned()),
            _ => TerminalError::NoRoom(error.to_string()),
        })?;
        Ok(Self { process: bwrap.id().unwrap_or_default(), bwrap, folder, errors, way_out })
    }

    /// What the command reads, if that was to be written.
    pub(super) fn input(&mut self) -> Option<ChildStdin> {
        self.bwrap.stdin.take()
    }

    /// What a program says, which is not given to [`Self::attend`] then.
    pub(super) fn output(&mut self) -> Option<ChildStdout> {
        self.bwrap.stdout.take()
    }

    /// Gives what it says to `take`, until nothing runs in the room any more: by itself, or because it is `over`.
    pub(super) async fn attend(
        mut self,
        bounds: Bounds,
        over: impl Future<Output = Ended>,
        mut take: impl FnMut(&[u8]),
    ) -> Result<(Ended, Arc<Folder>), TerminalError> {
        let mut said = self.bwrap.stdout.take().expect("it was asked for");
        let (mut is_silent, mut complaint) = (true, Vec::new());
        let whole = async {
            let mut part = vec![0; 64 * 1024];
            loop {
                match said.read(&mut part).await? {
                    0 => return self.bwrap.wait().await,
                    read => {
                        is_silent = false;
                        take(&part[..read]);
                    }
                }
            }
        };
        let ended = tokio::select! {
            status = whole => ended(status.map_err(|error| TerminalError::NoRoom(error.to_string()))?),
            how = over => how,
            what = watch::exceeds(self.process, self.folder.path().to_owned(), bounds) => Ended::Exceeded(what),
            never = serve(self.way_out.as_ref(), &self.errors, &mut complaint) => match never {},
        };
        if matches!(ended, Ended::TimedOut | Ended::Stopped | Ended::Exceeded(_)) {
            end(&mut self.bwrap, self.process).await;
        }
        if is_silent && ended != Ended::Exited(0) {
            // The command's own errors are in its output: this is of whoever made the room.
            let mut rest = self.errors.take(COMPLAINT);
            let read = rest.read_to_end(&mut complaint);
            let is_read = timeout(Duration::from_secs(1), read).await.is_ok_and(|read| read.is_ok());
            let complained = String::from_utf8_lossy(&complaint);
            if is_read && complained.starts_with("bwrap: ") {
                return Err(TerminalError::NoRoom(complained.trim().to_owned()));
            }
        }
        Ok((ended, self.folder))
    }
}

impl Room {
    /// The same of a program, of whose errors each part is given to `aside`.
    pub(super) async fn attend_program(
        mut self,
        over: impl Future<Output = Ended>,
        mut aside: impl FnMut(&[u8]),
    ) -> Result<Ended, TerminalError> {
        let ended = tokio::select! {
            status = self.bwrap.wait() => {
                ended(status.map_err(|error| TerminalError::NoRoom(error.to_string()))?)
            }
            how = over => how,
            what = watch::exceeds(self.process, self.folder.path().to_owned(), Bounds::JOB) => {
                Ended::Exceeded(what)
            }
            never = serve_and_hear(self.way_out.as_ref(), &self.errors, &mut aside) => match never {},
        };
        if matches!(ended, Ended::TimedOut | Ended::Stopped | Ended::Exceeded(_)) {
            end(&mut self.bwrap, self.process).await;
        }
        // What it said last.
        let mut last = Vec::new();
        let mut rest = self.errors.take(LAST_WORDS);
        let _ = timeout(Duration::from_secs(1), rest.read_to_end(&mut last)).await;
        aside(&last);
        Ok(ended)
    }
}

/// Serves the room's way out, and hears what comes on the errors besides.
async fn serve_and_hear(
    way_out: Option<&WayOut>,
    errors: &UnixStream,
    aside: &mut impl FnMut(&[u8]),
) -> Infallible {
    let mut complaint = Vec::new();
    let listener = match way_out {
        Some(_) => way_out::received(errors, &mut complaint).await,
        None => None,
    };
    aside(&complaint);
    let serving = async {
        match (way_out, listener) {
            (Some(way_out), Some(listener)) => way_out.serve(listener).await,
            (Some(_) | None, _) => std::future::pending().await,
        }
    };
    let hearing = async {
        let mut part = [0; 4096];
        while errors.readable().await.is_ok() {
            match errors.try_read(&mut part) {
                Ok(0) => break,
                Ok(read) => aside(&part[..read]),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(_) => break,
            }
        }
        std::future::pending().await
    };
    tokio::select! {
        never = serving => never,
        never = hearing => never,
    }
}

/// Serves the room's way out, if it has one, for as long as that is waited for.
async fn serve(way_out: Option<&WayOut>, errors: &UnixStream, complaint: &mut Vec<u8>) -> Infallible {
    if let Some(way_out) = way_out
        && let Some(listener) = way_out::received(errors, complaint).await
    {
        way_out.serve(listener).await
    } else {
        std::future::pending().await
    }
}

/// The hub's end and the room's.
fn pair() -> io::Result<(UnixStream, OsStream)> {
    let (ours, of_room) = OsStream::pair()?;
    ours.set_nonblocking(true)?;
    Ok((UnixStream::from_std(ours)?, of_room))
}

/// Ends the first process within, and with it all others: the one outside is let see that.
async fn end(child: &mut Child, process: u32) {
    for first in watch::children_of(process) {
        let first = i32::try_from(first).ok().and_then(Pid::from_raw);
        if let Some(first) = first {
            // It may have ended by itself.
            let _ = kill_process(first, Signal::KILL);
        }
    }
    if timeout(TO_END, child.wait()).await.is_err() {
        let _ = child.kill().await;
    }
}

fn ended(status: ExitStatus) -> Ended {
    match (status.code(), status.signal()) {
        // As shells say it, and `bwrap` after them.
        (Some(code), _) if code > 128 && code < 128 + 65 => Ended::Killed(code - 128),
        (Some(code), _) => Ended::Exited(code),
        (None, signal) => Ended::Killed(signal.unwrap_or_default()),
    }
}
