//! What services with open data know of the world: the weather, and what currencies are worth. They need no key.
//! Where they are, whoever runs the hub says; whether an agent may reach them, its network does.

mod addresses;
mod ask;
mod cache;
mod failure;
mod pace;
mod place;
mod places;
mod rates;
mod sky;
mod weather;

use crate::Hub;
pub use addresses::OpenDataAddresses;
use cache::Cache;
use pace::Pace;
pub(crate) use place::Place;
use protocol::{AgentId, UserId};
pub(crate) use rates::RatesWanted;
pub(crate) use weather::{Forecast, WeatherWanted};

/// What an agent is told of the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenData<'a> {
    hub: &'a Hub,
    /// Whose agent asks.
    owner: &'a UserId,
    agent: &'a AgentId,
}

impl Hub {
    pub(crate) fn open_data<'a>(&'a self, owner: &'a UserId, agent: &'a AgentId) -> OpenData<'a> {
        OpenData { hub: self, owner, agent }
    }
}

pub(crate) struct InMemory {
    addresses: OpenDataAddresses,
    cache: Cache,
    pace: Pace,
}

impl InMemory {
    pub(crate) fn new(addresses: OpenDataAddresses) -> Self {
        Self { addresses, cache: Cache::default(), pace: Pace::default() }
    }
}
