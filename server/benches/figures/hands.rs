//! What calls of tools cost, from the entry that one began to the entry that it ended, as a socket hears them, each
//! beside the bare thing: a file, a folder of files, a sandbox, a server of searches.

use crate::caller::Caller;
use crate::figure::{Figure, title};
use crate::model::{Model, Speech};
use crate::process::Process;
use crate::program::{self, Program, token};
use crate::stop::{Socket, follow, next};
use axum::Router;
use axum::routing::get;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::time::sleep;

/// In one folder of an agent, beside the one that is read.
const FILES: usize = 10_000;
const LINES: usize = 200;
/// Lines of each of the many.
const SHORT: usize = 20;
const LINE: &str = "The fern on the balcony has had its water, and the moss has not.";
const ROUNDS: usize = 20;
/// An agent searches once a second.
const PACE: Duration = Duration::from_millis(1100);

struct Scene {
    caller: Caller,
    agent: String,
    model: Model,
    socket: Socket,
}

/// Or why it cannot be had on this machine.
type Had<T> = Result<T, String>;

impl Scene {
    /// Milliseconds from the beginning of a call to its end, if it does what is asked.
    async fn call(&mut self, name: &'static str, input: &Value) -> Had<f64> {
        self.model.speak(Speech::Call { name, input: input.to_string() });
        self.caller.call("/api/agents/send", &json!({ "agent": self.agent, "text": "Go on." })).await;
        let (mut began, mut ended) = (None, Err(format!("{name} never ended")));
        // A call that is refused does not begin, and its run ends all the same.
        loop {
            let frame = next(&mut self.socket).await;
            let body = &frame["entry"]["body"];
            match body["type"].as_str() {
                Some("tool_started") => began = Some(Instant::now()),
                Some("tool_finished") if body["result"]["is_error"] == true => {
                    ended = Err(format!("{name}: {}", body["result"]["content"]));
                }
                Some("tool_finished") => ended = Ok(Instant::now()),
                Some("run_finished") => break,
                _ => {}
            }
        }
        let began = began.ok_or_else(|| format!("{name} never began"));
        Ok((ended? - began?).as_secs_f64() * 1e3)
    }
}

pub async fn measure() {
    let folder = TempDir::new().unwrap();
    let token = token(folder.path(), "ada");
    let process = Process::greeted(program::command(folder.path()).env("VIVARIUM_PERSON_REQUESTS", "0"));
    let url = process.greeting.strip_prefix("Vivarium is at ").expect("it says where it is");
    let url = url.replace("localhost", "127.0.0.1");
    let program = Program { process, url, folder };
    let caller = Caller::new(&program.url, &token);
    let model = Model::start().await;
    let agent = agent(&caller, &model.url).await;
    let socket = follow(&program, &token, &agent).await;
    let mut scene = Scene { caller, agent, model, socket };
    let bare = TempDir::new().unwrap();

    title("H1 the start of a command, in an empty folder");
    told(commands(&mut scene).await);
    title(&format!("H2 read, a file of {LINES} lines"));
    told(reads(&mut scene, bare.path()).await);
    title(&format!("H3 grep over {FILES} files of {SHORT} lines"));
    told(searches_of_files(&mut scene, bare.path()).await);
    title("H4 a search, one source on this machine");
    told(searches(&mut scene).await);
}

/// A figure that cannot be had keeps no other one from being taken.
fn told(figure: Had<()>) {
    if let Err(why) = figure {
        println!("| not to be had here | | {} |", why.replace(['|', '\n'], " "));
    }
}

async fn commands(scene: &mut Scene) -> Had<()> {
    let (mut ours, mut theirs) =
        (Figure::new("terminal: true", "ms"), Figure::new("bwrap --unshare-all true", "ms"));
    for _ in 0..ROUNDS {
        ours.raw.push(scene.call("terminal", &json!({ "command": "true" })).await?);
        theirs.raw.push(timed(&mut sandbox())?);
    }
    ours.print_beside(&theirs);
    Ok(())
}

