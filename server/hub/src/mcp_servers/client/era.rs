//! The versions of the protocol: those with a greeting and a session, and the one that says everything with each
//! request. Which one a server speaks is found out once and kept.

use super::McpFailure;
use super::listening::Listening;
use crate::mcp_servers::apps::PAGE;
use protocol::McpServerId;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// What a server has, as it says when it is met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Features {
    pub(super) tools: bool,
    pub(in super::super) prompts: bool,
    pub(in super::super) resources: bool,
    pub(in super::super) completions: bool,
    /// Whether a call may ask to be a task, as in 2025-11-25. Later a server makes it one by itself.
    pub(in super::super) tasks: bool,
    pub(super) announces: Announces,
}

/// Which of its lists it says of that they are others by now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Announces {
    tools: bool,
    prompts: bool,
    resources: bool,
}

impl Features {
    pub(super) fn of(greeting: &Value) -> Self {
        let has = |name: &str| {
            greeting.get("capabilities").and_then(|it| it.get(name)).is_some_and(Value::is_object)
        };
        let announces = Announces::of(greeting);
        let tasks = greeting.pointer("/capabilities/tasks/requests/tools/call").is_some_and(Value::is_object);
        Self {
            tools: has("tools"),
            prompts: has("prompts"),
            resources: has("resources"),
            completions: has("completions"),
            tasks,
            announces,
        }
    }
}

impl Announces {
    fn of(greeting: &Value) -> Self {
        let says = |list: &str| {
            greeting.pointer(&format!("/capabilities/{list}/listChanged")) == Some(&Value::Bool(true))
        };
        Self { tools: says("tools"), prompts: says("prompts"), resources: says("resources") }
    }

    /// What a subscription asks for.
    pub(super) fn filter(self) -> Map<String, Value> {
        let all = [
            ("toolsListChanged", self.tools),
            ("promptsListChanged", self.prompts),
            ("resourcesListChanged", self.resources),
        ];
        all.into_iter().filter(|(_, says)| *says).map(|(name, says)| (name.to_owned(), says.into())).collect()
    }
}

const MODERN: &str = "2026-07-28";
/// The newest is offered.
const LEGACY: [&str; 3] = ["2025-11-25", "2025-06-18", "2025-03-26"];
/// Taken where a server answers with it, and never offered. It knows of no header for versions, and of no stream beside
/// the answers; servers that say it speak over HTTP as those after it do.
const FIRST: &str = "2024-11-05";
/// Bytes of a session's name.
const LONGEST_SESSION: usize = 1024;
/// So many servers are known at once.
const MOST_KNOWN: usize = 10_000;
/// What servers answer whose session is over, or that speak no version like this. With a status of HTTP that says so
/// too: with 200 the first two are errors like any others.
const NO_SESSION: i64 = -32_000;
const NOT_FOUND: i64 = -32_001;
const NO_SUCH_VERSION: i64 = -32_022;
const NO_SUCH_METHOD: i64 = -32_601;
const WANTS_A_VISIT: i64 = -32_042;
const TASKS: &str = "io.modelcontextprotocol/tasks";
/// What kind of result says that the answer comes later.
pub(super) const TASK: &str = "task";

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Era {
    Modern,
    Legacy { version: &'static str, session: Option<String> },
}

impl Era {
    pub(super) fn version(&self) -> &'static str {
        match self {
            Self::Modern => MODERN,
            Self::Legacy { version, .. } => version,
        }
    }

    /// Whether it is from before there was a header for versions, and a stream beside the answers.
    pub(super) fn is_first(&self) -> bool {
        self.version() == FIRST
    }

    /// With what a request of this version says of whoever asks, and of whether there is somebody to ask back.
    pub(super) fn params(&self, params: &Value, is_asked_back: bool) -> Value {
        let mut params = params.clone();
        if let Self::Modern = self {
            let mut capabilities = capabilities(is_asked_back);
            // Only what a person waits for may be answered by a task.
            if is_asked_back {
                capabilities["extensions"][TASKS] = json!({});
            }
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": MODERN,
                "io.modelcontextprotocol/clientInfo": client_info(),
                "io.modelcontextprotocol/clientCapabilities": capabilities,
            });
            if is_asked_back {
                // From this level on, or it says nothing of what it does.
                params["_meta"]["io.modelcontextprotocol/logLevel"] = json!("info");
            }
        }
        params
    }
}

