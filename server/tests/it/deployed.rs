//! The examples in `deploy`, as they stand there, with the programs that they are for.

use crate::live::{agent, connect, hear, say};
use crate::world::{Caller, Endpoint, Program};
use reqwest::header::ORIGIN;
use reqwest::{Client, Method};
use serde_json::json;
use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

const NGINX: &str = include_str!("../../../deploy/nginx.conf");
const CADDY: &str = include_str!("../../../deploy/Caddyfile");
const UNIT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../deploy/vivarium.service");
/// What a text may have that is attached.
const UPLOAD: usize = 200 * 1024;

#[tokio::test]
async fn people_reach_the_hub_through_nginx_and_caddy_as_the_examples_have_them() {
    for start in [nginx, caddy] {
        let port = free_port();
        let public = format!("http://127.0.0.1:{port}");
        let program = Program::start_behind(&public);
        let folder = TempDir::new().unwrap();
        let _proxy = Proxy(start(folder.path(), port, program.url.trim_start_matches("http://")));
        let ada = Caller { url: public, ..program.caller("ada") };
        until_there(&ada).await;

        let endpoint = Endpoint::start();
        let agent = agent(&ada, &endpoint).await;
        let mut tab = connect(&ada, "laptop").await;
        say(&mut tab, &json!({ "type": "subscribe", "agent": agent, "after": 0 })).await;
        ada.call("/api/agents/send", &json!({ "agent": agent, "text": "script: hello" })).await;
        while hear(&mut tab).await["entry"]["body"]["type"] != "run_finished" {}
        let mut feed = ada.get(&format!("/api/agents/{agent}/events?after=0")).await;
        let mut text = String::new();
        // The stream goes on, and what is there comes at once.
        while !text.contains("run_finished") {
            text.push_str(&String::from_utf8_lossy(&feed.chunk().await.unwrap().unwrap()));
        }
        let upload = ada.request(Method::POST, "/attachments?name=long.txt").header(ORIGIN, &ada.url);
        let taken = upload.body(vec![b'x'; UPLOAD]).send().await.unwrap();
        assert!(taken.status().is_success(), "{}", taken.status());
        let page = ada.get("/").await.text().await.unwrap();
        assert!(page.contains("Ada"), "{page}");
    }
}

#[test]
fn the_examples_are_read_as_they_stand_with_a_certificate() {
    let folder = TempDir::new().unwrap();
    let (certificate, key) = (folder.path().join("hub.pem"), folder.path().join("hub.key"));
    let made = Command::new("openssl")
        .args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=hub.example.com"])
        .arg("-keyout")
        .arg(&key)
        .arg("-out")
        .arg(&certificate)
        .output()
        .unwrap();
    assert!(made.status.success(), "{made:?}");
    let example = NGINX
        .replace("/etc/ssl/hub.example.com.pem", certificate.to_str().unwrap())
        .replace("/etc/ssl/hub.example.com.key", key.to_str().unwrap());
    let read =
        Command::new(NGINX_PROGRAM).arg("-t").arg("-c").arg(nginx_main(folder.path(), &example)).output();
    let read = read.expect(INSTALLED);
    assert!(read.status.success(), "{read:?}");
    fs::write(folder.path().join("Caddyfile"), CADDY).unwrap();
    let mut caddy = Command::new("caddy");
    caddy.args(["adapt", "--adapter", "caddyfile", "--config"]).arg(folder.path().join("Caddyfile"));
    let read = caddy.output().expect(INSTALLED);
    assert!(read.status.success(), "{read:?}");
}

#[test]
fn the_service_is_hardened_as_systemd_measures_it() {
    let looked =
        Command::new("systemd-analyze").args(["security", "--offline=true", "--threshold=15", UNIT]).output();
    let looked = looked.expect(INSTALLED);
    assert!(looked.status.success(), "{}", String::from_utf8_lossy(&looked.stdout));
}

const NGINX_PROGRAM: &str = "/usr/sbin/nginx";
const INSTALLED: &str = "`.ci/tools.sh test` installs nginx, caddy and systemd-analyze";

/// A proxy that ends with the test.
struct Proxy(Child);

impl Drop for Proxy {
    fn drop(&mut self) {
        // Asked to, it ends its workers as well. Who waits for a connection to end is not waited for.
        let _ = Command::new("kill").args(["-TERM", &self.0.id().to_string()]).status();
        for _ in 0..50 {
            if !matches!(self.0.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Another node, which does not answer.
fn gone() -> String {
    format!("127.0.0.1:{}", free_port())
}

/// Encryption is left out: who speaks to it here has no name to be certified.
fn nginx(folder: &Path, port: u16, hub: &str) -> Child {
    let example = NGINX.replace("listen 443 ssl http2;", &format!("listen 127.0.0.1:{port};"));
    let example = example.replace("127.0.0.1:3000", hub);
    let example = example.replace("# server 10.0.0.2:3000", &format!("server {}", gone()));
    let lines: Vec<_> = example.lines().filter(|line| !line.contains("ssl_certificate")).collect();
    let mut command = Command::new(NGINX_PROGRAM);
    command.args(["-g", "daemon off;", "-c"]).arg(nginx_main(folder, &lines.join("\n")));
    command.stderr(Stdio::null()).spawn().expect(INSTALLED)
}

/// What stands around the example on a machine.
fn nginx_main(folder: &Path, example: &str) -> std::path::PathBuf {
    let (main, place) = (folder.join("main.conf"), folder.display());
    let text = format!(
        "pid {place}/pid;\nerror_log {place}/error.log;\nevents {{}}\nhttp {{\naccess_log off;\n\
         client_body_temp_path {place}/body;\nproxy_temp_path {place}/proxy;\n{example}\n}}\n"
    );
    fs::write(&main, text).unwrap();
    main
}

fn caddy(folder: &Path, port: u16, hub: &str) -> Child {
    let example = CADDY.replace("hub.example.com {", &format!("http://127.0.0.1:{port} {{"));
    let example = example.replace("127.0.0.1:3000", hub).replace("10.0.0.2:3000", &gone());
    let example =
        ["to ", "health_", "lb_"].iter().fold(example, |text, word| text.replace(&format!("# {word}"), word));
    let example = format!("{{\n\tadmin off\n}}\n{example}");
    let file = folder.join("Caddyfile");
    fs::write(&file, example).unwrap();
    let mut command = Command::new("caddy");
    command.args(["run", "--adapter", "caddyfile", "--config"]).arg(file);
    command.env("XDG_DATA_HOME", folder).env("XDG_CONFIG_HOME", folder).env("HOME", folder);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect(INSTALLED)
}

async fn until_there(caller: &Caller) {
    let client: &Client = &caller.client;
    while client.get(format!("{}/healthz", caller.url)).send().await.is_err() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
