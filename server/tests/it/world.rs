//! A running program with a data folder of its own, and people who make requests to it.

mod fresh;
mod line;

use fresh::fresh_folder;
pub use line::{Line, pass};
use reqwest::header::{COOKIE, HeaderMap, ORIGIN, SET_COOKIE};
use reqwest::{Client, ClientBuilder, Method, RequestBuilder, Response, redirect};
use serde_json::Value;
use std::env;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use url::Url;

pub const PASSWORD: &str = "correct horse battery";
/// A program that takes longer to end does not end.
const LONGEST_END: Duration = Duration::from_secs(180);

pub struct Program {
    process: Child,
    /// The file that it is.
    file: PathBuf,
    pub url: String,
    pub folder: TempDir,
    /// Variables that it and its commands have besides.
    environment: Vec<(String, String)>,
    /// Where its errors and logs go, if not where those of the test go.
    log: Option<PathBuf>,
}

impl Program {
    pub fn start() -> Self {
        Self::start_with(&[])
    }

    /// A program with these variables besides.
    pub fn start_with(environment: &[(&str, &str)]) -> Self {
        Self::launch(fresh_folder(), environment, None)
    }

    /// The same, whose log is a file.
    pub fn start_logged(environment: &[(&str, &str)], log: PathBuf) -> Self {
        Self::launch(fresh_folder(), environment, Some(log))
    }

    /// Another program than the one that was built.
    pub fn start_other(program: &Path, environment: &[(&str, &str)]) -> Self {
        let folder = TempDir::new().unwrap();
        let mut command = clean(program, folder.path());
        command.envs(environment.iter().copied()).current_dir(folder.path());
        let (process, url) = listen(command);
        Self { process, file: program.to_owned(), url, folder, environment: owned(environment), log: None }
    }

    /// A program that this command starts, and where in the layer of its container it keeps what it has.
    pub fn start_contained(command: Command, folder: TempDir, kept: &Path) -> Self {
        let (process, url) = listen(command);
        let environment = vec![("VIVARIUM_DATA_DIR".to_owned(), kept.to_str().unwrap().to_owned())];
        Self { process, file: PROGRAM.into(), url, folder, environment, log: None }
    }

    /// A program in this folder.
    pub fn start_in(folder: TempDir, environment: &[(&str, &str)]) -> Self {
        Self::launch(folder, environment, None)
    }

    fn launch(folder: TempDir, environment: &[(&str, &str)], log: Option<PathBuf>) -> Self {
        let environment = owned(environment);
        let (process, url) = spawn(Path::new(PROGRAM), folder.path(), &environment, log.as_deref());
        Self { process, file: PROGRAM.into(), url, folder, environment, log }
    }

    /// A program that a shell starts with these words before it, which take something from it.
    pub fn start_under(shell: &str, environment: &[(&str, &str)]) -> Self {
        let folder = TempDir::new().unwrap();
        let mut command = clean(Path::new("sh"), folder.path());
        command.args(["-c", &format!("{shell} \"$0\""), PROGRAM]).envs(environment.iter().copied());
        let (process, url) = listen(command);
        Self { process, file: PROGRAM.into(), url, folder, environment: Vec::new(), log: None }
    }

    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Asks it to stop, as a system does that is shut down.
    pub fn ask_to_stop(&self) {
        let id = self.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    }

    /// It has not ended.
    pub fn is_running(&mut self) -> bool {
        self.process.try_wait().unwrap().is_none()
    }

