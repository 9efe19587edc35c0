//! MCP servers elsewhere: those of others, as processes, and one that does whatever a test wants of it.

use super::http_request::read_request;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// The head of an answer in events, after which it hangs up.
const EVENTS: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";

/// A server that others wrote.
pub struct RealMcp {
    process: Child,
    address: SocketAddr,
    pub url: String,
}

impl RealMcp {
    /// Of today's version, by the SDK for Python.
    pub fn modern() -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mcp");
        let mut command = Command::new(folder.join(".venv/bin/python"));
        command.arg(folder.join("garden.py"));
        Self::start(command, |command, port| {
            command.arg(port.to_string());
        })
    }

    /// One that lets nobody in who has not signed in, whose tokens are good for so many seconds.
    pub fn guarded(seconds: u32) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mcp");
        let mut command = Command::new(folder.join(".venv/bin/python"));
        command.arg(folder.join("guarded.py"));
        Self::start(command, |command, port| {
            command.args([port.to_string(), seconds.to_string()]);
        })
    }

    /// Of the version before, with sessions: the reference server in Node.js.
    pub fn legacy() -> Self {
        let script = "/../../end2end/node_modules/@modelcontextprotocol/server-everything/dist/index.js";
        let mut command = Command::new("node");
        command.args([&format!("{}{script}", env!("CARGO_MANIFEST_DIR")), "streamableHttp"]);
        Self::start(command, |command, port| {
            command.env("PORT", port.to_string());
        })
    }

    /// One whose tools have pages: an example of the protocol's authors, by its package.
    pub fn with_pages(package: &str) -> Self {
        let packages =
            concat!(env!("CARGO_MANIFEST_DIR"), "/../../end2end/node_modules/@modelcontextprotocol");
        let mut command = Command::new("sh");
        // It says that it listens where nobody of ours reads.
        command.args(["-c", "exec node \"$0\" 1>&2", &format!("{packages}/{package}/dist/index.js")]);
        Self::start(command, |command, port| {
            command.env("PORT", port.to_string());
        })
    }

    fn start(mut command: Command, listen: impl FnOnce(&mut Command, u16)) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        listen(&mut command, port);
        let process = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
        let mut process = process.expect("`.ci/tools.sh test` installs the servers");
        let mut lines =
            BufReader::new(process.stderr.take().expect("it is piped")).lines().map_while(Result::ok);
        let listens = |line: &String| line.contains("listening on ") || line.contains("running on http");
        lines.find(listens).expect("it says that it listens");
        thread::spawn(move || lines.for_each(drop));
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        Self { process, address, url: format!("http://{address}/mcp") }
    }

    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The host as a rule names it.
    pub fn host(&self) -> String {
        self.address.to_string()
    }
}

