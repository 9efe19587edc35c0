//! The scripted model server of the end-to-end tests, as a process of its own: real wires over HTTP.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

pub struct Endpoint {
    process: Child,
    pub url: String,
}

impl Endpoint {
    pub fn start() -> Self {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../end2end/endpoints/model.mjs");
        let mut process = Command::new("node")
            .args([script, "0"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("node runs the model server");
        let stdout = process.stdout.take().expect("its output is piped");
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line).expect("it says where it listens");
        let url = line.trim().strip_prefix("listening ").expect("its first line is the address").to_owned();
        Self { process, url }
    }
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
