//! The last step into a room, taken by the program itself: bounds that what follows cannot lift, calls of the system
//! that it cannot make, and then the command.

use super::refused_calls::refuse;
use super::{program, session, way_out};
use rustix::process::{Resource, Rlimit, nice, setrlimit};
use std::convert::Infallible;
use std::error::Error;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode};

/// How much it gives way.
const BEHIND_THE_HUB: i32 = 10;
const MEGABYTE: u64 = 1024 * 1024;

/// What each process may have. What all of them have together is watched from outside.
const LIMITS: [(Resource, u64); 6] = [
    (Resource::Nproc, 128),
    (Resource::Nofile, 1024),
    (Resource::Fsize, 256 * MEGABYTE),
    (Resource::Core, 0),
    (Resource::Cpu, 600),
    (Resource::Data, 1024 * MEGABYTE),
];
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
    for (resource, most) in LIMITS {
        setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?;
    }
    refuse()?;
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