impl Drop for RealMcp {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// What a server does with every request.
#[derive(Clone, Debug)]
pub enum Mood {
    Well,
    /// Answers with this status and these lines of the head, and nothing else.
    Status(&'static str, &'static str),
    /// Answers with this text, of this kind.
    Text(&'static str, &'static str),
    /// Takes the request and says nothing.
    Silent,
    /// Says what it says before an answer to a call, and answers when it is in another mood.
    Slow,
    /// Answers without an end.
    Endless,
}

/// A server that does what a test wants of it.
#[derive(Clone)]
pub struct FakeMcp {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
}

struct State {
    mood: Mood,
    /// `None`: of today's version.
    legacy: Option<&'static str>,
    /// What it says that it has. `None`: tools, and in today's version prompts.
    capabilities: Option<Value>,
    /// The session that is known, by its number.
    session: usize,
    tools: Vec<Value>,
    prompts: Vec<Value>,
    /// `None`: it does not know the word.
    resources: Option<Vec<Value>>,
    /// `None`: it does not know the word.
    skills: Option<Vec<Value>>,
    /// Texts by their addresses.
    texts: Vec<(String, String)>,
    /// What a call brings.
    result: Value,
    /// What it says before it answers a call.
    before: Vec<Value>,
    heard: Vec<(String, Value)>,
    /// Requests that were given up before they were answered.
    given_up: usize,
    /// `None`: it says nothing by itself.
    own: Option<Vec<Value>>,
    listeners: usize,
    /// What it says to a call, cut where one ends, and the next to whoever comes back for it.
    pieces: VecDeque<String>,
    /// The number of the call that it cut.
    cut: Value,
    /// The heads of what came by GET.
    gets: Vec<String>,
    /// To what it answers with an error the next time, with which status, and which one.
    refusal: Option<(&'static str, &'static str, i64)>,
}

impl FakeMcp {
    pub fn start(tools: &[Value]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let state = State {
            mood: Mood::Well,
            legacy: None,
            capabilities: None,
            session: 1,
            tools: tools.to_vec(),
            prompts: Vec::new(),
            resources: None,
            skills: None,
            texts: Vec::new(),
            result: json!({ "content": [{ "type": "text", "text": "Watered." }] }),
            before: Vec::new(),
            heard: Vec::new(),
            given_up: 0,
            own: None,
            listeners: 0,
            pieces: VecDeque::new(),
            cut: Value::Null,
            gets: Vec::new(),
            refusal: None,
        };
        let fake = Self { address, state: Arc::new(Mutex::new(state)) };
        let serving = fake.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let serving = serving.clone();
                thread::spawn(move || serving.serve(stream));
            }
        });
        fake
    }

    pub fn speaking(self, version: &'static str) -> Self {
        self.state.lock().unwrap().legacy = Some(version);
        self
    }

    pub fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    pub fn host(&self) -> String {
        self.address.to_string()
    }

    /// What it says that it has when it is met.
    pub fn declare(&self, capabilities: Value) {
        self.state.lock().unwrap().capabilities = Some(capabilities);
    }

    pub fn mood(&self, mood: Mood) {
        self.state.lock().unwrap().mood = mood;
    }

    pub fn offer(&self, tools: &[Value]) {
        self.state.lock().unwrap().tools = tools.to_vec();
    }

    pub fn offer_prompts(&self, prompts: &[Value]) {
        self.state.lock().unwrap().prompts = prompts.to_vec();
    }

    pub fn offer_resources(&self, resources: &[Value], texts: &[(&str, &str)]) {
        let mut state = self.state.lock().unwrap();
        state.resources = Some(resources.to_vec());
        state.texts = texts.iter().map(|(uri, text)| ((*uri).to_owned(), (*text).to_owned())).collect();
    }

    pub fn offer_skills(&self, skills: &[Value], texts: &[(&str, &str)]) {
        let mut state = self.state.lock().unwrap();
        state.skills = Some(skills.to_vec());
        state.texts = texts.iter().map(|(uri, text)| ((*uri).to_owned(), (*text).to_owned())).collect();
    }

    pub fn bring(&self, result: Value) {
        self.state.lock().unwrap().result = result;
    }

    /// Has it say these before it answers a call, as events.
    pub fn say_before(&self, messages: &[Value]) {
        self.state.lock().unwrap().before = messages.to_vec();
    }

    /// Says these by itself from now on, to whoever listens.
    pub fn say_itself(&self, messages: &[Value]) {
        self.state.lock().unwrap().own.get_or_insert_default().extend_from_slice(messages);
    }

    pub fn listeners(&self) -> usize {
        self.state.lock().unwrap().listeners
    }

    /// Has it answer the next call with these events, and hang up after each; `$ANSWER` is the answer.
    pub fn answer_in_pieces(&self, pieces: &[&str]) {
        self.state.lock().unwrap().pieces = pieces.iter().map(|piece| (*piece).to_owned()).collect();
    }

    /// The heads of what came by GET, in small letters.
    pub fn gets(&self) -> Vec<String> {
        self.state.lock().unwrap().gets.clone()
    }

    /// Has it answer the next request of this method with an error, and this status.
    pub fn refuse(&self, method: &'static str, status: &'static str, code: i64) {
        self.state.lock().unwrap().refusal = Some((method, status, code));
    }

    pub fn forget_session(&self) {
        self.state.lock().unwrap().session += 1;
    }

    pub fn given_up(&self) -> usize {
        self.state.lock().unwrap().given_up
    }

    /// The methods that it was asked for.
    pub fn methods(&self) -> Vec<String> {
        let state = self.state.lock().unwrap();
        let named = state.heard.iter().filter_map(|(_, message)| message["method"].as_str());
        named.map(str::to_owned).collect()
    }

    pub fn messages(&self) -> Vec<Value> {
        self.state.lock().unwrap().heard.iter().map(|(_, message)| message.clone()).collect()
    }

    /// The heads of requests, in small letters.
    pub fn heads(&self) -> Vec<String> {
        self.state.lock().unwrap().heard.iter().map(|(head, _)| head.clone()).collect()
    }

    fn serve(&self, mut stream: TcpStream) -> Option<()> {
        let mut reader = BufReader::new(stream.try_clone().ok()?);
        loop {
            let (head, body) = read_request(&mut reader)?;
            let head = head.to_ascii_lowercase();
            let message: Value = serde_json::from_slice(&body).unwrap_or_default();
            if head.starts_with("get ") {
                self.state.lock().unwrap().gets.push(head.clone());
                return self.said_to_who_listens(&head, stream);
            }
            let mood = {
                let mut state = self.state.lock().unwrap();
                state.heard.push((head.clone(), message.clone()));
                state.mood.clone()
            };
            if message["method"] == "subscriptions/listen" {
                return self.said_to_who_listens(&head, stream);
            }
            if message["method"] == "tools/call"
                && let Some(piece) = self.piece(Some(&message["id"]))
            {
                return stream.write_all(&piece).ok();
            }
            match mood {
                Mood::Slow if message["method"] == "tools/call" => {
                    let mut events = self.events(&message);
                    let answer = events.pop()?;
                    stream.write_all(format!("{EVENTS}{}", events.concat()).as_bytes()).ok()?;
                    while matches!(self.state.lock().unwrap().mood, Mood::Slow) {
                        thread::sleep(Duration::from_millis(5));
                    }
                    stream.write_all(answer.as_bytes()).ok()?;
                    return None;
                }
                Mood::Well | Mood::Slow => stream.write_all(&self.answer(&head, &message)).ok()?,
                Mood::Status(status, more) => {
                    let answer = format!("HTTP/1.1 {status}\r\n{more}content-length: 0\r\n\r\n");
                    stream.write_all(answer.as_bytes()).ok()?;
                }
                Mood::Text(kind, text) => stream.write_all(&whole("200 OK", kind, "", text)).ok()?,
                Mood::Silent => {
                    let mut byte = [0];
                    // It ends when the other side hangs up.
                    let _ = reader.read(&mut byte);
                    self.state.lock().unwrap().given_up += 1;
                    return None;
                }
                Mood::Endless => {
                    stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n[").ok()?;
                    while stream.write_all(&[b' '; 64 * 1024]).is_ok() {}
                    return None;
                }
            }
        }
    }

    /// `call`: the one that it is asked by; who comes back names none.
    fn piece(&self, call: Option<&Value>) -> Option<Vec<u8>> {
        let mut state = self.state.lock().unwrap();
        let piece = state.pieces.pop_front()?;
        if let Some(call) = call {
            state.cut = call.clone();
        }
        let answer = json!({ "jsonrpc": "2.0", "id": state.cut, "result": state.result }).to_string();
        Some([EVENTS, &piece.replace("$ANSWER", &answer)].concat().into_bytes())
    }

    /// Until one of the two hangs up.
    fn said_to_who_listens(&self, head: &str, mut stream: TcpStream) -> Option<()> {
        if head.contains("last-event-id: ")
            && let Some(piece) = self.piece(None)
        {
            return stream.write_all(&piece).ok();
        }
        if self.state.lock().unwrap().own.is_none() {
            return stream
                .write_all(
                    b"HTTP/1.1 405 Method Not Allowed\r\nconnection: close\r\ncontent-length: 0\r\n\r\n",
                )
                .ok();
        }
        stream.write_all(EVENTS.as_bytes()).ok()?;
        stream.set_read_timeout(Some(Duration::from_millis(5))).ok()?;
        self.state.lock().unwrap().listeners += 1;
        while !matches!(stream.read(&mut [0]), Ok(0)) {
            let said = self.state.lock().unwrap().own.as_mut().map(std::mem::take).unwrap_or_default();
            let said: String = said.iter().map(|message| format!("data: {message}\n\n")).collect();
            if stream.write_all(said.as_bytes()).is_err() {
                break;
            }
        }
        self.state.lock().unwrap().listeners -= 1;
        None
    }

    /// What it says to a call, the answer last.
    fn events(&self, message: &Value) -> Vec<String> {
        let state = self.state.lock().unwrap();
        let answer = json!({ "jsonrpc": "2.0", "id": message["id"], "result": state.result });
        said(&state.before, message).chain([answer]).map(|message| format!("data: {message}\n\n")).collect()
    }

    fn answer(&self, head: &str, message: &Value) -> Vec<u8> {
        let mut state = self.state.lock().unwrap();
        let (id, method) = (&message["id"], message["method"].as_str().unwrap_or_default());
        if let Some((_, status, code)) = state.refusal.take_if(|(refused, ..)| *refused == method) {
            let error = json!({ "code": code, "message": "No." });
            let text = json!({ "jsonrpc": "2.0", "id": id, "error": error }).to_string();
            return whole(status, "application/json", "", &text);
        }
        let session = format!("mcp-session-id: s-{}\r\n", state.session);
        if let Some(version) = state.legacy {
            match method {
                "initialize" => {
                    let capabilities = state.capabilities.clone().unwrap_or(json!({ "tools": {} }));
                    let result = json!({ "protocolVersion": version, "capabilities": capabilities });
                    let text = json!({ "jsonrpc": "2.0", "id": id, "result": result }).to_string();
                    return whole("200 OK", "application/json", &session, &text);
                }
                "server/discover" => return whole("400 Bad Request", "text/html", "", "<h1>No</h1>"),
                _ if !head.contains(session.trim_end()) => {
                    return whole("404 Not Found", "text/plain", "", "no session");
                }
                _ => {}
            }
        }
        if id.is_null() || method.is_empty() {
            return b"HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n".to_vec();
        }
        let result = match method {
            "server/discover" => {
                let tools = json!({ "listChanged": state.own.is_some() });
                let capabilities = state.capabilities.clone();
                let capabilities = capabilities.unwrap_or(json!({ "tools": tools, "prompts": {} }));
                json!({ "supportedVersions": ["2026-07-28"], "capabilities": capabilities })
            }
            "tools/list" => page("tools", &state.tools, message),
            "prompts/list" => page("prompts", &state.prompts, message),
            "resources/list" if state.resources.is_some() => {
                page("resources", state.resources.as_deref().unwrap_or_default(), message)
            }
            "skills/list" if state.skills.is_some() => {
                page("skills", state.skills.as_deref().unwrap_or_default(), message)
            }
            "resources/read" if !state.texts.is_empty() => {
                let wanted = state.texts.iter().find(|(uri, _)| message["params"]["uri"] == **uri);
                json!({ "contents": [wanted.map(|(uri, text)| json!({ "uri": uri, "text": text }))] })
            }
            _ => state.result.clone(),
        };
        let answer = json!({ "jsonrpc": "2.0", "id": id, "result": result });
        if method == "tools/call" && !state.before.is_empty() {
            let events: String = said(&state.before, message)
                .chain([answer])
                .map(|message| format!("data: {message}\n\n"))
                .collect();
            return whole("200 OK", "text/event-stream", "", &events);
        }
        whole("200 OK", "application/json", "", &answer.to_string())
    }
}

/// What is said before the answer to a request: where a message is about how far that is, it says so of this one.
fn said(before: &[Value], request: &Value) -> impl Iterator<Item = Value> {
    let token = request["params"]["_meta"]["progressToken"].clone();
    before.iter().cloned().map(move |mut message| {
        if message["params"]["progressToken"] == "this" {
            message["params"]["progressToken"] = token.clone();
        }
        message
    })
}

/// A hundred at a time.
fn page(name: &str, all: &[Value], message: &Value) -> Value {
    let from: usize = message["params"]["cursor"].as_str().and_then(|from| from.parse().ok()).unwrap_or(0);
    let to = (from + 100).min(all.len());
    let mut page = json!({ name: all[from..to] });
    if to < all.len() {
        page["nextCursor"] = json!(to.to_string());
    }
    page
}

fn whole(status: &str, kind: &str, head: &str, text: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status}\r\ncontent-type: {kind}\r\n{head}content-length: {}\r\n\r\n{text}", text.len())
        .into_bytes()
}
