//! Hands a request on to the node on which its person is placed, where this hub has several: their sockets, replies
//! and files as well, so it is the same to them which node they reach.

use super::again_later::{AgainLater, answer};
use crate::between_nodes::{HandedOn, Unanswered, forward};
use crate::model_endpoints::Caller;
use crate::state::AppState;
use app::context::RequestFacts;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, Method, StatusCode};
use hub::{Placement, Program, Requester};
use protocol::FailureKind;

/// What is the same for everybody, and about nobody.
const ABOUT_NOBODY: [&str; 6] =
    ["/b/", "/app-icons/", "/healthz", "/readyz", "/manifest.webmanifest", "/service-worker.js"];
const SOON: i64 = 2;
const GOES_ON: &str =
    "The part of the hub that keeps your agents does not answer at the moment. What they do goes on.";
const BROKE_OFF: &str = "The part of the hub that keeps your agents broke off. What you sent may have been taken: look before you send it again.";

pub async fn hand_on(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let cluster = state.hub.cluster();
    if cluster.is_alone() {
        return next.run(request).await;
    }
    let facts = request.extensions().get::<RequestFacts>().expect("the facts are found before");
    let Caller(program) = request.extensions().get().expect("they are found before");
    let asker = facts.viewer.as_ref().or(program.as_ref().map(Program::counted_as));
    let (person, client) = (asker.map(|asker| asker.me.id.clone()), facts.address);
    let path = request.uri().path();
    let is_handed_on = request.extensions().get::<HandedOn>().is_some();
    let other_build = state.assets.other_build(path).filter(|_| !is_handed_on).map(str::to_owned);
    let is_about_nobody = ABOUT_NOBODY.iter().any(|known| path.starts_with(known));
    let (method, headers) = (request.method().clone(), request.headers().clone());
    let away = |why| unreachable_now(&method, &headers, why, &state.assets.prefix());
    if let Some(build) = other_build {
        // In the middle of an upgrade another node has what this one's pages do not load.
        let Ok(Some(node)) = cluster.node_of_build(&build).await else { return next.run(request).await };
        let requester = Requester::of(person, client);
        return forward(&state.hub, &node, (&requester, client), request).await.unwrap_or_else(away);
    }
    let Some(person) = person.filter(|_| !is_about_nobody) else {
        return next.run(request).await;
    };
    // Its time may be over, and its people with another one.
    if cluster.is_in_doubt() {
        return away(Unanswered::Unreached);
    }
    match state.hub.place(&person).await {
        Ok(Placement::Here) => match cluster.visit(&person) {
            Some(_visit) => next.run(request).await,
            None => away(Unanswered::Unreached),
        },
        // They moved in this moment. To hand it on again could go in a circle.
        Ok(Placement::At(_)) if is_handed_on => away(Unanswered::Unreached),
        Ok(Placement::At(node)) => {
            let requester = Requester::Person(person.clone());
            match forward(&state.hub, &node, (&requester, client), request).await {
                Ok(response) => response,
                Err(unanswered) => {
                    cluster.look_again(&person);
                    away(unanswered)
                }
            }
        }
        Err(hub::Error::Upstream(_)) => away(Unanswered::Unreached),
        Err(error) => {
            let failure = error.into_failure();
            (app::status_of(failure.kind), axum::Json(failure)).into_response()
        }
    }
}

fn unreachable_now(method: &Method, headers: &HeaderMap, unanswered: Unanswered, assets: &str) -> Response {
    let may_be_taken = unanswered == Unanswered::Broken && !method.is_safe();
    let why = AgainLater {
        status: StatusCode::SERVICE_UNAVAILABLE,
        kind: FailureKind::Unavailable,
        title: "One moment",
        heading: "One moment",
        message: match may_be_taken {
            false => GOES_ON,
            true => BROKE_OFF,
        }
        .to_owned(),
        may_be_taken,
        seconds: SOON,
    };
    answer(method, headers, why, assets)
}
