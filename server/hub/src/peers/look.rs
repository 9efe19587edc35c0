//! Asking a peer which agents it has: by the card at its address, or of a hub of ours by its list of cards.

use super::Peers;
use super::card::Offer;
use super::client::PeerClient;
use super::failure::PeerFailure;
use super::rows::{self, AgentRow};
use super::signing::{self, Card};
use crate::agent_cards::CardKey;
use crate::clock::new_id;
use crate::outbound::Target;
use protocol::hub::Noun;
use protocol::{PeerAgentId, PeerId, UserId};
use serde_json::Value;
use std::collections::HashMap;
use std::time::Duration;
use tokio::time::timeout;

/// For all of it.
const LIMIT: Duration = Duration::from_secs(20);
/// Agents of a peer that are kept.
const MOST_AGENTS: usize = 100;
/// Of a peer that is new so many are switched on: its person said yes to it as it is.
const ON_AT_FIRST: usize = 40;
const CARD: &str = ".well-known/agent-card.json";

impl Peers<'_> {
    /// Asks it, and keeps what it says, or why it said nothing.
    pub(super) async fn look(self, owner: &UserId, id: &PeerId) -> Result<(), PeerFailure> {
        let peer = rows::find(self.hub.store().read(), &owner.0, id).await?.ok_or(PeerFailure::Gone)?;
        let (known_signer, misses) = rows::standing(self.hub.store().read(), &owner.0, id).await?;
        let looking = async {
            let client = self.client_of(owner, &peer).await?;
            let mut found = found(&client).await?;
            found.signer = signing::check(&client, known_signer, &mut found.cards).await;
            Ok::<_, PeerFailure>(found)
        };
        let looked = timeout(LIMIT, looking).await.unwrap_or(Err(PeerFailure::TooLate(LIMIT.as_secs())));
        let mut tx = self.hub.store().write().await?;
        let Found { cards, left_out, signer } = match looked {
            Ok(looked) => looked,
            Err(failure) => {
                let (why, now) = (failure.to_string(), self.hub.now());
                match failure.is_the_peers() {
                    true => rows::failed(&mut tx, &owner.0, id, &why, misses + 1, now).await?,
                    false => rows::not_asked(&mut tx, &owner.0, id, &why, now).await?,
                }
                if peer.failure.as_ref() != Some(&why) {
                    tx.changes(owner, Noun::Peers);
                }
                tx.commit().await?;
                return Err(failure);
            }
        };
        if rows::looked(&mut tx, &owner.0, id, left_out, signer.as_ref(), self.hub.now()).await? == 0 {
            return Err(PeerFailure::Gone);
        }
        let known = rows::agents(&mut *tx, &owner.0, id).await?;
        let mut known: HashMap<String, AgentRow> =
            known.into_iter().map(|row| (row.offered.url.clone(), row)).collect();
        let mut on = 0;
        let mut is_other = peer.failure.is_some()
            || peer.looked_at.is_none()
            || u32::try_from(left_out) != Ok(peer.left_out);
        for Card { offered, .. } in cards {
            let row = match known.remove(&offered.url) {
                Some(before) if before.offered == offered => continue,
                Some(before) => AgentRow { offered, ..before },
                None => {
                    let mut new =
                        AgentRow { id: PeerAgentId(new_id()), offered, accepted: None, is_on: false };
                    if peer.looked_at.is_none() && new.offered.problem.is_none() && on < ON_AT_FIRST {
                        on += 1;
                        new.accept();
                    }
                    new
                }
            };
            rows::put(&mut tx, id, &row).await?;
            is_other = true;
        }
        for gone in known.values() {
            rows::forget(&mut tx, id, &gone.id).await?;
            is_other = true;
        }
        // Where it only answered once more, no page is drawn again.
        if is_other {
            tx.changes(owner, Noun::Peers);
        }
        tx.commit().await?;
        Ok(())
    }
}

/// What was found there.
struct Found {
    /// Each address once.
    cards: Vec<Card>,
    /// How many there are besides.
    left_out: usize,
    signer: Option<CardKey>,
}

async fn found(client: &PeerClient) -> Result<Found, PeerFailure> {
    let at = client.target();
    let path = at.url().path();
    let card = if path.ends_with("agent-card.json") { at.clone() } else { below(at, CARD)? };
    let failure = match client.get(&card).await {
        Ok(found) => match Offer::read(&found, &card) {
            Some(offered) => {
                let cards = vec![Card { offered, whole: found }];
                return Ok(Found { cards, left_out: 0, signer: None });
            }
            None => PeerFailure::NotA2a,
        },
        Err(failure @ (PeerFailure::NotThere(_) | PeerFailure::NotA2a)) => failure,
        Err(failure) => return Err(failure),
    };
    // A hub of ours has a card for each agent, and lists them all.
    let list = if path.trim_end_matches('/').ends_with("/a2a") { at.clone() } else { below(at, "a2a")? };
    let listed = match client.get(&list).await {
        Ok(listed) => listed,
        Err(PeerFailure::NotThere(_) | PeerFailure::NotA2a) => return Err(failure),
        Err(failure) => return Err(failure),
    };
    let all = listed.get("agents").and_then(Value::as_array).ok_or(failure)?;
    let mut cards: Vec<Card> = Vec::new();
    for whole in all.iter().take(MOST_AGENTS) {
        let Some(offered) = Offer::read(whole, &list) else { continue };
        if cards.iter().all(|other| other.offered.url != offered.url) {
            cards.push(Card { offered, whole: whole.clone() });
        }
    }
    Ok(Found { cards, left_out: all.len().saturating_sub(MOST_AGENTS), signer: None })
}

fn below(at: &Target, path: &str) -> Result<Target, PeerFailure> {
    let base = at.url().as_str().trim_end_matches('/');
    Ok(Target::parse(&format!("{base}/{path}"))?)
}