/// Whether a server answers so that speaks another version by now, or whose session is over.
pub(super) fn may_be_over(status: u16) -> bool {
    matches!(status, 400 | 404 | 405)
}

/// Whether an error that came with a status like that is about the session or the version, so that nothing was done.
pub(super) fn is_about_the_session(era: &Era, status: u16, code: i64) -> bool {
    // Some give an error of no meaning of its own to a session that they do not know.
    let is_unknown = status == 404 && matches!(era, Era::Legacy { session: Some(_), .. });
    match code {
        NO_SUCH_METHOD => false,
        NO_SESSION | NOT_FOUND | NO_SUCH_VERSION => true,
        _ => is_unknown,
    }
}

pub(super) fn is_about_the_version(code: i64) -> bool {
    code == NO_SUCH_VERSION
}

/// What a server of today says of itself; `None`: it is none.
pub(super) fn discovered(result: &Value) -> Result<Option<Era>, McpFailure> {
    result.get("supportedVersions").map_or(Ok(None), common)
}

/// The version of today if it is among these; `None`: one that begins with a greeting.
pub(super) fn common(versions: &Value) -> Result<Option<Era>, McpFailure> {
    let Some(versions) = versions.as_array() else { return Ok(None) };
    if versions.iter().any(|version| version == MODERN) {
        return Ok(Some(Era::Modern));
    }
    if versions.iter().any(|version| greeting_ones().any(|known| version == known)) {
        return Ok(None);
    }
    let named = versions.iter().filter_map(Value::as_str).next().unwrap_or_default();
    Err(McpFailure::Version(version(named)))
}

/// The versions that begin with a greeting.
fn greeting_ones() -> impl Iterator<Item = &'static str> {
    LEGACY.into_iter().chain([FIRST])
}

pub(super) fn greeting() -> Value {
    json!({ "protocolVersion": LEGACY[0], "capabilities": capabilities(true), "clientInfo": client_info() })
}

pub(super) fn greeted(result: &Value, session: Option<String>) -> Result<Era, McpFailure> {
    let Some(version) = result.get("protocolVersion").and_then(Value::as_str) else {
        return Err(McpFailure::NotMcp);
    };
    let Some(version) = greeting_ones().find(|known| *known == version) else {
        return Err(McpFailure::Version(self::version(version)));
    };
    let is_name = |session: &String| {
        session.len() <= LONGEST_SESSION && session.bytes().all(|byte| byte.is_ascii_graphic())
    };
    match session {
        Some(session) if !is_name(&session) => Err(McpFailure::NotMcp),
        session => Ok(Era::Legacy { version, session }),
    }
}

/// Whether the person would have to open an address first.
pub(super) fn wants_a_visit(code: i64) -> bool {
    code == WANTS_A_VISIT
}

/// What came of a request of today's version.
pub(super) enum Came {
    Answer(Value),
    /// It is asked once more with replies to these, by name, and with what the server wants to be reminded of.
    Questions {
        asked: Map<String, Value>,
        state: Option<Value>,
    },
    /// It speaks these versions, and did nothing.
    OtherVersions(Value),
}

