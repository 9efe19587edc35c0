//! The child's half: takes its own rights away, performs one command, and ends.

use super::job::{Done, Job};
use super::{dom, script};
use protocol::frame::SkinCommand;
use rustix::process::{Resource, Rlimit, setrlimit};
use std::collections::BTreeMap;
use std::error::Error;
use std::io::{self, Read, Write};
use std::process::ExitCode;
use std::time::Duration;

/// Processor time, in seconds: the end of a script that outlives the hub.
const SECONDS: u64 = 10;
/// Address space, in bytes. The program itself counts, too.
const MEMORY: u64 = 1024 * 1024 * 1024;

/// What the process may have of each. With no file number left it opens neither file nor socket, and
/// it reads and writes only the pipes that it came with.
const RIGHTS: [(Resource, u64); 5] = [
    (Resource::Nofile, 0),
    (Resource::Fsize, 0),
    (Resource::Core, 0),
    (Resource::Cpu, SECONDS),
    (Resource::As, MEMORY),
];

/// Performs the command on standard input and writes what came of it to standard output.
pub fn perform_one() -> ExitCode {
    match answer() {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn answer() -> Result<(), Box<dyn Error>> {
    let mut job = Vec::new();
    io::stdin().read_to_end(&mut job)?;
    for (resource, most) in RIGHTS {
        setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?;
    }
    let done = perform(serde_json::from_slice(&job)?);
    io::stdout().write_all(&serde_json::to_vec(&done)?)?;
    Ok(())
}

fn perform(Job { command, page, state }: Job) -> Done {
    match command {
        SkinCommand::Dom { input } => {
            let (page, outcome) = dom::perform(page, &input);
            let is_error = outcome.is_err();
            let result = outcome.unwrap_or_else(|fault| fault.into_result());
            Done { result, is_error, page, set: BTreeMap::new() }
        }
        // There is no page in either context.
        SkinCommand::RunJs { code, timeout_ms, context: _ } => {
            let ran = script::run(&code, Duration::from_millis(timeout_ms.into()), &state);
            Done { result: ran.result, is_error: ran.is_error, page, set: ran.set }
        }
    }
}
