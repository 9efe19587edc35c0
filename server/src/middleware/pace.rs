//! Counts requests, and turns away who asks too often: with a page who wants to read one, with JSON
//! everybody else.

use super::again_later::{AgainLater, answer};
use crate::model_endpoints::{self, Caller};
use crate::state::AppState;
use app::context::RequestFacts;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::StatusCode;
use hub::Program;
use hub::buckets::Wait;
use protocol::FailureKind;

pub async fn keep(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let facts = request.extensions().get::<RequestFacts>().expect("the facts are found before");
    let Caller(program) = request.extensions().get().expect("they are found before");
    let asker = facts.viewer.as_ref().or(program.as_ref().map(Program::counted_as));
    match state.limits.admit(asker, facts.address, state.hub.moment()) {
        Ok(()) => next.run(request).await,
        Err(wait) => {
            let for_program = model_endpoints::turn_away(request.uri().path(), wait);
            for_program.unwrap_or_else(|| turn_away(&request, asker.is_some(), wait, &state.assets.prefix()))
        }
    }
}

fn turn_away(request: &Request, is_known: bool, Wait(milliseconds): Wait, assets: &str) -> Response {
    let seconds = (milliseconds + 999) / 1000;
    let who = if is_known { "you" } else { "your address" };
    let why = AgainLater {
        status: StatusCode::TOO_MANY_REQUESTS,
        kind: FailureKind::Limit,
        title: "Too many requests",
        heading: "Slow down a little",
        message: format!("Too many requests came from {who} at once. Try again in {seconds} s."),
        may_be_taken: false,
        seconds,
    };
    answer(request.method(), request.headers(), why, assets)
}
