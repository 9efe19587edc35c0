//! The versions of MCP: those with a greeting, and the one that says everything with each request.

use super::super::rpc::{INVALID_PARAMS, Message, NO_METHOD, Request, RpcError};
use super::{server_info, text};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::header::HeaderName;
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};

pub(super) const MODERN: &str = "2026-07-28";
/// The newest is offered to whoever wants one that is not here.
const LEGACY: [&str; 3] = ["2025-11-25", "2025-06-18", "2025-03-26"];

const VERSION_HEADER: HeaderName = HeaderName::from_static("mcp-protocol-version");
const METHOD_HEADER: HeaderName = HeaderName::from_static("mcp-method");
const NAME_HEADER: HeaderName = HeaderName::from_static("mcp-name");
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const SERVER: &str = "io.modelcontextprotocol/serverInfo";

const HEADER_MISMATCH: i64 = -32_020;
const NO_SUCH_VERSION: i64 = -32_022;
const NO_RESOURCE: i64 = -32_002;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Era {
    Modern,
    Legacy,
}

impl Era {
    pub(super) fn of(headers: &HeaderMap, message: &Message) -> Result<Self, RpcError> {
        let header = headers.get(&VERSION_HEADER).map(|_| text(headers, &VERSION_HEADER));
        let request = match message {
            Message::Request(request) => request,
            Message::Notification { .. } => return known(header.unwrap_or(LEGACY[0])),
        };
        let said = request.params.pointer(&format!("/_meta/{}", VERSION.replace('/', "~1")));
        // Whoever greets and says today's version with it does not know that there is no greeting any more.
        if request.method == "initialize" && said.is_none() {
            return Ok(Self::Legacy);
        }
        let era = match header {
            Some(version) => known(version)?,
            // Nobody could say so before spring 2025.
            None if said.is_none() && request.method != "server/discover" => Self::Legacy,
            None => Self::Modern,
        };
        if era == Self::Modern {
            check(headers, request)?;
        }
        Ok(era)
    }

    /// As this version has results.
    pub(super) fn result(self, mut result: Value, method: &str) -> Value {
        if self == Self::Modern {
            if result.get("resultType").is_none() {
                result["resultType"] = json!("complete");
            }
            result["_meta"] = json!({ SERVER: server_info() });
            if method != "tools/call" {
                result["ttlMs"] = json!(0);
                result["cacheScope"] = json!("private");
            }
        }
        result
    }

    /// What says that a resource is not there.
    pub(super) fn no_resource(self) -> i64 {
        match self {
            Self::Modern => INVALID_PARAMS,
            Self::Legacy => NO_RESOURCE,
        }
    }

    /// Today's version gives them a status of HTTP.
    pub(super) fn refusal(self, mut refused: RpcError) -> RpcError {
        if self == Self::Modern {
            refused.status = match refused.code {
                NO_METHOD => StatusCode::NOT_FOUND,
                INVALID_PARAMS => StatusCode::BAD_REQUEST,
                _ => refused.status,
            };
        }
        refused
    }
}

/// What a client of today's version says that it can.
pub(super) fn capabilities(request: &Request) -> &Value {
    &request.params["_meta"][CAPABILITIES]
}

/// The version that a greeting is answered with.
pub(super) fn offered(params: &Value) -> &'static str {
    let wanted = params["protocolVersion"].as_str().unwrap_or_default();
    LEGACY.into_iter().find(|version| *version == wanted).unwrap_or(LEGACY[0])
}

fn known(version: &str) -> Result<Era, RpcError> {
    match version {
        MODERN => Ok(Era::Modern),
        version if LEGACY.contains(&version) => Ok(Era::Legacy),
        version => Err(no_such(version)),
    }
}

fn no_such(version: &str) -> RpcError {
    let words =
        format!("This hub does not speak MCP {version}. It speaks {MODERN}, and {}.", LEGACY.join(", "));
    RpcError {
        status: StatusCode::BAD_REQUEST,
        data: Some(json!({ "supported": [MODERN], "requested": version })),
        ..RpcError::new(NO_SUCH_VERSION, words)
    }
}

