//! Who comes in: a program whose token is good for agents.

use super::rpc::RpcError;
use axum::response::{IntoResponse, Response};
use http::header::WWW_AUTHENTICATE;
use http::{HeaderValue, StatusCode};
use hub::Program;
use serde_json::Value;

/// Refused before anything of the request was read. A cookie opens nothing here.
const REFUSED: i64 = -32_000;

/// Why a program does not come in.
pub(super) struct Refusal {
    status: StatusCode,
    words: String,
    challenge: String,
}

/// `metadata` says where a token is to be had, as a parameter of the challenge.
pub(super) fn enter(
    program: Option<Program>,
    origin: &str,
    metadata: Option<String>,
) -> Result<Program, Refusal> {
    let Some(program) = program else {
        let words =
            format!("Send a token that may call agents as a bearer token. Make one at {origin}/account.");
        let challenge =
            metadata.map_or("Bearer".to_owned(), |it| format!("Bearer {it}, scope=\"agents files\""));
        return Err(Refusal { status: StatusCode::UNAUTHORIZED, words, challenge });
    };
    if program.may_ask_agents() {
        return Ok(program);
    }
    let metadata = metadata.map(|it| format!(", {it}")).unwrap_or_default();
    Err(Refusal {
        status: StatusCode::FORBIDDEN,
        words: format!("This token is for models only. Make one that may call agents at {origin}/account."),
        challenge: format!("Bearer error=\"insufficient_scope\", scope=\"agents\"{metadata}"),
    })
}

/// What is for a token that may do more than this one: where a person gives a program that, it asks them for it.
pub(super) fn too_narrow(origin: &str, metadata: &str) -> Refusal {
    Refusal {
        status: StatusCode::FORBIDDEN,
        words: format!(
            "This token may call agents, and not read their files or their person's skills. Make one that may do everything at {origin}/account."
        ),
        challenge: format!("Bearer error=\"insufficient_scope\", scope=\"agents files\", {metadata}"),
    }
}

impl Refusal {
    pub(super) fn answer(self, id: Option<&Value>) -> Response {
        let Self { status, words, challenge } = self;
        let mut response = RpcError { status, ..RpcError::new(REFUSED, words) }.response(id);
        if let Ok(challenge) = HeaderValue::from_str(&challenge) {
            response.headers_mut().insert(WWW_AUTHENTICATE, challenge);
        }
        response
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        self.answer(None)
    }
}
