//! The last step into a room, taken by the program itself: bounds that what follows cannot lift, calls of the system
//! that it cannot make, and then the command.

use super::refused_calls::refuse;
use super::{program, session, way_out};
use protocol::view::TerminalRoom;
use rustix::process::{Resource, Rlimit, nice, setrlimit};
use std::convert::Infallible;
use std::error::Error;
use std::fmt;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::str::FromStr;

/// How much it gives way.
const BEHIND_THE_HUB: i32 = 10;
const MEGABYTE: u64 = 1024 * 1024;

/// What each process may have, besides what its room has. What all of them have together is watched from outside.
const LIMITS: [(Resource, u64); 3] = [(Resource::Nofile, 1024), (Resource::Core, 0), (Resource::Cpu, 600)];
const USUAL_PROCESSES: u32 = 128;
const USUAL_MEMORY_MB: u32 = 1024;
const USUAL_DISK_MB: u32 = 512;
/// The first descriptor after input, output and errors.
const FIRST_OTHER: i32 = 3;
/// The first of these that is there.
const SHELLS: [&str; 2] = ["/bin/bash", "/bin/sh"];

/// A command, and what belongs to its room.
pub struct Entrance {
    /// One, for a shell; or a program with its arguments.
    pub words: Vec<String>,
    /// It is a program, which is given its values before all else that it reads, and whose errors are apart from its
    /// output.
    pub program: bool,
    /// It begins with what the last one of its session left, and leaves that to the next one.
    pub session: bool,
    /// It may reach something.
    pub way_out: bool,
    /// Other rooms belong to the same user of the machine.
    pub shared_user: bool,
    /// What is not usual of what it may have.
    pub most: Option<Most>,
}

/// What the room of a command may have: memory and disk in megabytes, and processes. Written as `1024,512,128`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Most {
    memory_mb: u32,
    disk_mb: u32,
    processes: u32,
}

impl Default for Most {
    fn default() -> Self {
        Self { memory_mb: USUAL_MEMORY_MB, disk_mb: USUAL_DISK_MB, processes: USUAL_PROCESSES }
    }
}

impl From<TerminalRoom> for Most {
    fn from(TerminalRoom { memory_mb, disk_mb, processes }: TerminalRoom) -> Self {
        Self {
            memory_mb: memory_mb.unwrap_or(USUAL_MEMORY_MB),
            disk_mb: disk_mb.unwrap_or(USUAL_DISK_MB),
            // Fewer are counted from outside: here those of other rooms may count as well.
            processes: processes.unwrap_or(USUAL_PROCESSES).max(USUAL_PROCESSES),
        }
    }
}

impl fmt::Display for Most {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{}", self.memory_mb, self.disk_mb, self.processes)
    }
}

impl FromStr for Most {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let numbers: Option<Vec<u32>> = text.split(',').map(|number| number.parse().ok()).collect();
        match numbers.as_deref() {
            Some(&[memory_mb, disk_mb, processes]) => Ok(Self { memory_mb, disk_mb, processes }),
            _ => Err("these are not three numbers, as 1024,512,128"),
        }
    }
}

impl Most {
    /// For each process. A file has half of the disk.
    fn limits(self) -> [(Resource, u64); 3] {
        [
            (Resource::Nproc, self.processes.into()),
            (Resource::Fsize, u64::from(self.disk_mb) * MEGABYTE / 2),
            (Resource::Data, u64::from(self.memory_mb) * MEGABYTE),
        ]
    }
}

/// Becomes the command. Returns only if it could not.
pub fn enter(entrance: &Entrance) -> ExitCode {
    let Err(error) = become_command(entrance);
    eprintln!("{error}");
    ExitCode::FAILURE
}

fn become_command(entrance: &Entrance) -> Result<Infallible, Box<dyn Error>> {
    if entrance.way_out {
        way_out::listen_within(io::stderr())?;
    }
    if !entrance.program {
        rustix::stdio::dup2_stderr(io::stdout())?;
    }
    // What whoever started the hub left open goes no further.
    close_fds::set_fds_cloexec(FIRST_OTHER, &[]);
    nice(BEHIND_THE_HUB)?;
    // Whoever runs out of memory, it is not the hub that is ended.
    std::fs::write("/proc/self/oom_score_adj", "1000")?;
    for (resource, most) in LIMITS.into_iter().chain(entrance.most.unwrap_or_default().limits()) {
        setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?;
    }
    refuse(entrance.shared_user)?;
    let (first, rest) = entrance.words.split_first().ok_or("there is no command")?;
    if entrance.program {
        // Not before: what they say counts for programs that are started with them.
        let error = Command::new(first).args(rest).envs(program::given()?).exec();
        return Err(format!("{first}: {error}").into());
    }
    let shell = SHELLS.into_iter().find(|shell| Path::new(shell).exists()).ok_or("there is no shell")?;
    let mut shell = Command::new(shell);
    shell.arg("-c");
    match entrance.session {
        true => shell.envs(session::begun_with()?).arg(format!("{}\n{first}", session::AT_END)),
        false => shell.arg(first),
    };
    Err(shell.exec().into())
}
