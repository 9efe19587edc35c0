//! A collector of OpenTelemetry that others made, as a process of its own.

use super::Collector;
use crate::talk::until;
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

pub struct RealCollector {
    process: Child,
    pub url: String,
}

impl RealCollector {
    /// What it takes it passes on to the other one.
    pub async fn start(behind: &Collector) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/otlp");
        let mut command = Command::new(folder.join(".venv/bin/python"));
        command.arg(folder.join("collector.py")).arg(&behind.url).stdout(Stdio::piped());
        let mut process = command.spawn().expect("`.ci/tools.sh test` installs the collector");
        let mut line = String::new();
        let said = process.stdout.take().expect("it is piped");
        BufReader::new(said).read_line(&mut line).expect("it says where it listens");
        let port = line.trim().strip_prefix("listening ").expect("its first line is the port");
        let place = format!("127.0.0.1:{port}");
        let collector = Self { process, url: format!("http://{place}") };
        until(async || TcpStream::connect(&place).is_ok()).await;
        collector
    }
}

impl Drop for RealCollector {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
