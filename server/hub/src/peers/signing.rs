//! Whether the cards of a peer are signed by whom they were signed by first. The key is read on the peer's own server,
//! so that it says who is asked there, and not who that is; from then on no other key counts.

use super::card::Offer;
use super::client::PeerClient;
use crate::agent_cards::{CardKey, claims};
use crate::outbound::Target;
use protocol::words;
use serde_json::Value;

const NOT_SIGNED: &str =
    words!("Its card is not signed, and was before. If that is right, remove the peer and add it once more.");
const NOT_BY_THE_SAME: &str = words!(
    "Its card is signed by another key than its peer's, or was changed since it was signed. If that is right, remove the peer and add it once more."
);

/// A card as it counts here, and as it was found.
pub(super) struct Card {
    pub(super) offered: Offer,
    pub(super) whole: Value,
}

/// Says with each card that is not signed by the known key that it cannot be asked; without one, the one counts that
/// they name. Gives that by which they are signed. `None`: none is, as far as can be told.
pub(super) async fn check(
    client: &PeerClient,
    known: Option<CardKey>,
    cards: &mut [Card],
) -> Option<CardKey> {
    let is_known = known.is_some();
    let key = match known {
        Some(known) => known,
        None => named(client, cards).await?,
    };
    let mut is_by_it = is_known;
    for Card { offered, whole } in cards {
        let is_signed_by_it = key.has_signed(whole);
        is_by_it |= is_signed_by_it;
        if offered.problem.is_none() && !is_signed_by_it {
            let is_signed = whole["signatures"].as_array().is_some_and(|all| !all.is_empty());
            offered.problem = Some((if is_signed { NOT_BY_THE_SAME } else { NOT_SIGNED }).to_owned());
        }
    }
    is_by_it.then_some(key)
}

/// The first key that one of them names and that is to be had on the server that they are about. One that it does not
/// give is none: nobody is asked for it elsewhere.
async fn named(client: &PeerClient, cards: &[Card]) -> Option<CardKey> {
    let here = client.target().place();
    let claim = cards.iter().flat_map(|card| claims(&card.whole)).find_map(|claim| {
        let keys_at = Target::parse(&claim.keys_at).ok().filter(|at| at.place() == here)?;
        Some((keys_at, claim.key))
    });
    let (keys_at, name) = claim?;
    let keys = client.get(&keys_at).await.ok()?;
    CardKey::find(&keys, &name)
}
