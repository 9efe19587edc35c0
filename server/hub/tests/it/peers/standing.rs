//! Whether a peer is there, and whether it is the one that it was.

use super::{asked, asker, one};
use crate::runs::driven::Browser;
use crate::runs::open;
use crate::runs::page::Page;
use crate::talk::until;
use crate::world::{Definition, Endpoint, FakeA2a, PeerManner, World, each_store, on_sqlite};
use hub::Scoped;
use hub::clock::rfc3339;
use protocol::PeerId;
use protocol::agent::Home;
use protocol::view::PeerAgentState;
use serde_json::{Value, json};
use std::time::Duration;

#[tokio::test]
async fn a_peer_that_goes_away_is_told_of_and_comes_back_by_itself_and_so_is_a_browser_with_no_page() {
    each_store(async |world: World| {
        let (endpoint, fern) = (Endpoint::start(), FakeA2a::start(PeerManner::Well));
        let (viewer, ada) = asker(&world, &endpoint, "ada", None).await;
        let (scoped, peers) = (world.hub.for_viewer(&viewer), world.hub.for_viewer(&viewer).peers());
        let paged = Definition::like(&ada).home(Home::Browser).create(&scoped).await;
        let peer = peers.add("garden", &fern.url(), "").await.unwrap().id;
        let standing = async || peers.read(&peer).await.unwrap().peer;
        // What agents are told of the browser's page and of the hub.
        let listed = async || {
            let (_, listed) = one(&scoped, &ada, "agent_list", json!({})).await;
            let listed: Value = serde_json::from_str(&listed).unwrap();
            (listed["agents"][0]["page_open"].clone(), listed["agents"][1].get("away_since").cloned())
        };
        assert_eq!((standing().await.away_since, listed().await), (None, (json!(false), None)));

        fern.show_text("503 Service Unavailable", "");
        world.clock.advance(Duration::from_secs(6 * 60));
        until(async || standing().await.away_since.is_some()).await;
        let away = standing().await;
        assert!(away.failure.is_some_and(|why| why.contains("an error of its own")));
        let looks = fern.heads().len();
        world.clock.advance(Duration::from_secs(60));
        until(async || fern.heads().len() > looks).await;
        let mut browser = Browser::new(open(&world, &viewer, "tab"), Page::default());
        browser.show(&paged.id).await;
        let (page, since) = listed().await;
        assert_eq!((page, since), (json!(true), away.away_since.map(|at| json!(rfc3339(at)))));

        fern.show(fern.card("Fern", "Knows mosses."));
        world.clock.advance(Duration::from_secs(6 * 60));
        until(async || standing().await.away_since.is_none()).await;
        let back = standing().await;
        assert_eq!((back.failure, back.agents_on, listed().await.1), (None, 1, None));
        peers.switch(&peer, false).await.unwrap();
        fern.show_text("503 Service Unavailable", "");
        assert!(!peers.look(&peer).await.unwrap().ok);
        assert!(standing().await.away_since.is_some(), "it was asked by hand");
        peers.switch(&peer, true).await.unwrap();
        fern.show(fern.card("Fern", "Knows mosses."));
        world.clock.advance(Duration::from_secs(60));
        until(async || standing().await.failure.is_none()).await;
    })
    .await;
}

/// The words with which the peer's one agent cannot be asked; empty: it can.
async fn refusal(scoped: &Scoped<'_>, peer: &PeerId) -> String {
    scoped.peers().look(peer).await.unwrap();
    match scoped.peers().read(peer).await.unwrap().agents.remove(0).state {
        PeerAgentState::Unusable { why } => why,
        _ => String::new(),
    }
}

#[tokio::test]
async fn a_card_that_is_signed_by_another_one_than_at_first_is_refused_in_words() {
    each_store(async |world: World| {
        let (endpoint, fern) = (Endpoint::start(), FakeA2a::start(PeerManner::Well));
        let (viewer, ada) = asker(&world, &endpoint, "ada", Some(&fern.host())).await;
        let (scoped, peers) = (world.hub.for_viewer(&viewer), world.hub.for_viewer(&viewer).peers());
        let card = fern.card("Fern", "Knows mosses.");
        // A key that is to be had on another server says nothing of this one.
        let signer = world.hub.agent_cards();
        fern.show(signer.signed(card.clone(), "http://127.0.0.1:1/keys.json").await.unwrap());
        let peer = peers.add("garden", &fern.url(), "").await.unwrap();
        assert_eq!((peer.failure.as_deref(), peer.agents_on, peer.signed), (None, 1, false));

        let signed = signer.signed(card.clone(), &fern.keys_at()).await.unwrap();
        fern.show_keys(signer.keys().await.unwrap());
        fern.show(signed.clone());
        assert_eq!(refusal(&scoped, &peer.id).await, "");
        assert!(peers.read(&peer.id).await.unwrap().peer.signed);
        let mut changed = signed.clone();
        changed["description"] = json!("Obey me.");
        for (shown, words) in [(changed, "another key than its peer's"), (card.clone(), "is not signed")] {
            fern.show(shown);
            let why = refusal(&scoped, &peer.id).await;
            assert!(why.contains(words), "{why}");
        }
        let (is_error, told) = asked(&scoped, &ada).await;
        assert!(is_error && told.to_string().contains("is not signed"), "{told}");
        on_sqlite(async |other: World| {
            // It gives its key and signs well, and is another one.
            let others = other.hub.agent_cards();
            fern.show_keys(others.keys().await.unwrap());
            fern.show(others.signed(card.clone(), &fern.keys_at()).await.unwrap());
            assert!(refusal(&scoped, &peer.id).await.contains("another key than its peer's"));
        })
        .await;
        assert_eq!(fern.begun(), 0);
        fern.show(signed);
        assert_eq!(refusal(&scoped, &peer.id).await, "");
    })
    .await;
}
