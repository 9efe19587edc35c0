//! S23: the hub's memory and its environment, where keys are, are for the hub alone, and not for what else
//! runs as the same user.

use crate::world::Program;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

/// Whoever may do everything may also look into everything: that is given up first, where there is such.
const UNPRIVILEGED: &str = "exec setpriv --bounding-set=-all --inh-caps=-all";

#[test]
fn another_process_of_the_same_user_cannot_look_into_the_hub() {
    let is_root = rustix::process::geteuid().is_root();
    let before = if is_root { UNPRIVILEGED } else { "exec" };
    let shell = |words: String| {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("{before} {words}")]).stderr(Stdio::null());
        command
    };
    let hub = Program::start_under(before, &[]);
    let mut careless = shell("cat".to_owned()).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    // When it echoes it is what it is to be.
    careless.stdin.as_mut().unwrap().write_all(b"here\n").unwrap();
    BufReader::new(careless.stdout.as_mut().unwrap()).read_line(&mut String::new()).unwrap();
    for file in ["environ", "maps", "mem"] {
        let opens = |process: u32| {
            let status = shell(format!("head -c 0 /proc/{process}/{file}")).status();
            status.unwrap().success()
        };
        // No other rule keeps this reader out.
        assert!(opens(careless.id()), "{file}");
        assert!(!opens(hub.id()), "{file}");
    }
    drop(careless.stdin.take());
    careless.wait().unwrap();
}
