//! Calls that a page makes of its own server.

use super::rpc::{self, Refusal};
use super::{say, with};
use crate::asks;
use crate::frames::FrameId;
use crate::live;
use protocol::hub::ClientFrame;
use protocol::page::Answer;
use serde_json::Value;

/// Calls of a page that are under way at once.
const CALLS: usize = 16;

/// What a call of its is for.
#[derive(Clone, Copy)]
pub(super) enum Brings {
    Result,
    Resource,
}

/// A tool of its own server, by the gateway.
pub(super) fn call(frame: FrameId, id: Option<Value>, (name, input): (String, Value), brings: Brings) {
    let Some(id) = id else { return };
    let begun = with(frame, |app| {
        let has_room = app.calls < CALLS;
        app.calls += usize::from(has_room);
        has_room.then(|| (app.start.agent.clone(), app.start.tool.clone()))
    });
    let (agent, app) = match begun {
        Some(Some(begun)) => begun,
        Some(None) => {
            return say(frame, &rpc::refusal(&id, &Refusal::Refused("16 calls at once are the most.")));
        }
        None => return,
    };
    let own = asks::expect_app_answer(frame, move |frame, answer| {
        with(frame, |app| app.calls -= 1);
        let reply = match (brings, answer) {
            (_, Answer::File { .. }) => return,
            (Brings::Result, Answer::Text { text }) => rpc::result(&id, rpc::answered(&text, false)),
            (Brings::Result, Answer::Error { message }) => rpc::result(&id, rpc::answered(&message, true)),
            (Brings::Resource, Answer::Text { text }) => match rpc::resource(&text) {
                Some(read) => rpc::result(&id, read),
                None => rpc::refusal(&id, &Refusal::Refused("There is nothing in it, or too much.")),
            },
            (Brings::Resource, Answer::Error { message }) => {
                rpc::refusal(&id, &Refusal::Said(rpc::words_of_error(&message)))
            }
        };
        say(frame, &reply);
    });
    if !live::send(ClientFrame::AppCall { agent, id: own, app, name, input }) {
        let message = "The hub cannot be reached at the moment.".to_owned();
        asks::answer(own, Answer::Error { message });
    }
}
