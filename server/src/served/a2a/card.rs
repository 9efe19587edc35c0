//! What an agent says of itself. Nobody reads it without a token: no agent is public.

use super::super::door;
use super::{CHAIN, MESSAGES_ONCE, VERSION, not_there};
use crate::model_endpoints::Caller;
use crate::state::AppState;
use app::context::RequestFacts;
use axum::Extension;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use hub::{Error, OfferedAgent};
use protocol::AgentId;
use serde_json::{Value, json};

/// `GET /a2a/{agent}/.well-known/agent-card.json`, and without what is after the agent.
pub async fn card(
    State(state): State<AppState>,
    Extension(Caller(program)): Extension<Caller>,
    Extension(facts): Extension<RequestFacts>,
    Path(agent): Path<String>,
) -> Response {
    let program = match door::enter(program, &facts.origin, None) {
        Ok(program) => program,
        Err(refused) => return refused.into_response(),
    };
    match state.hub.program_runs(&program).agent(&AgentId(agent)).await {
        Ok(agent) => match signed(&state, &agent, &facts.origin).await {
            Ok(card) => axum::Json(card).into_response(),
            Err(error) => not_there(error),
        },
        Err(error) => not_there(error),
    }
}

/// `GET /a2a`: the cards of all agents. A hub that this one is a peer of finds them here.
pub async fn cards(
    State(state): State<AppState>,
    Extension(Caller(program)): Extension<Caller>,
    Extension(facts): Extension<RequestFacts>,
) -> Response {
    let program = match door::enter(program, &facts.origin, None) {
        Ok(program) => program,
        Err(refused) => return refused.into_response(),
    };
    match state.hub.program_runs(&program).agents().await {
        Ok(agents) => {
            let mut cards = Vec::new();
            for agent in &agents {
                match signed(&state, agent, &facts.origin).await {
                    Ok(card) => cards.push(card),
                    Err(error) => return not_there(error),
                }
            }
            axum::Json(json!({ "agents": cards })).into_response()
        }
        Err(error) => not_there(error),
    }
}

/// `GET /.well-known/jwks.json`: by what the signatures of cards are checked. It is for everybody.
pub async fn keys(State(state): State<AppState>) -> Response {
    match state.hub.agent_cards().keys().await {
        Ok(keys) => axum::Json(keys).into_response(),
        Err(error) => not_there(error),
    }
}

async fn signed(state: &AppState, agent: &OfferedAgent, origin: &str) -> Result<Value, Error> {
    let keys_at = format!("{origin}/.well-known/jwks.json");
    state.hub.agent_cards().signed(described(agent, origin), &keys_at).await
}

/// Nothing in it is empty: signers that leave out what is, and those that do not, sign the same.
fn described(agent: &OfferedAgent, origin: &str) -> Value {
    let OfferedAgent { id, name, purpose } = agent;
    let description = match purpose.is_empty() {
        true => format!("{name}, an agent with tools, files and a memory of its own."),
        false => purpose.clone(),
    };
    json!({
        "name": name,
        "description": description,
        "version": env!("CARGO_PKG_VERSION"),
        "supportedInterfaces": [{
            "url": format!("{origin}/a2a/{id}"),
            "protocolBinding": "JSONRPC",
            "protocolVersion": VERSION,
        }],
        "capabilities": {
            "streaming": true,
            "pushNotifications": true,
            "extendedAgentCard": false,
            "extensions": [
                {
                    "uri": MESSAGES_ONCE,
                    "description": "A message that comes again under its messageId is the one that came before, for whoever names this in A2A-Extensions.",
                },
                {
                    "uri": CHAIN,
                    "description": "The metadata of a message has under this name what began the chain of agents that ask each other, as cause, and as depth how many asked before.",
                },
            ],
        },
        "securitySchemes": { "token": { "httpAuthSecurityScheme": {
            "scheme": "Bearer",
            "description": format!("A token that may call agents, made at {origin}/account."),
        } } },
        "securityRequirements": [{ "schemes": { "token": { "list": ["agents"] } } }],
        "defaultInputModes": ["text/plain"],
        "defaultOutputModes": ["text/plain"],
        "skills": [{
            "id": agent.slug(),
            "name": name,
            "description": description,
            "tags": ["conversation"],
        }],
    })
}
