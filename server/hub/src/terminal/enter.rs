//! The last step into a room, taken by the program itself: bounds that what follows cannot lift, calls of the system
//! that it cannot make, and then the command.

use super::refused_calls::refuse;
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

/// Becomes the command. Returns only if it could not.
pub fn enter(command: &str) -> ExitCode {
    let Err(error) = become_command(command);
    eprintln!("{error}");
    ExitCode::FAILURE
}

fn become_command(command: &str) -> Result<Infallible, Box<dyn Error>> {
    rustix::stdio::dup2_stderr(io::stdout())?;
    // What whoever started the hub left open goes no further.
    close_fds::set_fds_cloexec(FIRST_OTHER, &[]);
    nice(BEHIND_THE_HUB)?;
    // Whoever runs out of memory, it is not the hub that is ended.
    std::fs::write("/proc/self/oom_score_adj", "1000")?;
    for (resource, most) in LIMITS {
        setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?;
    }
    refuse()?;
    let shell = SHELLS.into_iter().find(|shell| Path::new(shell).exists()).ok_or("there is no shell")?;
    Err(Command::new(shell).arg("-c").arg(command).exec().into())
}