/// Whoever reads only the headers on the way is to see what is asked.
fn check(headers: &HeaderMap, request: &Request) -> Result<(), RpcError> {
    let wrong =
        |code, words: String| RpcError { status: StatusCode::BAD_REQUEST, ..RpcError::new(code, words) };
    let meta = &request.params["_meta"];
    let missing: Vec<&str> =
        [VERSION, CAPABILITIES].into_iter().filter(|key| meta.get(key).is_none()).collect();
    if !missing.is_empty() {
        return Err(wrong(INVALID_PARAMS, format!("params._meta lacks {}.", missing.join(" and "))));
    }
    let version = meta[VERSION].as_str().unwrap_or_default();
    let named = match request.method.as_str() {
        "tools/call" | "prompts/get" => request.params["name"].as_str(),
        "resources/read" => request.params["uri"].as_str(),
        _ => None,
    };
    let pairs = [
        (VERSION_HEADER, Some(version)),
        (METHOD_HEADER, Some(request.method.as_str())),
        (NAME_HEADER, named),
    ];
    for (header, said) in pairs {
        let said = said.map(str::to_owned);
        if said.is_some() && decoded(text(headers, &header)) != said {
            return Err(wrong(
                HEADER_MISMATCH,
                format!("The header {header} does not say what the body says."),
            ));
        }
    }
    known(version).and_then(|era| if era == Era::Modern { Ok(()) } else { Err(no_such(version)) })
}

/// A header that says more than headers can is encoded.
fn decoded(value: &str) -> Option<String> {
    match value.strip_prefix("=?base64?").and_then(|value| value.strip_suffix("?=")) {
        Some(encoded) => String::from_utf8(STANDARD.decode(encoded).ok()?).ok(),
        None => Some(value.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(method: &str, version: Option<&str>, name: Option<&str>) -> Message {
        let mut params = json!({});
        if let Some(version) = version {
            params["_meta"] = json!({ VERSION: version, CAPABILITIES: {} });
        }
        if let Some(name) = name {
            params["name"] = json!(name);
        }
        Message::Request(Request { id: json!(1), method: method.to_owned(), params })
    }

    #[test]
    fn each_version_is_told_by_what_a_request_says_and_contradictions_are_refused() {
        let today = [("mcp-protocol-version", MODERN), ("mcp-method", "tools/call")];
        let with = |name| [today[0], today[1], ("mcp-name", name)].to_vec();
        let call = || asked("tools/call", Some(MODERN), Some("größe"));
        for (headers, message, expected) in [
            (vec![], asked("tools/list", None, None), Ok(Era::Legacy)),
            (vec![], asked("initialize", None, None), Ok(Era::Legacy)),
            (
                vec![("mcp-protocol-version", MODERN), ("mcp-method", "initialize")],
                asked("initialize", Some(MODERN), None),
                Ok(Era::Modern),
            ),
            (vec![("mcp-protocol-version", "2025-06-18")], asked("tools/list", None, None), Ok(Era::Legacy)),
            (
                vec![("mcp-protocol-version", "2024-01-01")],
                asked("tools/list", None, None),
                Err(NO_SUCH_VERSION),
            ),
            (vec![], asked("server/discover", None, None), Err(INVALID_PARAMS)),
            (vec![], asked("tools/list", Some(MODERN), None), Err(HEADER_MISMATCH)),
            (with("=?base64?Z3LDtsOfZQ==?="), call(), Ok(Era::Modern)),
            (with("other"), call(), Err(HEADER_MISMATCH)),
            (today.to_vec(), call(), Err(HEADER_MISMATCH)),
            (with("=?base64?%%?="), call(), Err(HEADER_MISMATCH)),
            (with("x"), asked("tools/list", Some(MODERN), None), Err(HEADER_MISMATCH)),
            (with("x"), asked("tools/call", Some("2025-11-25"), Some("x")), Err(HEADER_MISMATCH)),
        ] {
            let map = headers
                .iter()
                .map(|(name, value)| (HeaderName::from_static(name), http::HeaderValue::from_static(value)));
            let found = Era::of(&map.collect(), &message).map_err(|refused| refused.code);
            assert_eq!(found, expected, "{headers:?}");
        }
    }

    #[test]
    fn whoever_wants_a_version_that_is_not_here_is_offered_the_newest_with_a_greeting() {
        for (wanted, given) in
            [("2025-03-26", "2025-03-26"), ("2025-11-25", "2025-11-25"), ("1999-01-01", "2025-11-25")]
        {
            assert_eq!(offered(&json!({ "protocolVersion": wanted })), given);
        }
        assert_eq!(offered(&json!({})), "2025-11-25");
    }
}
