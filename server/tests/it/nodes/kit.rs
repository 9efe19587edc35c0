//! NATS, nodes, and a balancer in front of them.

use crate::live::agent;
use crate::world::{self, Caller, Endpoint, Line, Program, database, pass};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};
use std::thread;
use tempfile::TempDir;

/// The same on all nodes.
const MASTER_KEY: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/// As many as there are nodes when they are [`Nodes::peopled`].
pub const PEOPLE: [&str; 3] = ["ada", "bob", "eve"];

pub struct Nodes {
    nats: Child,
    balancer: Balancer,
    environment: Vec<(String, String)>,
    database: String,
    nodes: Vec<(u16, Program)>,
    /// Those of each node, where they have any.
    lines: Vec<Lines>,
    /// What nodes are that come from now on. Absent: the program that was built.
    program: Option<PathBuf>,
}

/// The ways of a node to what it needs.
pub struct Lines {
    pub database: Line,
    pub nats: Line,
}

/// Lets connections through to one port, which can be changed for those that come.
struct Balancer {
    url: String,
    to: Arc<AtomicU16>,
}

impl Nodes {
    /// One node, with what it takes to add others.
    pub fn start() -> Self {
        Self::start_with(&[])
    }

    /// The same, where nodes have these variables besides.
    pub fn start_with(settings: &[(&str, &str)]) -> Self {
        Self::start_as(None, settings)
    }

    /// The same, where each node has lines of its own, as many as there are people.
    pub fn start_on_lines(settings: &[(&str, &str)]) -> Self {
        let mut all = Self::begin(None, settings);
        all.lines = PEOPLE.map(|_| all.new_lines()).into();
        all.add();
        all.reach(0);
        all
    }

    /// The same of another program than the one that was built.
    pub fn start_as(program: Option<PathBuf>, settings: &[(&str, &str)]) -> Self {
        let mut all = Self::begin(program, settings);
        all.add();
        all.reach(0);
        all
    }

