//! The hub as an MCP server: one endpoint without sessions, for clients of today's version and of those before it.
//! Each agent is a tool; a token that may do everything reads the files of agents too, sees their pages, and has the
//! skills of its person as prompts.

mod asks;
mod call;
mod era;
mod pages;
mod prompts;
mod resources;
mod says;
mod tools;

use super::door;
use super::rpc::{self, MEGABYTES, Message, NO_METHOD, Request as RpcRequest, RpcError};
use crate::model_endpoints::{Caller, body};
use crate::oauth;
use crate::state::AppState;
use app::context::RequestFacts;
use axum::Extension;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use era::Era;
use http::header::{ACCEPT, ALLOW, HeaderName};
use http::{HeaderMap, HeaderValue, StatusCode};
use hub::{Program, Viewer, clock};
use serde_json::{Value, json};

const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
/// Ends the sessions of clients whose greeting says that they show pages.
const WITH_PAGES: &str = ".pages";

/// A request, and who makes it.
struct Asker {
    state: AppState,
    program: Program,
    /// Set where the token may do what its person can.
    viewer: Option<Viewer>,
    era: Era,
    /// Sets the requests of one client apart from those of another one with the same token.
    session: String,
    /// It said that it shows pages of tools.
    client_shows_pages: bool,
    /// It said that it puts questions to its person, in a version in which a call asks by its answer.
    client_is_asked: bool,
    /// How this hub is reached.
    origin: String,
    wants_events: bool,
}

/// `POST /mcp`.
pub async fn post(
    State(state): State<AppState>,
    Extension(Caller(program)): Extension<Caller>,
    Extension(facts): Extension<RequestFacts>,
    request: Request,
) -> Response {
    let program = match door::enter(program, &facts.origin, Some(oauth::metadata(&facts.origin))) {
        Ok(program) => program,
        Err(refused) => return refused.into_response(),
    };
    let (parts, body) = request.into_parts();
    let message = match body::read(body, &state.limits, program.counted_as(), MEGABYTES).await {
        Ok(read) => Message::parse(&read.bytes),
        Err(trouble) => Err(trouble.into()),
    };
    let message = match message {
        Ok(message) => message,
        Err(refused) => return refused.response(None),
    };
    let headers = &parts.headers;
    let era = match Era::of(headers, &message) {
        Ok(era) => era,
        Err(refused) => {
            let id = if let Message::Request(request) = &message { Some(&request.id) } else { None };
            return refused.response(id);
        }
    };
    let (session, wants_events) = (text(headers, &SESSION).to_owned(), takes_events(headers));
    let capabilities = match &message {
        Message::Request(request) if era == Era::Modern => Some(era::capabilities(request)),
        Message::Request(_) | Message::Notification { .. } => None,
    };
    let client_shows_pages = capabilities.map_or_else(|| session.ends_with(WITH_PAGES), pages::are_shown_by);
    let client_is_asked = capabilities.is_some_and(asks::are_answered_by);
    let RequestFacts { viewer, origin, .. } = facts;
    let asker = Asker {
        state,
        program,
        viewer,
        era,
        session,
        client_shows_pages,
        client_is_asked,
        origin,
        wants_events,
    };
    match message {
        Message::Request(request) => asker.answer(request).await,
        Message::Notification { method, params } => {
            asker.take_note(&method, &params);
            StatusCode::ACCEPTED.into_response()
        }
    }
}

/// `GET /mcp`: nothing is said here that was not asked for.
pub async fn no_stream() -> Response {
    (StatusCode::METHOD_NOT_ALLOWED, [(ALLOW, "POST")]).into_response()
}

impl Asker {
    async fn answer(self, request: RpcRequest) -> Response {
        let RpcRequest { id, method, params } = &request;
        if self.era == Era::Legacy && method == "initialize" {
            let greeting = json!({
                "protocolVersion": era::offered(params),
                "capabilities": self.capabilities(),
                "serverInfo": server_info(),
                "instructions": INSTRUCTIONS,
            });
            let mut response = axum::Json(rpc::answer(id, greeting)).into_response();
            let mark = if pages::are_shown_by(&params["capabilities"]) { WITH_PAGES } else { "" };
            if let Ok(session) = HeaderValue::from_str(&format!("{}{mark}", clock::new_id())) {
                response.headers_mut().insert(SESSION, session);
            }
            return response;
        }
        let result = match (method.as_str(), self.era, &self.viewer) {
            ("server/discover", Era::Modern, _) => Ok(json!({
                "supportedVersions": [era::MODERN],
                "capabilities": self.capabilities(),
                "instructions": INSTRUCTIONS,
            })),
            ("ping", Era::Legacy, _) => Ok(json!({})),
            ("tools/list", ..) => self.tools().await,
            ("tools/call", ..) => return self.call(request).await,
            ("resources/list", _, Some(viewer)) => self.resources(viewer, params).await,
            ("resources/templates/list", _, Some(_)) => Ok(json!({ "resourceTemplates": [] })),
            ("resources/read", _, Some(viewer)) => self.read_resource(viewer, params).await,
            ("prompts/list", _, Some(viewer)) => self.prompts(viewer).await,
            ("prompts/get", _, Some(viewer)) => self.prompt(viewer, params).await,
            (
                "resources/list"
                | "resources/templates/list"
                | "resources/read"
                | "prompts/list"
                | "prompts/get",
                _,
                None,
            ) => {
                let metadata = oauth::metadata(&self.origin);
                return door::too_narrow(&self.origin, &metadata).answer(Some(id));
            }
            _ => Err(RpcError::new(NO_METHOD, format!("There is no method {method} here."))),
        };
        match result {
            Ok(result) => axum::Json(rpc::answer(id, self.era.result(result, method))).into_response(),
            Err(refused) => self.era.refusal(refused).response(Some(id)),
        }
    }

    /// In today's version a call is given up by hanging up.
    fn take_note(&self, method: &str, params: &Value) {
        if self.era == Era::Legacy && method == "notifications/cancelled" {
            self.state.mcp_calls.cancel(self.program.token(), &self.session, &params["requestId"]);
        }
    }

    fn capabilities(&self) -> Value {
        match self.viewer {
            Some(_) => json!({ "tools": {}, "resources": {}, "prompts": {} }),
            None => json!({ "tools": {} }),
        }
    }
}

const INSTRUCTIONS: &str = "Each tool asks one agent of a person, which answers in words and acts with tools, files and a memory of its own. It knows nothing of your conversation but what you tell it. To go on with one, send the conversation that its answer names.";

fn server_info() -> Value {
    json!({ "name": "vivarium", "title": "Vivarium", "version": env!("CARGO_PKG_VERSION") })
}

/// Whoever takes anything is answered with one whole.
fn takes_events(headers: &HeaderMap) -> bool {
    text(headers, &ACCEPT).contains("text/event-stream")
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> &'a str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}
