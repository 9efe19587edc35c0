use leptos::prelude::ArcRwSignal;
use protocol::agent::ProviderKind;
use protocol::run::KeySlot;
use protocol::view::ModelList;
use protocol::{Failure, FailureKind, ProviderId};

pub fn fetched() -> ArcRwSignal<Option<u32>> {
    ArcRwSignal::new(None)
}

pub async fn models(
    _id: ProviderId,
    _kind: ProviderKind,
    _at: &str,
    _key: Option<&KeySlot>,
) -> Result<ModelList, Failure> {
    Err(none())
}

pub async fn try_own() -> Result<String, Failure> {
    Err(none())
}

fn none() -> Failure {
    Failure::new(FailureKind::Unavailable, "Only a browser calls this.")
}
