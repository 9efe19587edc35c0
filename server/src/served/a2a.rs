//! Each agent as one that other agents speak with, in the words of A2A 1.0 over JSON-RPC. A task is a run, and a
//! context a conversation.

mod card;
mod push;
mod refusal;
mod send;
mod stream;
mod tasks;

pub use card::{card, cards, keys};

use super::door;
use super::rpc::{self, MEGABYTES, Message, NO_METHOD, Request as RpcRequest, RpcError};
use crate::model_endpoints::{Caller, body};
use crate::state::AppState;
use app::context::RequestFacts;
use axum::Extension;
use axum::extract::{Path, Request, State};
use axum::response::{IntoResponse, Response};
use http::header::HeaderName;
use http::{HeaderMap, StatusCode};
use hub::{OfferedAgent, Program, ProgramRuns};
use protocol::AgentId;
use refusal::{no_such_version, unsupported};
use serde_json::Value;

const VERSION_HEADER: HeaderName = HeaderName::from_static("a2a-version");
const EXTENSIONS_HEADER: HeaderName = HeaderName::from_static("a2a-extensions");
/// A message that comes again under its id is the one that came before.
const MESSAGES_ONCE: &str = "urn:vivarium:a2a:messages-once";
/// A message says in which chain of agents that ask each other it stands.
const CHAIN: &str = "urn:vivarium:a2a:chain";
/// Whoever names none speaks 0.3.
const VERSION: &str = "1.0";

/// A program that speaks with one agent.
struct Asker {
    state: AppState,
    program: Program,
    agent: OfferedAgent,
    /// Whether a message that comes again is the one that came before.
    messages_once: bool,
}

/// `POST /a2a/{agent}`.
pub async fn post(
    State(state): State<AppState>,
    Extension(Caller(program)): Extension<Caller>,
    Extension(facts): Extension<RequestFacts>,
    Path(agent): Path<String>,
    request: Request,
) -> Response {
    let program = match door::enter(program, &facts.origin, None) {
        Ok(program) => program,
        Err(refused) => return refused.into_response(),
    };
    let agent = match state.hub.program_runs(&program).agent(&AgentId(agent)).await {
        Ok(agent) => agent,
        Err(error) => return not_there(error),
    };
    let (parts, body) = request.into_parts();
    let message = match body::read(body, &state.limits, program.counted_as(), MEGABYTES).await {
        Ok(read) => Message::parse(&read.bytes),
        Err(trouble) => Err(trouble.into()),
    };
    match message {
        Ok(Message::Request(request)) => {
            let messages_once = names_extension(&parts.headers, MESSAGES_ONCE);
            Asker { state, program, agent, messages_once }.answer(&parts.headers, request).await
        }
        Ok(Message::Notification { .. }) => StatusCode::ACCEPTED.into_response(),
        Err(refused) => refused.response(None),
    }
}

impl Asker {
    async fn answer(self, headers: &HeaderMap, request: RpcRequest) -> Response {
        let RpcRequest { id, method, params } = request;
        let version = headers.get(&VERSION_HEADER).and_then(|value| value.to_str().ok()).unwrap_or_default();
        if version != VERSION {
            return no_such_version(version).response(Some(&id));
        }
        let streamed = match method.as_str() {
            "SendStreamingMessage" => Some(self.send_streaming(&id, &params).await),
            "SubscribeToTask" => Some(self.subscribe(&id, &params).await),
            _ => None,
        };
        if let Some(streamed) = streamed {
            return streamed.unwrap_or_else(|refused| refused.response(Some(&id)));
        }
        match self.result(&method, &params).await {
            Ok(result) => axum::Json(rpc::answer(&id, result)).into_response(),
            Err(refused) => refused.response(Some(&id)),
        }
    }

    async fn result(&self, method: &str, params: &Value) -> Result<Value, RpcError> {
        match method {
            "SendMessage" => self.send(params).await,
            "GetTask" => self.task(params).await,
            "ListTasks" => self.list(params).await,
            "CancelTask" => self.cancel(params).await,
            "GetExtendedAgentCard" => Err(unsupported("There is no other card than the one.")),
            "CreateTaskPushNotificationConfig" => self.create_push(params).await,
            "GetTaskPushNotificationConfig" => self.find_push(params).await,
            "ListTaskPushNotificationConfigs" => self.list_pushes(params).await,
            "DeleteTaskPushNotificationConfig" => self.delete_push(params).await,
            method => Err(RpcError::new(NO_METHOD, format!("There is no method {method} here."))),
        }
    }

    fn runs(&self) -> ProgramRuns<'_> {
        self.state.hub.program_runs(&self.program)
    }
}

fn names_extension(headers: &HeaderMap, uri: &str) -> bool {
    let named = headers.get_all(&EXTENSIONS_HEADER).iter().filter_map(|value| value.to_str().ok());
    named.flat_map(|list| list.split(',')).any(|named| named.trim() == uri)
}

/// Somebody else's agent is as one that is not there.
fn not_there(error: hub::Error) -> Response {
    let failure = error.into_failure();
    (app::status_of(failure.kind), axum::Json(failure)).into_response()
}
