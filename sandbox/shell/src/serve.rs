//! What the hub asks of this tab, and what the log tells the frames.

use crate::live::{self, TabHandlers};
use crate::{artifact, asks, device_asks, loops, offers, scripts, skin, state};
use protocol::AgentId;
use protocol::hub::HubFrame;
use protocol::log::Entry;
use protocol::page::{ScriptContext, SkinCommand};

/// Follows what others did to pages and state.
pub fn hear_entry(entry: &Entry) {
    skin::hear_entry(entry);
    artifact::hear_entry(entry);
}

/// Lets this tab perform what the hub asks of it.
pub fn serve() {
    live::hear_calls(TabHandlers {
        hear: on_hub_frame,
        lost: loops::part,
        back: loops::rejoin,
        leave: state::flush_all,
    });
}

fn on_hub_frame(frame: HubFrame) {
    match frame {
        HubFrame::SkinCall { request, agent, command, claim: false } => perform(request, agent, command),
        HubFrame::SkinCall { request, agent, command, claim: true } => offers::take(request, agent, command),
        HubFrame::DeviceCall { request, agent, ask, claim: false } => {
            device_asks::perform(request, agent, ask);
        }
        HubFrame::DeviceCall { request, agent, ask, claim: true } => {
            offers::take_for_device(request, agent, ask);
        }
        HubFrame::SkinGo { request } => offers::go(request),
        HubFrame::Answered { id, answer } => asks::answer(id, answer),
        HubFrame::Granted { token, grant } => loops::start(token, grant),
        HubFrame::Run { run, taken, reply } => loops::reply(&run, taken, reply),
        HubFrame::Rejoined { run, taken } => loops::rejoined(&run, taken),
        HubFrame::Welcome { .. }
        | HubFrame::Subscribed { .. }
        | HubFrame::Entry { .. }
        | HubFrame::CaughtUp { .. }
        | HubFrame::Changed { .. }
        | HubFrame::PersonChanged
        | HubFrame::NounChanged { .. }
        | HubFrame::DraftChanged { .. }
        | HubFrame::Partial { .. }
        | HubFrame::Delta { .. }
        | HubFrame::Void { .. }
        | HubFrame::Progress { .. }
        | HubFrame::Refused { .. }
        | HubFrame::SignedOut
        | HubFrame::Pong => {}
    }
}

/// Performs a call that the hub let through: in the page, or beside it.
pub(crate) fn perform(request: u64, agent: AgentId, command: SkinCommand) {
    match command {
        SkinCommand::RunJs { code, timeout_ms, context: ScriptContext::Worker } => {
            scripts::run(request, agent, code, timeout_ms);
        }
        SkinCommand::RunJs { context: ScriptContext::Page, .. } | SkinCommand::Dom { .. } => {
            skin::perform(request, agent, command);
        }
    }
}
