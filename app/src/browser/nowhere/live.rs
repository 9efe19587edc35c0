use leptos::prelude::ArcRwSignal;
use protocol::hub::{HubFrame, Noun};
use protocol::view::shell::Connection;
use protocol::{AgentId, TabId};

#[derive(Clone, Copy)]
pub struct Follower;

pub fn follow(_agent: AgentId, _seq: u64, _hear: impl Fn(&HubFrame) + 'static) -> Follower {
    Follower
}

pub fn unfollow(_follower: Follower) {}

pub fn connection() -> ArcRwSignal<Connection> {
    ArcRwSignal::new(Connection::Opening)
}

pub fn person_changes() -> ArcRwSignal<u32> {
    ArcRwSignal::new(0)
}

pub fn noun_changes(_noun: Noun) -> ArcRwSignal<u32> {
    ArcRwSignal::new(0)
}

pub fn is_seen() -> ArcRwSignal<bool> {
    ArcRwSignal::new(true)
}

pub fn try_now() {}

pub fn tab() -> TabId {
    TabId(String::new())
}

pub fn show(_agent: AgentId) {}

pub fn hide(_agent: &AgentId) {}
