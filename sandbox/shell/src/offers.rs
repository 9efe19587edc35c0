//! Calls to the page that are offered to this tab and to others: claimed as soon as the page answers,
//! and performed only when the hub says so.

use super::skin;
use crate::{device_asks, live, serve};
use protocol::AgentId;
use protocol::device::DeviceAsk;
use protocol::hub::ClientFrame;
use protocol::page::{ScriptContext, SkinCommand};
use std::cell::RefCell;
use std::collections::VecDeque;

/// Offers that are kept; the hub does not say which of them others got.
const MAX_OFFERS: usize = 16;

struct Offer {
    request: u64,
    agent: AgentId,
    work: Work,
    is_claimed: bool,
}

enum Work {
    OfPage(SkinCommand),
    OfDevice(DeviceAsk),
}

thread_local! {
    static OFFERS: RefCell<VecDeque<Offer>> = RefCell::default();
}

/// Claims the call, unless its page does not answer.
pub fn take(request: u64, agent: AgentId, command: SkinCommand) {
    if !skin::shows(&agent) {
        return;
    }
    let needs_page = match &command {
        SkinCommand::RunJs { context: ScriptContext::Worker, .. } => false,
        SkinCommand::RunJs { context: ScriptContext::Page, .. } | SkinCommand::Dom { .. } => true,
    };
    keep(Offer { request, agent, work: Work::OfPage(command), is_claimed: !needs_page });
    if needs_page {
        skin::knock();
    } else {
        live::send(ClientFrame::SkinClaim { request });
    }
}

/// Claims it: the page takes no part in it.
pub fn take_for_device(request: u64, agent: AgentId, ask: DeviceAsk) {
    if skin::shows(&agent) {
        keep(Offer { request, agent, work: Work::OfDevice(ask), is_claimed: true });
        live::send(ClientFrame::SkinClaim { request });
    }
}

fn keep(offer: Offer) {
    OFFERS.with_borrow_mut(|offers| {
        offers.push_back(offer);
        if offers.len() > MAX_OFFERS {
            offers.pop_front();
        }
    });
}

/// Claims what was offered: the page of this agent is there.
pub fn claim(agent: &AgentId) {
    let unclaimed: Vec<u64> = OFFERS.with_borrow_mut(|offers| {
        let open = offers.iter_mut().filter(|offer| !offer.is_claimed && offer.agent == *agent);
        open.map(|offer| {
            offer.is_claimed = true;
            offer.request
        })
        .collect()
    });
    for request in unclaimed {
        live::send(ClientFrame::SkinClaim { request });
    }
}

pub fn go(request: u64) {
    let offer = OFFERS.with_borrow_mut(|offers| {
        let place = offers.iter().position(|offer| offer.request == request)?;
        offers.remove(place)
    });
    match offer {
        Some(Offer { request, agent, work: Work::OfPage(command), .. }) => {
            serve::perform(request, agent, command);
        }
        Some(Offer { request, agent, work: Work::OfDevice(ask), .. }) => {
            device_asks::perform(request, agent, ask);
        }
        None => {}
    }
}
