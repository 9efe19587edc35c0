//! S23: what performs an agent's script has given up its rights, and whoever runs machine code in it has
//! no more: not the hub's memory, files, sockets or environment. This test is such code, started by itself.

use nix::sys::signal::kill;
use nix::sys::uio::{RemoteIoVec, process_vm_readv};
use nix::sys::{mman, ptrace};
use nix::unistd::{Pid, getpid, getppid};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::IoSliceMut;
use std::net::TcpListener;
use std::num::NonZero;
use std::os::unix::net::UnixStream;
use std::process::Command;
use std::{env, thread};

/// Something that the hub knows.
static SECRET: &str = "a key that only the hub has";
/// Says in the child what it is to do, and where the secret is in its parent.
const CHILD: &str = "CONFINED_TEST";

/// What a process could try, and whether that is possible for one that has its rights.
const ATTEMPTS: &[(&str, Attempt)] = &[
    ("read its own memory as another's", || read(getpid(), SECRET.as_ptr().addr())),
    ("read the hub's memory", || read(getppid(), address_in_parent())),
    ("trace the hub", || ptrace::seize(getppid(), ptrace::Options::empty()).map_err(text)),
    ("open the hub's memory", || File::open(format!("/proc/{}/mem", getppid())).map(drop).map_err(text)),
    ("read the hub's environment", || {
        fs::read(format!("/proc/{}/environ", getppid())).map(drop).map_err(text)
    }),
    ("list the hub's sockets", || fs::read_dir(format!("/proc/{}/fd", getppid())).map(drop).map_err(text)),
    ("signal the hub", || kill(getppid(), None).map_err(text)),
    ("open a socket", || TcpListener::bind("127.0.0.1:0").map(drop).map_err(text)),
    ("open a pair of sockets", || UnixStream::pair().map(drop).map_err(text)),
    ("start a program", || Command::new("/proc/self/exe").arg("--list").output().map(drop).map_err(text)),
    ("start a thread", || thread::Builder::new().spawn(|| ()).map(drop).map_err(text)),
    ("make memory that holds code", code),
];

type Attempt = fn() -> Result<(), String>;

#[test]
fn machine_code_in_the_engine_s_process_reads_nothing_of_the_hub() {
    if let Ok(how) = env::var(CHILD) {
        attempt(how.starts_with("confined"));
    }
    let confined = child("confined");
    assert_eq!(confined.len(), ATTEMPTS.len(), "{confined:?}");
    for (what, came) in &confined {
        assert_ne!(came, "done", "{what}");
    }
    // With its rights it could: the attempts are ones. What concerns another process a kernel may refuse anyway.
    let free = child("free");
    for (what, came) in free.iter().filter(|(what, _)| !what.contains("the hub")) {
        assert_eq!(came, "done", "{what}");
    }
}

/// What came of each attempt in a process that this one starts.
fn child(how: &str) -> BTreeMap<String, String> {
    let output = Command::new(env::current_exe().unwrap())
        .args(["--exact", "--nocapture", "--test-threads=1"])
        .arg("confined::machine_code_in_the_engine_s_process_reads_nothing_of_the_hub")
        .env(CHILD, format!("{how} {}", SECRET.as_ptr().addr()))
        .output()
        .unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let lines = said.lines().filter_map(|line| line.strip_prefix("tried to "));
    lines.filter_map(|line| line.split_once(": ")).map(|(what, came)| (what.into(), came.into())).collect()
}

/// The child's half.
fn attempt(confined: bool) -> ! {
    if confined {
        hub::engine::give_up_rights().unwrap();
    }
    for (what, attempt) in ATTEMPTS {
        // The name of the test stands before the first one.
        println!("\ntried to {what}: {}", attempt().err().unwrap_or("done".to_owned()));
    }
    std::process::exit(0)
}

fn read(process: Pid, address: usize) -> Result<(), String> {
    let mut bytes = vec![0; SECRET.len()];
    let there = RemoteIoVec { base: address, len: bytes.len() };
    process_vm_readv(process, &mut [IoSliceMut::new(&mut bytes)], &[there]).map_err(text)?;
    if bytes == SECRET.as_bytes() { Ok(()) } else { Err("something else was there".to_owned()) }
}

fn address_in_parent() -> usize {
    env::var(CHILD).unwrap().split_once(' ').unwrap().1.parse().unwrap()
}

#[expect(unsafe_code, reason = "only the call itself shows that it is refused")]
fn code() -> Result<(), String> {
    use mman::{MapFlags, ProtFlags};
    let (purpose, length) = (ProtFlags::PROT_READ | ProtFlags::PROT_EXEC, NonZero::new(4096).unwrap());
    // SAFETY: nobody uses the memory.
    unsafe { mman::mmap_anonymous(None, length, purpose, MapFlags::MAP_PRIVATE) }.map(drop).map_err(text)
}

fn text(error: impl ToString) -> String {
    error.to_string()
}
