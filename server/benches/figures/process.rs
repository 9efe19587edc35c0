//! A child process that ends with its owner, and what the kernel says about it.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Linux counts CPU time in hundredths of a second, on every architecture.
const TICK: Duration = Duration::from_millis(10);

pub struct Process {
    child: Child,
    /// The first line that it printed.
    pub greeting: String,
}

impl Process {
    /// Starts a program and waits for its first line.
    pub fn greeted(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Self { child, greeting: line.trim().to_owned() }
    }

    /// Starts a program and does not wait.
    pub fn spawned(command: &mut Command) -> Self {
        let child = command.stdout(Stdio::null()).stderr(Stdio::inherit()).spawn().unwrap();
        Self { child, greeting: String::new() }
    }

    /// User and system time so far.
    pub fn cpu(&self) -> Duration {
        cpu_of(&self.child.id().to_string())
    }

    /// A line of `smaps_rollup`, in MiB.
    pub fn memory(&self, line: &str) -> f64 {
        let rollup = fs::read_to_string(format!("/proc/{}/smaps_rollup", self.child.id())).unwrap();
        let value = rollup.lines().find_map(|found| found.strip_prefix(line)?.strip_prefix(':')).unwrap();
        value.trim().trim_end_matches(" kB").parse::<f64>().unwrap() / 1024.0
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// User and system time of this process so far.
pub fn own_cpu() -> Duration {
    cpu_of("self")
}

fn cpu_of(process: &str) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    let (_, fields) = stat.rsplit_once(')').unwrap();
    let ticks: u32 =
        fields.split_whitespace().skip(11).take(2).map(|field| field.parse::<u32>().unwrap()).sum();
    TICK * ticks
}

/// This program again, as one of the bare limits.
pub fn bare(role: &str) -> Command {
    let mut command = Command::new(env::current_exe().unwrap());
    command.arg(format!("bare-{role}"));
    command
}
