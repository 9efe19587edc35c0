//! The frames of agents: their pages, and the loops of those that live in the browser. They stand
//! under one element outside the routed view and are never moved. What a frame says is hostile
//! input; no token and nothing of another agent ever goes into one. A server has none of this.

#![cfg_attr(not(feature = "hydrate"), allow(dead_code, reason = "a server has no frames"))]

#[cfg(feature = "hydrate")]
mod artifact;
#[cfg(feature = "hydrate")]
mod asks;
#[cfg(feature = "hydrate")]
mod boot;
#[cfg(feature = "hydrate")]
mod fetch;
#[cfg(any(feature = "hydrate", test))]
mod flow;
#[cfg(feature = "hydrate")]
mod frames;
#[cfg(any(feature = "hydrate", test))]
mod guard;
#[cfg(any(feature = "hydrate", test))]
mod line;
#[cfg(feature = "hydrate")]
mod loops;
#[cfg(feature = "hydrate")]
mod offers;
#[cfg(feature = "hydrate")]
mod place;
#[cfg(any(feature = "hydrate", test))]
mod pulse;
#[cfg(feature = "hydrate")]
mod scripts;
mod services;
#[cfg(feature = "hydrate")]
mod skin;
mod stage;
#[cfg(feature = "hydrate")]
mod state;
#[cfg(any(feature = "hydrate", test))]
mod writes;

#[cfg(feature = "hydrate")]
pub use artifact::{Shown as ShownArtifact, close as close_artifact, show as show_artifact};
#[cfg(feature = "hydrate")]
pub use frames::set_dragging;
pub use services::{Panel, ServicesPanel};
#[cfg(feature = "hydrate")]
pub use services::{Views, begin as begin_services};
#[cfg(feature = "hydrate")]
pub use skin::{close, freeze, open, reload, wait};
pub use stage::Stage;

/// Follows what others did to pages and state.
#[cfg(feature = "hydrate")]
pub fn hear_entry(entry: &protocol::log::Entry) {
    skin::hear_entry(entry);
    artifact::hear_entry(entry);
}

/// Lets this tab perform what the hub asks of it.
#[cfg(feature = "hydrate")]
pub fn serve() {
    crate::live::hear_calls(crate::live::Calls {
        hear,
        lost: loops::part,
        back: loops::rejoin,
        leave: state::flush_all,
    });
}

#[cfg(feature = "hydrate")]
fn hear(frame: protocol::hub::HubFrame) {
    use protocol::hub::HubFrame;

    match frame {
        HubFrame::SkinCall { request, agent, command, claim: false } => perform(request, agent, command),
        HubFrame::SkinCall { request, agent, command, claim: true } => offers::take(request, agent, command),
        HubFrame::SkinGo { request } => offers::go(request),
        HubFrame::Answered { id, answer } => asks::answer(id, answer),
        HubFrame::Granted { token, grant } => loops::start(token, grant),
        HubFrame::Run { run, taken, reply } => loops::reply(&run, taken, reply),
        HubFrame::Rejoined { run, taken } => loops::rejoined(&run, taken),
        HubFrame::Welcome { .. }
        | HubFrame::Entry { .. }
        | HubFrame::CaughtUp { .. }
        | HubFrame::Partial { .. }
        | HubFrame::Delta { .. }
        | HubFrame::Void { .. }
        | HubFrame::Refused { .. }
        | HubFrame::SignedOut
        | HubFrame::Pong => {}
    }
}

/// Performs a call that the hub let through: in the page, or beside it.
#[cfg(feature = "hydrate")]
fn perform(request: u64, agent: protocol::AgentId, command: protocol::frame::SkinCommand) {
    use protocol::frame::{ScriptContext, SkinCommand};

    match command {
        SkinCommand::RunJs { code, timeout_ms, context: ScriptContext::Worker } => {
            scripts::run(request, agent, code, timeout_ms);
        }
        SkinCommand::RunJs { context: ScriptContext::Page, .. } | SkinCommand::Dom { .. } => {
            skin::perform(request, agent, command);
        }
    }
}
