//! In place of the codecs that are not built in. [`Wire::of`](super::Wire::of) names none of them.

use super::form::Keeps;
use super::framing::Event;
use super::models::{self, Shape};
use super::outgoing;
use super::reply::Reply;
use super::sampling::Names;
use super::{Auth, HttpRequest};
use protocol::model::{Media, ModelRequest};
use protocol::words;

pub(super) const BASE_URL: &str = "https://base-url.invalid";
pub(super) const MODELS: &[&str] = &[];
pub(super) const LIST: Shape = models::OPENAI;
pub(super) const SAMPLING: Names = Names::FEW;

#[derive(Debug, Default)]
pub(super) struct Stream {}

impl Stream {
    pub(super) fn read(&mut self, _event: &Event, reply: &mut Reply) {
        reply.fail_malformed(words!("its format is not known here"));
    }

    pub(super) fn finish(&mut self, _reply: &mut Reply) {}
}

pub(super) fn encode(base_url: &str, _request: &ModelRequest) -> HttpRequest {
    list_models(base_url)
}

pub(super) fn list_models(base_url: &str) -> HttpRequest {
    outgoing::get(base_url.to_owned(), Auth::None)
}

pub(super) fn names(_model: &str) -> Names {
    SAMPLING
}

pub(super) fn takes(_media: &Media) -> bool {
    false
}

pub(super) fn keeps(_model: &str) -> Keeps {
    Keeps::Nothing
}

pub(super) fn retry_after(_body: &[u8]) -> Option<u64> {
    None
}
