//! Mail, from the settings of whoever runs the hub to the link that ends it, with a real server and as programs for
//! mail press it.

use crate::world::{Endpoint, Program, run};
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Lines};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use tempfile::TempDir;

/// A folder with a certificate for `localhost`, `mail.pem`, and its key, `mail.key`.
pub fn certified() -> TempDir {
    let folder = TempDir::new().unwrap();
    let file = |name: &str| folder.path().join(name);
    let made = Command::new("openssl")
        .args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost"])
        .args(["-addext", "subjectAltName=DNS:localhost", "-addext", "basicConstraints=critical,CA:FALSE"])
        .arg("-keyout")
        .arg(file("mail.key"))
        .arg("-out")
        .arg(file("mail.pem"))
        .output()
        .unwrap();
    assert!(made.status.success(), "{made:?}");
    folder
}

/// A server for mail that wants TLS and a password.
pub struct MailServer {
    process: Child,
    lines: Lines<BufReader<ChildStdout>>,
    folder: TempDir,
    port: String,
}

impl MailServer {
    pub fn start() -> Self {
        let folder = certified();
        let file = |name: &str| folder.path().join(name);
        let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("hub/tests/mail");
        let mut command = Command::new(tests.join(".venv/bin/python"));
        command.arg(tests.join("server.py")).arg(file("mail.pem")).arg(file("mail.key"));
        let mut process = command.stdout(Stdio::piped()).spawn().expect("`.ci/tools.sh test` installs it");
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let first = lines.next().unwrap().unwrap();
        let port = first.strip_prefix("listening ").expect("it says where it listens").to_owned();
        Self { process, lines, folder, port }
    }

    /// What a hub is told of it, with this password.
    pub fn settings(&self, password: &str) -> [(&'static str, String); 3] {
        [
            ("VIVARIUM_SMTP_URL", format!("smtp://hub%40example.org:{password}@localhost:{}", self.port)),
            ("VIVARIUM_SMTP_FROM", "Vivarium <hub@example.org>".to_owned()),
            // The authorities that the hub trusts.
            ("SSL_CERT_FILE", self.folder.path().join("mail.pem").display().to_string()),
        ]
    }

    /// The next mail that comes.
    pub fn mail(&mut self) -> Value {
        serde_json::from_str(&self.lines.next().unwrap().unwrap()).unwrap()
    }
}

impl Drop for MailServer {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

pub const PASSWORD: &str = "word%3A%20%40%2F%25canary";

pub fn code(mail: &Value) -> String {
    let text = mail["text"].as_str().unwrap();
    text.lines().find(|line| line.len() == 9 && line.as_bytes()[4] == b'-').expect("a code").to_owned()
}

#[tokio::test]
async fn mail_goes_sealed_with_the_password_of_the_hub_and_one_press_without_an_account_ends_it() {
    let mut server = MailServer::start();
    let settings = server.settings(PASSWORD);
    let settings: Vec<_> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let program = Program::start_with(&settings);
    let said = |arguments: &[&str]| {
        let output = program.command(arguments, "");
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
    };
    let shown = said(&["config"]);
    assert!(shown.contains("VIVARIUM_SMTP_URL=(not shown)") && !shown.contains("canary"), "{shown}");
    let found = said(&["doctor"]);
    let fine = format!("ok    mail: localhost:{} takes mail of hub@example.org", server.port);
    assert!(found.contains(&fine), "{found}");

    let endpoint = Endpoint::start();
    let ada = program.caller("ada");
    let agent = crate::live::agent(&ada, &endpoint).await;
    let channel = json!({ "kind": "mail", "address": "ada@example.org" });
    let added = ada.call("/api/notifications/add_channel", &channel).await;
    let mail = server.mail();
    assert_eq!(mail["sealed"], true);
    let confirm = json!({ "id": added["view"]["id"], "code": code(&mail) });
    ada.call("/api/notifications/confirm_channel", &confirm).await;
    ada.call("/api/agents/send", &json!({ "agent": agent, "text": "Hello" })).await;
    let mail = server.mail();
    let link = mail["headers"]["list-unsubscribe"].as_str().unwrap().trim_matches(['<', '>']).to_owned();
    let path = link.strip_prefix(&program.url).expect("where the person reaches the hub").to_owned();

    let stranger = program.stranger();
    // Whoever only looks, as scanners of mail do, ends nothing.
    let page = stranger.get(&path).await.text().await.unwrap();
    assert!(page.contains("No more mail from here?"), "{page}");
    let press = |path: String, accept: &str| {
        let press = stranger.client.post(format!("{}{path}", program.url)).header(ACCEPT, accept);
        let form = "application/x-www-form-urlencoded";
        press.header(CONTENT_TYPE, form).body("List-Unsubscribe=One-Click").send()
    };
    let other = format!("{}A", &path[..path.len() - 1]);
    let other = if other == path { format!("{}B", &path[..path.len() - 1]) } else { other };
    assert_eq!(press(other.clone(), "*/*").await.unwrap().status(), 404);
    let page = press(other, "text/html").await.unwrap();
    assert!(page.headers()["location"].to_str().unwrap().ends_with("?done=unknown"));
    let channels = async || {
        let reach: Value = ada.get("/api/notifications/reach").await.json().await.unwrap();
        reach["channels"].as_array().unwrap().len()
    };
    assert_eq!(channels().await, 1);
    assert_eq!(press(path.clone(), "*/*").await.unwrap().status(), 200);
    assert_eq!(channels().await, 0);
    let again = press(path, "text/html").await.unwrap();
    let after = again.headers()["location"].to_str().unwrap().to_owned();
    let page = stranger.get(&after).await.text().await.unwrap();
    assert!(page.contains("Nothing more is sent to that address"), "{page}");
}

#[test]
fn a_server_for_mail_that_does_not_believe_the_hub_is_told_of_in_words() {
    let server = MailServer::start();
    let folder = TempDir::new().unwrap();
    let told = |password: &str, certificate: Option<&str>| {
        let mut settings = server.settings(password);
        if let Some(certificate) = certificate {
            settings[2].1 = certificate.to_owned();
        }
        let settings: Vec<_> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let output = run(folder.path(), &settings, &["doctor"], "");
        let found = String::from_utf8(output.stdout).unwrap();
        found.lines().find(|line| line.contains(" mail: ")).expect("a line").to_owned()
    };
    for (password, certificate, expected) in [
        ("wrong", None, "answered 535"),
        (PASSWORD, Some("/etc/ssl/certs/ca-certificates.crt"), "cannot be used"),
    ] {
        let line = told(password, certificate);
        assert!(line.starts_with("wrong") && line.contains(expected) && !line.contains("canary"), "{line}");
    }
}
