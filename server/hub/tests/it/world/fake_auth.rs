//! An MCP server that lets nobody in without a token, and the sign-in in front of it, which says whatever a test wants.

use super::http_request::read_request;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// What it says at one path, in place of what would be right.
#[derive(Clone, Debug)]
pub enum Said {
    Json(Value),
    /// The same, with this status.
    Refusal(&'static str, Value),
    /// A status and lines of the head.
    Status(&'static str, String),
    /// A hundred megabytes, or as many as are read.
    Endless,
}

#[derive(Clone)]
pub struct FakeAuth {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    said: HashMap<&'static str, Said>,
    heard: Vec<(String, String)>,
    /// The method of MCP that it knows nobody for, the next time.
    unknown: Option<&'static str>,
}

impl FakeAuth {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let fake = Self { address: listener.local_addr().expect("it is bound"), state: Arc::default() };
        let serving = fake.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let serving = serving.clone();
                thread::spawn(move || serving.serve(stream));
            }
        });
        fake
    }

    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn say(&self, path: &'static str, said: Said) {
        self.state.lock().unwrap().said.insert(path, said);
    }

    pub fn unsay(&self, path: &str) {
        self.state.lock().unwrap().said.remove(path);
    }

    /// Has it know nobody by their token, the next time that they ask for this.
    pub fn forget_token_at(&self, method: &'static str) {
        self.state.lock().unwrap().unknown = Some(method);
    }

    /// Head and body of each request at the path.
    pub fn heard(&self, path: &str) -> Vec<(String, String)> {
        let state = self.state.lock().unwrap();
        let at = |(head, _): &&(String, String)| path_of(head) == Some(path);
        state.heard.iter().filter(at).cloned().collect()
    }

    /// What it says of itself where it does not lie.
    pub fn metadata(&self) -> Value {
        let origin = self.origin();
        json!({
            "issuer": origin,
            "authorization_endpoint": format!("{origin}/authorize"),
            "token_endpoint": format!("{origin}/token"),
            "registration_endpoint": format!("{origin}/register"),
            "revocation_endpoint": format!("{origin}/revoke"),
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["none"],
            "authorization_response_iss_parameter_supported": true,
            "client_id_metadata_document_supported": true,
            "scopes_supported": ["garden", "offline_access"],
        })
    }

    fn serve(&self, mut stream: TcpStream) -> Option<()> {
        let mut reader = BufReader::new(stream.try_clone().ok()?);
        loop {
            let (head, body) = read_request(&mut reader)?;
            let path = path_of(&head)?.to_owned();
            let said = {
                let mut state = self.state.lock().unwrap();
                state.heard.push((head.clone(), String::from_utf8_lossy(&body).into_owned()));
                state.said.get(path.as_str()).cloned()
            };
            let said = said.unwrap_or_else(|| self.right(&path, &head, &body));
            match said {
                Said::Json(value) => write(&mut stream, "200 OK", "", &value.to_string())?,
                Said::Refusal(status, value) => write(&mut stream, status, "", &value.to_string())?,
                Said::Status(status, head) => write(&mut stream, status, &head, "{}")?,
                Said::Endless => {
                    stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n[").ok()?;
                    for _ in 0..1600 {
                        stream.write_all(&[b' '; 64 * 1024]).ok()?;
                    }
                    return None;
                }
            }
        }
    }

    fn right(&self, path: &str, head: &str, body: &[u8]) -> Said {
        let origin = self.origin();
        match path {
            "/mcp" if head.to_ascii_lowercase().contains("authorization: bearer token-canary-") => {
                let message = serde_json::from_slice::<Value>(body).unwrap_or_default();
                let method = message["method"].as_str().unwrap_or_default();
                if self.state.lock().unwrap().unknown.take_if(|unknown| *unknown == method).is_some() {
                    return Said::Status("401 Unauthorized", String::new());
                }
                let task = |status: &str| json!({ "resultType": "task", "taskId": "t", "status": status, "pollIntervalMs": 1 });
                let result = match method {
                    "tools/call" => task("working"),
                    "tasks/get" => {
                        let mut done = task("completed");
                        done["result"] = json!({ "content": [{ "type": "text", "text": "Watered." }] });
                        done
                    }
                    _ => json!({
                        "supportedVersions": ["2026-07-28"], "capabilities": { "tools": {} },
                        "tools": [{ "name": "water", "inputSchema": { "type": "object" } }],
                    }),
                };
                Said::Json(json!({ "jsonrpc": "2.0", "id": message["id"], "result": result }))
            }
            "/mcp" => {
                let at = format!("{origin}/.well-known/oauth-protected-resource/mcp");
                let head =
                    format!("www-authenticate: Bearer scope=\"garden\", resource_metadata=\"{at}\"\r\n");
                Said::Status("401 Unauthorized", head)
            }
            "/.well-known/oauth-protected-resource/mcp" => {
                Said::Json(json!({ "resource": format!("{origin}/mcp"), "authorization_servers": [origin] }))
            }
            "/.well-known/oauth-authorization-server" => Said::Json(self.metadata()),
            "/register" => Said::Json(json!({ "client_id": "registered" })),
            "/token" => Said::Json(json!({
                "access_token": "token-canary-1", "token_type": "Bearer", "expires_in": 600,
                "refresh_token": "refresh-canary-1",
            })),
            "/revoke" => Said::Json(json!({})),
            _ => Said::Status("404 Not Found", String::new()),
        }
    }
}

/// Without what follows a question mark.
fn path_of(head: &str) -> Option<&str> {
    head.split(' ').nth(1)?.split('?').next()
}

fn write(stream: &mut TcpStream, status: &str, head: &str, text: &str) -> Option<()> {
    let head = format!("HTTP/1.1 {status}\r\ncontent-type: application/json\r\n{head}");
    stream.write_all(format!("{head}content-length: {}\r\n\r\n{text}", text.len()).as_bytes()).ok()
}
