//! How an agent stands, in one point and in words.

use crate::prelude::*;
use protocol::view::Status;

/// For `data-status` of a dot.
pub fn status_dot(status: Status, paused: bool) -> &'static str {
    match status {
        Status::Idle | Status::Error if paused => "paused",
        Status::Idle => "idle",
        Status::Running => "running",
        Status::Waiting => "waiting",
        Status::Error => "error",
    }
}

pub fn status_words(status: Status, paused: bool) -> &'static str {
    t(match status {
        Status::Idle | Status::Error if paused => "paused",
        Status::Idle => "idle",
        Status::Running => "running",
        Status::Waiting => "waiting for you",
        Status::Error => "stopped by an error",
    })
}
