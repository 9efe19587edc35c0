//! One node, or several with one PostgreSQL and one NATS, as released programs.

use crate::process::Process;
use crate::program::{self, Program};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;
use url::Url;

/// The same on all nodes.
const MASTER_KEY: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

pub struct Nodes {
    nodes: Vec<Program>,
    environment: Vec<(&'static str, String)>,
    /// It ends behind the nodes.
    _nats: Option<Process>,
}

impl Nodes {
    pub fn start(count: usize, server: Option<&str>) -> Self {
        let mut environment =
            vec![("VIVARIUM_PERSON_REQUESTS", "0".to_owned()), ("VIVARIUM_SIDE_CALLS", "off".to_owned())];
        if let Some(server) = server {
            environment.push(("DATABASE_URL", database(server)));
        }
        let mut nats = None;
        if count > 1 {
            let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
            nats = Some(start_nats(port));
            environment.push(("VIVARIUM_NATS_URL", format!("nats://127.0.0.1:{port}")));
            environment.push(("VIVARIUM_MASTER_KEY", MASTER_KEY.to_owned()));
        }
        let nodes = (0..count).map(|_| Program::start_with(&environment)).collect();
        Self { nodes, environment, _nats: nats }
    }

    pub fn node(&self, number: usize) -> &Program {
        &self.nodes[number]
    }

    /// Adds a person and gives a personal token of theirs.
    pub fn token(&self, name: &str) -> String {
        program::token_with(self.nodes[0].folder.path(), &self.environment, name)
    }

    pub fn cpu(&self) -> Duration {
        self.nodes.iter().map(|node| node.process.cpu()).sum()
    }

    /// In MiB.
    pub fn memory(&self) -> f64 {
        self.nodes.iter().map(|node| node.process.memory("Pss_Anon")).sum()
    }
}

/// An empty database of this PostgreSQL.
fn database(server: &str) -> String {
    let name = format!("bench_{}", hub::clock::new_id());
    let made = Command::new("psql").args([server, "-qc", &format!("CREATE DATABASE {name}")]).status();
    assert!(made.expect("psql comes with PostgreSQL").success());
    let mut url = Url::parse(server).unwrap();
    url.set_path(&name);
    url.to_string()
}

fn start_nats(port: u16) -> Process {
    // Where Debian puts it is not in the path of everybody.
    let installed = Path::new("/usr/sbin/nats-server");
    let mut command = Command::new(if installed.exists() { installed } else { Path::new("nats-server") });
    command.args(["-a", "127.0.0.1", "-p", &port.to_string(), "-l", "/dev/null"]);
    let nats = Process::spawned(&mut command);
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        thread::yield_now();
    }
    nats
}