    /// Waits for its end. `true`: it ended well.
    pub fn ends_well(&mut self) -> bool {
        let until = Instant::now() + LONGEST_END;
        loop {
            if let Some(status) = self.process.try_wait().unwrap() {
                return status.success();
            }
            assert!(Instant::now() < until, "the program does not end");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// A program that people reach at another address, through a proxy.
    pub fn start_behind(public_url: &str) -> Self {
        let folder = TempDir::new().unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let address = format!("127.0.0.1:{port}");
        let mut command = base(folder.path());
        command.env("VIVARIUM_ADDR", &address).env("VIVARIUM_PUBLIC_URL", public_url);
        let (process, url) = listen(command);
        assert_eq!(url, public_url);
        let url = format!("http://{address}");
        Self { process, file: PROGRAM.into(), url, folder, environment: Vec::new(), log: None }
    }

    /// Ends the process as a power cut would.
    pub fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// Kills the process and starts another one on the same data.
    pub fn restart(&mut self) {
        self.kill();
        let (process, url) = spawn(&self.file, self.folder.path(), &self.environment, self.log.as_deref());
        self.process = process;
        self.url = url;
    }

    /// Runs a command beside the program.
    pub fn command(&self, arguments: &[&str], input: &str) -> Output {
        let pairs = self.environment.iter().map(|(name, value)| (name, value));
        let mut command = clean(&self.file, self.folder.path());
        command.envs(pairs);
        done(command, arguments, input)
    }

    /// Starts a command beside the program.
    pub fn spawn(&self, arguments: &[&str], output: Stdio) -> Child {
        let environment = self.environment.iter().map(|(name, value)| (name, value));
        clean(&self.file, self.folder.path())
            .envs(environment)
            .args(arguments)
            .stdout(output)
            .spawn()
            .unwrap()
    }

    pub fn add_user(&self, name: &str) {
        let output = self.command(&["user", "add", name, "--password-stdin"], PASSWORD);
        assert!(output.status.success(), "{output:?}");
    }

    /// A personal token of a new person.
    pub fn token(&self, name: &str) -> String {
        self.add_user(name);
        let output = self.command(&["token", "create", "--user", name], "");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// A program with a personal token.
    pub fn caller(&self, name: &str) -> Caller {
        Caller::with_token(self.url.clone(), self.token(name))
    }

    /// Someone who is not signed in.
    pub fn stranger(&self) -> Caller {
        Caller { client: client(), url: self.url.clone(), who: Who::Nobody }
    }

    /// A person who signs in from a browser.
    pub async fn browser(&self, name: &str, user_agent: &str) -> Caller {
        let response = self
            .stranger()
            .request(Method::POST, "/api/account/sign_in")
            .header(ORIGIN, &self.url)
            .header("user-agent", user_agent)
            .header("content-type", "application/x-www-form-urlencoded")
            .body(format!("name={name}&password={}", PASSWORD.replace(' ', "+")))
            .send()
            .await
            .unwrap();
        assert!(
            response.status().is_success() || response.status().is_redirection(),
            "{}",
            response.status()
        );
        let cookie = session_cookie(response.headers()).expect("signing in sets the session cookie");
        Caller { client: client(), url: self.url.clone(), who: Who::Cookie(cookie) }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[derive(Clone)]
pub struct Caller {
    pub client: Client,
    pub url: String,
    pub who: Who,
}

#[derive(Clone)]
pub enum Who {
    Nobody,
    Token(String),
    /// `name=value`
    Cookie(String),
}

impl Caller {
    /// The same program or browser with another token or cookie.
    pub fn with(&self, who: Who) -> Self {
        Self { who, ..self.clone() }
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.client.request(method, format!("{}{path}", self.url));
        match &self.who {
            Who::Nobody => request,
            Who::Token(token) => request.bearer_auth(token),
            Who::Cookie(cookie) => request.header(COOKIE, cookie),
        }
    }

    pub async fn get(&self, path: &str) -> Response {
        self.request(Method::GET, path).send().await.unwrap()
    }

    /// Posts JSON with our own Origin.
    pub async fn post(&self, path: &str, body: &Value) -> Response {
        self.request(Method::POST, path).header(ORIGIN, &self.url).json(body).send().await.unwrap()
    }

    pub fn with_token(url: String, token: String) -> Self {
        Self { client: client(), url, who: Who::Token(token) }
    }

    /// The same without connections of before.
    pub fn anew(&self) -> Self {
        Self { client: client(), ..self.clone() }
    }

    /// Posts JSON and reads the answer, which has to be a good one.
    pub async fn call(&self, path: &str, body: &Value) -> Value {
        let response = self.post(path, body).await;
        let status = response.status();
        let text = response.text().await.unwrap();
        assert!(status.is_success(), "{path}: {status} {text}");
        serde_json::from_str(&text).unwrap()
    }
}

pub fn session_cookie(headers: &HeaderMap) -> Option<String> {
    let set = headers.get(SET_COOKIE)?.to_str().ok()?;
    set.split(';').next().map(str::to_owned)
}

/// Between two looks: what is looked at has the processor meanwhile.
pub async fn a_moment() {
    tokio::time::sleep(Duration::from_millis(5)).await;
}

fn client() -> Client {
    builder().build().unwrap()
}

#[expect(clippy::disallowed_methods, reason = "a test speaks to the program it started")]
fn builder() -> ClientBuilder {
    // Whoever was first has chosen the same one.
    let _ = rustls::crypto::ring::default_provider().install_default();
    // A hub that never answers ends its test, which says where.
    let silence = Duration::from_secs(300);
    // The hub gives up a connection on which nothing is asked, and a test that waits for a command does not see it.
    let idle = Duration::from_secs(2);
    Client::builder()
        .redirect(redirect::Policy::none())
        .no_proxy()
        .read_timeout(silence)
        .pool_idle_timeout(idle)
}

/// Runs the program to its end.
pub fn run(folder: &Path, environment: &[(&str, &str)], arguments: &[&str], input: &str) -> Output {
    let mut command = base(folder);
    command.envs(environment.iter().copied());
    done(command, arguments, input)
}

fn done(mut command: Command, arguments: &[&str], input: &str) -> Output {
    let mut process = command
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that ends without reading its input closes the pipe.
    let _ = process.stdin.take().unwrap().write_all(input.as_bytes());
    process.wait_with_output().unwrap()
}

/// Starts a command in the folder.
pub fn spawn_in(folder: &Path, environment: &[(&str, &str)], arguments: &[&str]) -> Child {
    let mut command = base(folder);
    command.envs(environment.iter().copied()).args(arguments).stdout(Stdio::null());
    command.spawn().unwrap()
}

fn spawn(
    program: &Path,
    folder: &Path,
    environment: &[(String, String)],
    log: Option<&Path>,
) -> (Child, String) {
    let mut command = clean(program, folder);
    command.envs(environment.iter().map(|(name, value)| (name, value)));
    if let Some(log) = log {
        let file = File::options().create(true).append(true).open(log).unwrap();
        command.stderr(file);
    }
    listen(command)
}

/// Starts the program and waits until it says where it is.
fn listen(mut command: Command) -> (Child, String) {
    let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let url = line.trim().strip_prefix("Vivarium is at ").expect("it says where it is").to_owned();
    (process, url)
}

pub const PROGRAM: &str = env!("CARGO_BIN_EXE_vivarium");

fn owned(environment: &[(&str, &str)]) -> Vec<(String, String)> {
    environment.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn base(folder: &Path) -> Command {
    clean(Path::new(PROGRAM), folder)
}

/// A throwaway store and a port that is free; nothing of the surroundings.
pub fn clean(program: &Path, folder: &Path) -> Command {
    let mut command = Command::new(program);
    for name in ["DATABASE_URL", "VIVARIUM_PUBLIC_URL", "VIVARIUM_MASTER_KEY"] {
        command.env_remove(name);
    }
    command.env("VIVARIUM_DATA_DIR", folder).env("VIVARIUM_ADDR", "127.0.0.1:0");
    command.env("VIVARIUM_CONFIG", "/dev/null");
    // Tests count the calls of models.
    command.env("VIVARIUM_SIDE_CALLS", "off");
    command
}

/// An empty database of the PostgreSQL that TEST_DATABASE_URL names.
pub fn database() -> String {
    let server =
        env::var("TEST_DATABASE_URL").expect("TEST_DATABASE_URL names a PostgreSQL: `make test` starts one");
    let name = format!("program_{}", hub::clock::new_id());
    let made = Command::new("psql").args([&server, "-qc", &format!("CREATE DATABASE {name}")]).output();
    let made = made.expect("psql comes with PostgreSQL");
    assert!(made.status.success(), "{made:?}");
    let mut url = Url::parse(&server).unwrap();
    url.set_path(&name);
    url.to_string()
}

/// Gives its address under its new name. Nobody may be connected to it.
pub fn rename(database: &str, name: &str) -> String {
    let mut url = Url::parse(database).unwrap();
    let former = url.path().trim_start_matches('/').to_owned();
    let server = env::var("TEST_DATABASE_URL").expect("the database is on it");
    let statement = format!("ALTER DATABASE {former} RENAME TO {name}");
    let done = Command::new("psql").args([&server, "-qc", &statement]).output().unwrap();
    assert!(done.status.success(), "{done:?}");
    url.set_path(name);
    url.to_string()
}

/// Nobody connects to this database any more, and who was connected is not; or all may again.
pub fn let_connect(database: &str, may: bool) {
    let name = Url::parse(database).unwrap().path().trim_start_matches('/').to_owned();
    let statements = format!(
        "ALTER DATABASE {name} WITH ALLOW_CONNECTIONS {may};
         SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}' AND NOT {may}"
    );
    let server = env::var("TEST_DATABASE_URL").expect("the database is on it");
    let done = Command::new("psql").args([&server, "-qc", &statements]).output().unwrap();
    assert!(done.status.success(), "{done:?}");
}

/// The scripted model server of the end-to-end tests, as a process of its own.
pub struct Endpoint {
    process: Child,
    client: Client,
    pub url: String,
}

impl Endpoint {
    pub fn start() -> Self {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../end2end/endpoints/model.mjs");
        let mut process = Command::new("node").args([script, "0"]).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let url = line.trim().strip_prefix("listening ").expect("it says where it listens").to_owned();
        // It closes what is idle for a while, which may be just when something is sent.
        let client = builder().pool_max_idle_per_host(0).build().unwrap();
        Self { process, client, url }
    }

    /// What it was asked, and what it told of each.
    pub async fn requests(&self) -> Vec<Value> {
        self.client.get(format!("{}/requests", self.url)).send().await.unwrap().json().await.unwrap()
    }

    /// Lets the replies go on that wait at their script's gate, as soon as there is one.
    pub async fn open_gate(&self) {
        self.client.post(format!("{}/gate", self.url)).send().await.unwrap();
    }

    /// Opens every gate until this is done.
    pub async fn with_open_gates<T>(&self, work: impl Future<Output = T>) -> T {
        let open = async {
            loop {
                self.open_gate().await;
                a_moment().await;
            }
        };
        tokio::select! {
            done = work => done,
            () = open => unreachable!("it opens them until the work is done"),
        }
    }

    /// The same for one of them.
    pub async fn open_gate_once(&self) {
        self.client.post(format!("{}/gate?count=1", self.url)).send().await.unwrap();
    }

    /// How its last call ended; `null` while it is under way.
    pub async fn ended(&self) -> Value {
        self.requests().await.last().map_or(Value::Null, |call| call["ended"].clone())
    }
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
