//! Every route that is not a page, on one screen.

use crate::served::{a2a, mcp};
use crate::state::AppState;
use crate::{
    agent_files, archives, assets, attachments, conversations, events, files, imports, installable,
    made_tools, mcp_sign_in, memories, middleware, model_endpoints, oauth, operating, pages, sandbox,
    service_worker, skills, socket, speech, takeout, teams, unsubscribe, usage, webhooks,
};
use axum::Router;
use axum::routing::{any, get, post};

pub fn router(state: AppState) -> Router {
    let routes = Router::new()
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/readyz", get(operating::ready))
        .route("/live", any(socket::upgrade))
        .route("/api/agents/{agent}/events", get(events::follow))
        .route("/api/{*function}", any(pages::server_function))
        .route("/usage.csv", get(usage::sheet))
        .route("/usage/tools.csv", get(usage::tools))
        .route("/admin/usage.csv", get(usage::sheet_of_all))
        .route("/admin/usage/tools.csv", get(usage::tools_of_all))
        .route("/sandbox/skin", get(sandbox::skin))
        .route("/sandbox/loop", get(sandbox::loop_frame))
        .route("/sandbox/app/{agent}/{tool}", get(sandbox::app))
        .route("/sandbox/still/{agent}", get(sandbox::still))
        .route("/sandbox/still/archive/{archive}", get(sandbox::archive_still))
        .route("/manifest.webmanifest", get(installable::manifest))
        .route("/app-icons/{icon}", get(installable::icon))
        .route("/service-worker.js", get(service_worker::serve))
        .route("/mcp-client.json", get(mcp_sign_in::client))
        .route("/mcp-sign-in", get(mcp_sign_in::back))
        .route("/.well-known/oauth-protected-resource", get(oauth::resource).options(oauth::preflight))
        .route("/.well-known/oauth-protected-resource/mcp", get(oauth::resource).options(oauth::preflight))
        .route("/.well-known/oauth-authorization-server", get(oauth::server).options(oauth::preflight))
        .route("/.well-known/jwks.json", get(a2a::keys))
        .route("/b/{build}/{*path}", get(assets::serve))
        .route("/files/{folder}/{*path}", get(files::open))
        .route("/folders/{folder}/download", get(files::download))
        .route("/folders/{folder}/page", get(files::page))
        .route("/memories/export", get(memories::export))
        .route("/teams/agents.yaml", get(teams::export))
        .route("/tools/{agent}/{name}", get(made_tools::export))
        .route("/account/export", get(takeout::download))
        .route("/conversations/{id}/export", get(conversations::export))
        .route("/attachments/{id}", get(attachments::open))
        .route("/attachments/{id}/thumbnail", get(attachments::open_thumbnail))
        .route("/archives/{agent}", get(archives::export))
        .route("/speech/say", post(speech::say));
    let routes = pages::mount(routes);
    // What takes larger bodies than server functions do, and counts them itself.
    let uploads = Router::new()
        .route("/archives", post(archives::upload))
        .route("/attachments", post(attachments::upload))
        .route("/speech/hear", post(speech::hear))
        .route("/imports", post(imports::upload))
        .route("/skills/upload", post(skills::upload))
        .route("/tools/{agent}", post(made_tools::upload))
        .route("/files", post(agent_files::upload))
        .route("/v1/chat/completions", post(model_endpoints::chat).fallback(model_endpoints::nothing))
        .route("/v1/responses", post(model_endpoints::responses).fallback(model_endpoints::nothing))
        .route("/v1/messages", post(model_endpoints::messages).fallback(model_endpoints::nothing))
        .route(
            "/v1/messages/count_tokens",
            post(model_endpoints::count_tokens).fallback(model_endpoints::nothing),
        )
        .route("/v1/models", get(model_endpoints::models).fallback(model_endpoints::nothing))
        .route("/v1/models/{*id}", get(model_endpoints::model).fallback(model_endpoints::nothing))
        .route("/v1/{*path}", any(model_endpoints::nothing))
        .route("/mcp", post(mcp::post).fallback(mcp::no_stream))
        .route("/a2a", get(a2a::cards))
        .route("/a2a/{agent}", get(a2a::card).post(a2a::post))
        .route("/a2a/{agent}/.well-known/agent-card.json", get(a2a::card));
    // What comes from programs that have neither a session nor a token, or from a browser by itself, and our Origin
    // least of all.
    let deliveries = Router::new()
        .route("/hooks/{schedule}", post(webhooks::deliver))
        .route("/share-target", post(installable::share))
        .route("/oauth/register", post(oauth::register).options(oauth::preflight))
        .route("/oauth/token", post(oauth::token).options(oauth::preflight))
        .route("/oauth/revoke", post(oauth::revoke).options(oauth::preflight))
        .route("/unsubscribe/{channel}/{key}", post(unsubscribe::end));
    middleware::wrap(routes, uploads, deliveries, &state).with_state(state)
}
