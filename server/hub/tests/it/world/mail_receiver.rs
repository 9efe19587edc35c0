//! A server for mail, as a process of its own.

use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;

pub struct MailReceiver {
    process: Child,
    received: Arc<Mutex<Vec<Value>>>,
    pub url: String,
}

impl MailReceiver {
    pub fn start() -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mail");
        let mut command = Command::new(folder.join(".venv/bin/python"));
        command.arg(folder.join("server.py")).stdout(Stdio::piped());
        let mut process = command.spawn().expect("`.ci/tools.sh test` installs the server");
        let mut lines =
            BufReader::new(process.stdout.take().expect("it is piped")).lines().map_while(Result::ok);
        let first = lines.next().expect("it says where it listens");
        let port = first.strip_prefix("listening ").expect("its first line is the port");
        let url = format!("smtp://127.0.0.1:{port}?tls=none");
        let received = Arc::default();
        let into: Arc<Mutex<Vec<Value>>> = Arc::clone(&received);
        thread::spawn(move || {
            for line in lines {
                into.lock().unwrap().push(serde_json::from_str(&line).expect("JSON"));
            }
        });
        Self { process, received, url }
    }

    /// What came, the oldest first.
    pub fn received(&self) -> Vec<Value> {
        self.received.lock().unwrap().clone()
    }

    /// The mail with this number, as soon as it is there.
    pub async fn mail(&self, number: usize) -> Value {
        loop {
            if let Some(mail) = self.received().get(number) {
                return mail.clone();
            }
            tokio::task::yield_now().await;
        }
    }
}

impl Drop for MailReceiver {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
