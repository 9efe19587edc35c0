//! A server of IMAP with one mailbox, as a process of its own.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

pub struct MailboxServer {
    process: Child,
    to: ChildStdin,
    from: Lines<BufReader<ChildStdout>>,
    pub place: String,
}

impl MailboxServer {
    pub const USER: &str = "ada@example.org";
    pub const PASSWORD: &str = "word: \"@/%canary";

    pub fn start() -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/imap");
        let mut command = Command::new(folder.join(".venv/bin/python"));
        command.arg(folder.join("server.py")).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().expect("`.ci/tools.sh test` installs the server");
        let to = process.stdin.take().expect("it is piped");
        let mut from = BufReader::new(process.stdout.take().expect("it is piped")).lines();
        let first = from.next().expect("it says where it listens").expect("a line");
        let port = first.strip_prefix("listening ").expect("its first line is the port");
        Self { process, to, from, place: format!("127.0.0.1:{port}") }
    }

    /// Puts a mail into the inbox, with so many more bytes at its end.
    pub fn receive(&mut self, mail: &str, more: usize) {
        self.ask(&json!({ "do": "append", "mail": mail, "more": more }));
    }

    /// Does what is asked, and gives which mails of the folder nobody has seen, counted from 1.
    pub fn ask(&mut self, asked: &Value) -> Vec<u64> {
        writeln!(self.to, "{asked}").expect("it listens");
        let line = self.from.next().expect("it answers").expect("a line");
        serde_json::from_str(&line).expect("numbers")
    }

    pub fn unseen(&mut self) -> Vec<u64> {
        self.ask(&json!({ "do": "look" }))
    }
}

impl Drop for MailboxServer {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
