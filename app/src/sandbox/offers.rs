//! Calls to the page that are offered to this tab and to others: claimed at once, and performed only
//! when the hub says so.

use super::skin;
use crate::live;
use protocol::AgentId;
use protocol::frame::SkinCommand;
use protocol::hub::ClientFrame;
use std::cell::RefCell;
use std::collections::VecDeque;

/// Offers that are kept; the hub does not say which of them others got.
const KEPT: usize = 16;

thread_local! {
    static OFFERS: RefCell<VecDeque<(u64, AgentId, SkinCommand)>> = RefCell::default();
}

/// Claims the call, if the page is here.
pub fn take(request: u64, agent: AgentId, command: SkinCommand) {
    if !skin::shows(&agent) {
        return;
    }
    OFFERS.with_borrow_mut(|offers| {
        offers.push_back((request, agent, command));
        if offers.len() > KEPT {
            offers.pop_front();
        }
    });
    live::send(ClientFrame::SkinClaim { request });
}

pub fn go(request: u64) {
    let offer = OFFERS.with_borrow_mut(|offers| {
        let place = offers.iter().position(|(offered, ..)| *offered == request)?;
        offers.remove(place)
    });
    if let Some((request, agent, command)) = offer {
        super::perform(request, agent, command);
    }
}
