//! The models of a person for other programs, in the words of OpenAI's and Anthropic's APIs. What is
//! asked and answered is the hub's; here it comes in and goes out.

pub mod body;
mod list;
mod reply;

pub use list::{model, models};
pub use reply::turn_away;

use crate::state::AppState;
use app::context::RequestFacts;
use axum::Extension;
use axum::extract::{Request, State};
use axum::response::Response;
use body::Read;
use hub::{Api, ApiError, ApiErrorKind, Program, Reply};

/// Images make bodies long.
const MEGABYTES: usize = 32;
const KNOWN: &str = "/v1/chat/completions, /v1/responses and /v1/messages, and are listed by GET /v1/models";

/// Who asks: a program with a person's token. Cookies do not count.
#[derive(Clone, Debug)]
pub struct Caller(pub Option<Program>);

/// `POST /v1/chat/completions`.
pub async fn chat(
    state: State<AppState>,
    caller: Extension<Caller>,
    facts: Extension<RequestFacts>,
    request: Request,
) -> Response {
    answer(Api::Chat, state, caller, facts, request).await
}

/// `POST /v1/responses`.
pub async fn responses(
    state: State<AppState>,
    caller: Extension<Caller>,
    facts: Extension<RequestFacts>,
    request: Request,
) -> Response {
    answer(Api::Responses, state, caller, facts, request).await
}

/// `POST /v1/messages`.
pub async fn messages(
    state: State<AppState>,
    caller: Extension<Caller>,
    facts: Extension<RequestFacts>,
    request: Request,
) -> Response {
    answer(Api::Messages, state, caller, facts, request).await
}

/// `POST /v1/messages/count_tokens`.
pub async fn count_tokens(
    State(state): State<AppState>,
    Extension(Caller(program)): Extension<Caller>,
    Extension(facts): Extension<RequestFacts>,
    request: Request,
) -> Response {
    let Some(program) = program else { return refuse(Api::Messages, &no_token(&facts.origin)) };
    match body::read(request.into_body(), &state.limits, program.counted_as(), MEGABYTES).await {
        Ok(Read { bytes, room: _room }) => reply::send(Reply::counted(bytes).await),
        Err(trouble) => refuse(Api::Messages, &trouble),
    }
}

/// Whatever else these APIs have and this hub does not.
pub async fn nothing(request: Request) -> Response {
    let (method, path) = (request.method(), request.uri().path());
    let message = format!("There is nothing here for {method} {path}. Models answer to POST {KNOWN}.");
    let trouble = ApiError::new(ApiErrorKind::NoSuchPlace, message);
    refuse(api_of(path).unwrap_or(Api::Chat), &trouble)
}

async fn answer(
    api: Api,
    State(state): State<AppState>,
    Extension(Caller(program)): Extension<Caller>,
    Extension(facts): Extension<RequestFacts>,
    request: Request,
) -> Response {
    let Some(program) = program else { return refuse(api, &no_token(&facts.origin)) };
    match body::read(request.into_body(), &state.limits, program.counted_as(), MEGABYTES).await {
        Ok(Read { bytes, room: _room }) => {
            reply::send(state.hub.for_program(&program).answer(api, bytes).await)
        }
        Err(trouble) => refuse(api, &trouble),
    }
}

fn no_token(origin: &str) -> ApiError {
    ApiError::new(
        ApiErrorKind::NoToken,
        format!("Send a token that is good here as a bearer token. Make one at {origin}/account."),
    )
}

fn refuse(api: Api, trouble: &ApiError) -> Response {
    reply::send(Reply::refused(api, trouble))
}

/// In whose words an error at this path is said.
fn api_of(path: &str) -> Option<Api> {
    match path.strip_prefix("/v1/")?.split('/').next()? {
        "messages" => Some(Api::Messages),
        "responses" => Some(Api::Responses),
        _ => Some(Api::Chat),
    }
}
