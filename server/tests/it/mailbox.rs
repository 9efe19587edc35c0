//! A mailbox on a server that wants TLS, from the form to what its agent hears.

use crate::live::agent;
use crate::mailed::certified;
use crate::things::json_of;
use crate::world::{Caller, Endpoint, Program, a_moment};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

struct Server {
    process: Child,
    to: ChildStdin,
    from: Lines<BufReader<ChildStdout>>,
    place: String,
}

impl Server {
    /// In the folder are its certificate and its key.
    fn start(folder: &Path, more: &[&str]) -> Self {
        let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("hub/tests/imap");
        let mut command = Command::new(tests.join(".venv/bin/python"));
        command
            .arg(tests.join("server.py"))
            .arg(folder.join("mail.pem"))
            .arg(folder.join("mail.key"))
            .args(more);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().expect("`.ci/tools.sh test` installs it");
        let to = process.stdin.take().unwrap();
        let mut from = BufReader::new(process.stdout.take().unwrap()).lines();
        let first = from.next().unwrap().unwrap();
        let port = first.strip_prefix("listening ").expect("it says where it listens");
        Self { process, to, from, place: format!("localhost:{port}") }
    }

    fn receive(&mut self, mail: &str) {
        writeln!(self.to, "{}", json!({ "do": "append", "mail": mail })).unwrap();
        self.from.next().unwrap().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The mailbox of the agent's one schedule, as soon as this holds of it.
async fn mailbox(ada: &Caller, agent: &str, holds: impl Fn(&Value) -> bool) -> Value {
    loop {
        let schedules = json_of(ada, &format!("/api/schedules/list?agent={agent}")).await;
        let mailbox = schedules[0]["mailbox"].clone();
        if holds(&mailbox) {
            return mailbox;
        }
        a_moment().await;
    }
}

#[tokio::test]
async fn a_mailbox_is_opened_sealed_and_only_at_a_server_that_shows_who_it_is() {
    let folder = certified();
    let trusted = folder.path().join("mail.pem").display().to_string();
    let program = Program::start_with(&[("SSL_CERT_FILE", &trusted)]);
    let (endpoint, stranger) = (Endpoint::start(), certified());
    let ada = program.caller("ada");
    for (seal, more) in [("tls", &[][..]), ("starttls", &["starttls"])] {
        let agent = agent(&ada, &endpoint).await;
        let (mut server, other) = (Server::start(folder.path(), more), Server::start(stranger.path(), more));
        let mut draft = json!({
            "name": "Post", "message": "A mail came.", "kind": "mail", "mail_server": other.place, "mail_seal": seal,
            "mail_user": "ada@example.org", "mail_password": "word: \"@/%canary",
        });
        let create = json!({ "agent": agent, "draft": draft });
        let id = ada.call("/api/schedules/create", &create).await;
        let shown = mailbox(&ada, &agent, |mailbox| mailbox["problem"].is_string()).await;
        assert!(shown["problem"].as_str().unwrap().starts_with("No secure connection"), "{shown}");
        draft["mail_server"] = json!(server.place);
        ada.call("/api/schedules/edit", &json!({ "id": id, "draft": draft })).await;
        mailbox(&ada, &agent, |mailbox| mailbox["checked_at"].is_number()).await;
        server.receive("From: shop@example.org\r\nSubject: order-7\r\n\r\nOne fern.\r\n");
        draft["mail_password"] = json!("");
        ada.call("/api/schedules/edit", &json!({ "id": id, "draft": draft })).await;
        loop {
            let entries = json_of(&ada, &format!("/api/agents/entries?agent={agent}&after=0")).await;
            assert!(!entries.to_string().contains("canary"), "{entries}");
            if entries.to_string().contains("One fern.") {
                break;
            }
            a_moment().await;
        }
    }
}
