//! What an agent says of itself. Nobody reads it without a token: no agent is public.

use super::super::door;
use super::{MESSAGES_ONCE, VERSION, not_there};
use crate::model_endpoints::Caller;
use crate::state::AppState;
use app::context::RequestFacts;
use axum::Extension;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use hub::OfferedAgent;
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
        Ok(agent) => axum::Json(described(&agent, &facts.origin)).into_response(),
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
            let cards: Vec<Value> = agents.iter().map(|agent| described(agent, &facts.origin)).collect();
            axum::Json(json!({ "agents": cards })).into_response()
        }
        Err(error) => not_there(error),
    }
}

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
            "extensions": [{
                "uri": MESSAGES_ONCE,
                "description": "A message that comes again under its messageId is the one that came before, for whoever names this in A2A-Extensions.",
                "required": false,
            }],
        },
        "securitySchemes": { "token": { "httpAuthSecurityScheme": {
            "scheme": "Bearer",
            "description": format!("A token that may call agents, made at {origin}/account."),
        } } },
        "securityRequirements": [{ "schemes": { "token": { "list": [] } } }],
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
