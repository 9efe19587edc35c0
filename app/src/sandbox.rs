//! The frames of agents: their pages, and the loops of those that live in the browser. They stand
//! under one element outside the routed view and are never moved. What a frame says is hostile
//! input; no token and nothing of another agent ever goes into one. A server has none of this.

#![cfg_attr(not(feature = "hydrate"), allow(dead_code, reason = "a server has no frames"))]

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
#[cfg(feature = "hydrate")]
mod loops;
#[cfg(feature = "hydrate")]
mod place;
#[cfg(any(feature = "hydrate", test))]
mod pulse;
#[cfg(feature = "hydrate")]
mod scripts;
#[cfg(feature = "hydrate")]
mod skin;
mod stage;

#[cfg(feature = "hydrate")]
pub use frames::set_dragging;
#[cfg(feature = "hydrate")]
pub use skin::{close, freeze, hear_entry, open, reload, wait};
pub use stage::Stage;

/// Lets this tab perform what the hub asks of it.
#[cfg(feature = "hydrate")]
pub fn serve() {
    crate::live::hear_calls(crate::live::Calls { hear, lost: loops::abandon });
}

#[cfg(feature = "hydrate")]
fn hear(frame: protocol::hub::HubFrame) {
    use protocol::frame::{ScriptContext, SkinCommand};
    use protocol::hub::HubFrame;

    match frame {
        HubFrame::SkinCall {
            request,
            agent,
            command: SkinCommand::RunJs { code, timeout_ms, context: ScriptContext::Worker },
        } => scripts::run(request, agent, code, timeout_ms),
        HubFrame::SkinCall { request, agent, command } => skin::perform(request, agent, command),
        HubFrame::Answered { id, answer } => skin::answer(id, answer),
        HubFrame::Granted { token, grant } => loops::start(token, grant),
        HubFrame::Run { run, reply } => loops::reply(&run, reply),
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