async fn reads(scene: &mut Scene, bare: &Path) -> Had<()> {
    let text = format!("{LINE}\n").repeat(LINES);
    fs::write(bare.join("note.txt"), &text).unwrap();
    scene.call("write", &json!({ "path": "note.txt", "content": text })).await?;
    let (mut ours, mut theirs) = (Figure::new("read", "ms"), Figure::new("the file system", "ms"));
    for _ in 0..ROUNDS {
        ours.raw.push(scene.call("read", &json!({ "path": "note.txt" })).await?);
        let began = Instant::now();
        assert_eq!(fs::read_to_string(bare.join("note.txt")).unwrap().len(), text.len());
        theirs.raw.push(began.elapsed().as_secs_f64() * 1e3);
    }
    ours.print_beside(&theirs);
    Ok(())
}

async fn searches_of_files(scene: &mut Scene, bare: &Path) -> Had<()> {
    let fill = format!(
        "mkdir d; yes '{LINE}' | head -{} | split -l {SHORT} -a 5 -d - d/; echo needle >> d/00007",
        FILES * SHORT
    );
    scene.call("terminal", &json!({ "command": fill })).await?;
    let short = format!("{LINE}\n").repeat(SHORT);
    for number in 0..FILES {
        fs::write(bare.join(format!("{number}.txt")), &short).unwrap();
    }
    let (mut ours, mut theirs) = (Figure::new("grep", "ms"), Figure::new("grep -r, GNU", "ms"));
    for _ in 0..ROUNDS {
        ours.raw.push(scene.call("grep", &json!({ "pattern": "needle" })).await?);
        let mut grep = Command::new("grep");
        theirs.raw.push(timed(grep.arg("-rl").arg("needle").arg(bare).stdout(Stdio::null()))?);
    }
    ours.print_beside(&theirs);
    Ok(())
}

async fn agent(caller: &Caller, model_url: &str) -> String {
    let provider = json!({ "name": "Model", "kind": "open_ai", "base_url": model_url, "key": "key-good" });
    let provider = caller.call("/api/providers/save", &provider).await;
    let draft = json!({
        "name": "Ada", "colour": "#3a7d44", "provider": provider["id"], "model": "gpt-5-mini",
        "tools": ["read", "write", "grep", "terminal"], "home": "hub",
    });
    let id = caller.call("/api/agents/create", &draft).await["id"].as_str().unwrap().to_owned();
    for tool in ["terminal", "read", "write", "grep", "web_search"] {
        caller.call("/api/policy/add", &json!({ "agent": id, "tool": tool, "verdict": "allow" })).await;
    }
    caller.call("/api/agents/set_network", &json!({ "id": id, "policy": "public", "hosts": "" })).await;
    id
}

/// A search with one source, beside a request of the same server.
async fn searches(scene: &mut Scene) -> Had<()> {
    let results: Vec<Value> = (0..10)
        .map(|number| json!({ "title": "Moss", "url": format!("https://moss.example/{number}"), "content": LINE }))
        .collect();
    let answer = json!({ "results": results }).to_string();
    let router = Router::new().route("/search", get(move || async { answer }));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    #[expect(clippy::disallowed_methods, reason = "what a measurement starts belongs to it")]
    tokio::spawn(async { axum::serve(listener, router).await });
    scene.caller.call("/api/web_search/add", &json!({ "kind": "searxng", "base_url": url })).await;
    let client = Caller::new(&url, "");
    let (mut ours, mut theirs) =
        (Figure::new("web_search", "ms"), Figure::new("a request of the source", "ms"));
    for number in 0..ROUNDS {
        ours.raw.push(scene.call("web_search", &json!({ "query": format!("moss {number}") })).await?);
        let began = Instant::now();
        client.get("/search?q=moss&format=json", "identity").await.bytes().await.unwrap();
        theirs.raw.push(began.elapsed().as_secs_f64() * 1e3);
        sleep(PACE).await;
    }
    ours.print_beside(&theirs);
    Ok(())
}

/// What is around every command of an agent at least.
fn sandbox() -> Command {
    let mut command = Command::new("bwrap");
    command.args(["--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "--dev", "/dev", "true"]);
    command
}

fn timed(command: &mut Command) -> Had<f64> {
    let began = Instant::now();
    // What is searched for is nowhere here, which is an exit code of its own.
    command.status().map_err(|error| format!("{}: {error}", command.get_program().display()))?;
    Ok(began.elapsed().as_secs_f64() * 1e3)
}