impl Came {
    /// What promises to answer later is an answer here.
    pub(super) fn of(mut result: Value) -> Result<Self, McpFailure> {
        match result.get("resultType").and_then(Value::as_str) {
            None | Some("complete" | TASK) => Ok(Self::Answer(result)),
            Some("input_required") => {
                let asked = match result.get_mut("inputRequests").map(Value::take) {
                    None | Some(Value::Null) => Map::new(),
                    Some(Value::Object(asked)) => asked,
                    Some(_) => return Err(McpFailure::NotMcp),
                };
                let state = result.get_mut("requestState").map(Value::take);
                Ok(Self::Questions { asked, state })
            }
            Some(_) => Err(McpFailure::NotMcp),
        }
    }
}

/// Pages of tools are shown, and skills are read where their person asks for them. A form, or
/// an address to open, is put to the person where there is one to ask.
fn capabilities(is_asked_back: bool) -> Value {
    let pages = json!({ "mimeTypes": [PAGE] });
    let mut capabilities = json!({
        "extensions": { "io.modelcontextprotocol/ui": pages, "io.modelcontextprotocol/skills": {} },
    });
    if is_asked_back {
        capabilities["elicitation"] = json!({ "form": {}, "url": {} });
    }
    capabilities
}

/// A version as it can be told: they are dates, and no other words of the server's.
fn version(named: &str) -> String {
    let is_date = |named: &str| named.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    if (1..=20).contains(&named.len()) && is_date(named) {
        named.to_owned()
    } else {
        "an unknown one".to_owned()
    }
}

fn client_info() -> Value {
    json!({ "name": "vivarium", "version": env!("CARGO_PKG_VERSION") })
}

/// How each server is spoken to.
#[derive(Debug, Default)]
pub(in super::super) struct Sessions {
    eras: Mutex<HashMap<McpServerId, (Era, Features)>>,
    /// No two requests of a session have the same number.
    asked: AtomicU64,
    listening: Listening,
}

impl Sessions {
    pub(super) fn find(&self, server: &McpServerId) -> Option<(Era, Features)> {
        self.eras.lock().unwrap_or_else(PoisonError::into_inner).get(server).cloned()
    }

    /// Where too many are known, all are asked anew.
    pub(super) fn keep(&self, server: &McpServerId, met: (Era, Features)) {
        let mut eras = self.eras.lock().unwrap_or_else(PoisonError::into_inner);
        if eras.len() >= MOST_KNOWN {
            eras.clear();
        }
        eras.insert(server.clone(), met);
    }

    pub(in super::super) fn forget(&self, server: &McpServerId) {
        self.eras.lock().unwrap_or_else(PoisonError::into_inner).remove(server);
        self.listening.end(server);
    }

    pub(super) fn listening(&self) -> &Listening {
        &self.listening
    }

    pub(super) fn next_id(&self) -> u64 {
        self.asked.fetch_add(1, Ordering::Relaxed) + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_says_which_version_it_speaks() {
        for (result, expected) in [
            (json!({ "supportedVersions": ["2026-07-28"] }), "modern"),
            (json!({ "supportedVersions": ["2027-01-01", "2026-07-28"] }), "modern"),
            (json!({ "supportedVersions": ["2025-11-25"] }), "greet"),
            (json!({ "supportedVersions": ["2024-11-05"] }), "greet"),
            (json!({}), "greet"),
            (json!("ok"), "greet"),
            (json!({ "supportedVersions": ["2031-01-01"] }), "version"),
        ] {
            let found = match discovered(&result) {
                Ok(Some(_)) => "modern",
                Ok(None) => "greet",
                Err(_) => "version",
            };
            assert_eq!(found, expected, "{result}");
        }
        assert!(matches!(common(&json!(["2026-07-28"])), Ok(Some(_))));
        for (version, session, expected) in [
            (json!("2025-11-25"), Some("a-1"), true),
            (json!("2025-03-26"), None, true),
            (json!("2024-11-05"), None, true),
            (json!("2024-10-07"), None, false),
            (json!(1), None, false),
            (json!("2025-06-18"), Some("two words"), false),
        ] {
            let result = json!({ "protocolVersion": version });
            assert_eq!(greeted(&result, session.map(str::to_owned)).is_ok(), expected, "{result}");
        }
    }
}