    /// What nodes need, and none of them yet.
    fn begin(program: Option<PathBuf>, settings: &[(&str, &str)]) -> Self {
        let port = free_port();
        // Where Debian puts it is not in the path of everybody.
        let installed = Path::new("/usr/sbin/nats-server");
        let server = if installed.exists() { installed } else { Path::new("nats-server") };
        let nats = Command::new(server)
            .args(["-a", "127.0.0.1", "-p", &port.to_string()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("nats-server is there: `make test` installs it");
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            thread::yield_now();
        }
        let (balancer, database) = (Balancer::start(), database());
        let environment = [
            ("DATABASE_URL", database.clone()),
            ("VIVARIUM_NATS_URL", format!("nats://127.0.0.1:{port}")),
            ("VIVARIUM_PUBLIC_URL", balancer.url.clone()),
            ("VIVARIUM_MASTER_KEY", MASTER_KEY.to_owned()),
            ("VIVARIUM_TRUSTED_PROXIES", "127.0.0.1".to_owned()),
            ("VIVARIUM_PRIVATE_ADDRESSES", "on".to_owned()),
        ];
        let settings = settings.iter().map(|(name, value)| (*name, (*value).to_owned()));
        let environment = environment.into_iter().chain(settings);
        let environment = environment.map(|(name, value)| (name.to_owned(), value)).collect();
        Self { nats, balancer, environment, database, nodes: Vec::new(), lines: Vec::new(), program }
    }

    fn new_lines(&self) -> Lines {
        let line = |wanted: &str| {
            let variable = self.environment.iter().find(|(name, _)| name == wanted);
            Line::to(&variable.expect("every node has it").1)
        };
        Lines { database: line("DATABASE_URL"), nats: line("VIVARIUM_NATS_URL") }
    }

    /// Those of one node.
    pub fn lines(&self, node: usize) -> &Lines {
        &self.lines[node]
    }

    /// One node more.
    pub fn add(&mut self) {
        self.add_with(&[]);
    }

    /// The same, with these variables besides.
    pub fn add_with(&mut self, settings: &[(&str, &str)]) {
        let node = self.new_node(self.nodes.len(), settings);
        self.nodes.push(node);
    }

    /// Each person on a node of their own: their agent, and who asks for them.
    pub async fn peopled(&mut self, endpoint: &Endpoint) -> Vec<(String, Caller)> {
        let mut people = Vec::new();
        for (node, name) in PEOPLE.into_iter().enumerate() {
            if node == self.nodes.len() {
                self.add();
            }
            let caller = self.caller(name);
            self.reach(node);
            people.push((agent(&caller, endpoint).await, caller));
        }
        people
    }

    /// Another node in the place of one that has ended.
    pub fn renew(&mut self, node: usize) {
        self.nodes[node] = self.new_node(node, &[]);
    }

    /// Nodes that come from now on are the program that was built.
    pub fn use_what_was_built(&mut self) {
        self.program = None;
    }

    fn new_node(&self, place: usize, settings: &[(&str, &str)]) -> (u16, Program) {
        let port = free_port();
        let address = format!("127.0.0.1:{port}");
        let mut environment: Vec<_> =
            self.environment.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        environment.push(("VIVARIUM_ADDR", &address));
        if let Some(Lines { database, nats }) = self.lines.get(place) {
            environment.push(("DATABASE_URL", &database.url));
            environment.push(("VIVARIUM_NATS_URL", &nats.url));
        }
        environment.extend_from_slice(settings);
        let node = match &self.program {
            Some(program) => Program::start_other(program, &environment),
            None => Program::start_in(TempDir::new().unwrap(), &environment),
        };
        (port, node)
    }

    /// Connections go to this node from now on.
    pub fn reach(&self, node: usize) {
        self.balancer.to.store(self.nodes[node].0, Ordering::SeqCst);
    }

    pub fn node(&mut self, node: usize) -> &mut Program {
        &mut self.nodes[node].1
    }

    pub fn signal(&self, node: usize, signal: &str) {
        send(self.nodes[node].1.id(), signal);
    }

    pub fn signal_nats(&self, signal: &str) {
        send(self.nats.id(), signal);
    }

    pub fn add_user(&self, name: &str) {
        self.nodes[0].1.add_user(name);
    }

    pub fn caller(&self, name: &str) -> Caller {
        self.nodes[0].1.caller(name)
    }

    /// Somebody who signs in from a browser.
    pub async fn browser(&self, name: &str) -> Caller {
        self.nodes[0].1.browser(name, "a browser").await
    }

    /// Nobody connects to the database any more, and who was connected is not; or all may again.
    pub fn let_connect(&self, may: bool) {
        world::let_connect(&self.database, may);
    }

    /// Places somebody on the node that came in this place. The one that has them may not know it for a while, so it
    /// is for people who do nothing meanwhile.
    pub fn move_person(&self, name: &str, node: usize) {
        let statement = format!(
            "UPDATE placements SET node_id = (SELECT id FROM nodes ORDER BY began_at OFFSET {node} LIMIT 1)
             WHERE user_id = (SELECT id FROM users WHERE login = '{name}')"
        );
        let moved = Command::new("psql").args([&self.database, "-qc", &statement]).status().unwrap();
        assert!(moved.success());
    }
}

impl Drop for Nodes {
    fn drop(&mut self) {
        // Who is stopped dies as well.
        let _ = self.nats.kill();
        let _ = self.nats.wait();
    }
}

impl Balancer {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let to = Arc::new(AtomicU16::new(0));
        let target = Arc::clone(&to);
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                // A node that is gone takes nobody.
                let Ok(node) = TcpStream::connect(("127.0.0.1", target.load(Ordering::SeqCst))) else {
                    continue;
                };
                let (client_too, node_too) = (client.try_clone().unwrap(), node.try_clone().unwrap());
                thread::spawn(move || pass(client, node));
                thread::spawn(move || pass(node_too, client_too));
            }
        });
        Self { url, to }
    }
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

fn send(process: u32, signal: &str) {
    let sent = Command::new("kill").args([&format!("-{signal}"), &process.to_string()]).status().unwrap();
    assert!(sent.success());
}
