//! The functions of the program of today over a database of before, in this process: here the clock can be
//! set to the time of the fixture.

use super::fixture::{Fixture, MASTER_KEY, Place};
use app::context::RequestFacts;
use axum::body::{Body, to_bytes};
use axum::response::IntoResponse;
use http::{Method, Request, header};
use hub::clock::Clock;
use hub::store::Store;
use hub::{HashCost, Hub, Keyring, OpenDataAddresses, Reach, Setup, TerminalUse};
use leptos::context::provide_context;
use protocol::Language;
use serde::Serialize;
use serde_json::{Value, json};
use std::net::{IpAddr, Ipv4Addr};

/// What a person's agents may keep if nobody says otherwise.
const PERSON_BYTES: u64 = 4 * 1024 * 1024 * 1024;

pub struct Doors<'a> {
    pub hub: Hub,
    pub clock: Clock,
    fixture: &'a Fixture,
}

/// As the fixture has it.
#[derive(Serialize)]
pub struct Answer {
    pub status: u16,
    pub body: Value,
}

impl<'a> Doors<'a> {
    /// Its runs go on.
    pub async fn open(fixture: &'a Fixture) -> Self {
        Self::open_store(fixture, Self::store(fixture).await).await
    }

    /// Its runs are interrupted, as they were by the program of before.
    pub async fn open_interrupting(fixture: &'a Fixture) -> Self {
        // What says so came with a later migration.
        Self::store(fixture).await.close().await;
        fixture.change("UPDATE runs SET crashes = 3, crashed_at = 9000000000000 WHERE running = 1");
        Self::open(fixture).await
    }

    async fn store(fixture: &Fixture) -> Store {
        let store = match &fixture.place {
            Place::Folder(folder) => Store::open_folder(folder.path()).await,
            Place::Url(url) => Store::open_url(url).await,
        };
        store.unwrap()
    }

    async fn open_store(fixture: &'a Fixture, store: Store) -> Self {
        // Whoever was first has chosen the same one.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let _ = app::status_of;
        let clock = Clock::default();
        clock.set(fixture.moment.0 + 5_000 - clock.now());
        let setup = Setup {
            store,
            keyring: Keyring::from_text(MASTER_KEY).unwrap(),
            reach: Reach { private: true, loopback: true },
            web: Reach::default(),
            listed: Reach::default(),
            clock: clock.clone(),
            person_bytes: Some(PERSON_BYTES),
            folder: std::env::temp_dir(),
            engine: env!("CARGO_BIN_EXE_vivarium").into(),
            terminal: TerminalUse::Members,
            programs: None,
            side_calls: false,
            passwords: HashCost::default(),
            open_data: OpenDataAddresses::default(),
            searxng: None,
            sentence_in: |_, english| english.into(),
            web_contact: None,
            mail: None,
            log: None,
            traces: None,
            nats: None,
        };
        Self { hub: Hub::open(setup).await.unwrap(), clock, fixture }
    }

    pub async fn ask(&self, who: &str, path: &str) -> Answer {
        self.request(who, Method::GET, path, Body::empty()).await
    }

    /// Changes something, which has to work.
    pub async fn tell(&self, who: &str, path: &str, body: &Value) -> Value {
        let answer = self.request(who, Method::POST, path, Body::from(body.to_string())).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        answer.body
    }

    /// What waits for this person, once something does.
    pub async fn waiting(&self, who: &str) -> Value {
        loop {
            let mut list = self.ask(who, "approvals/list").await.body;
            if list[0]["approval"].is_object() {
                return list[0]["approval"].take();
            }
            tokio::task::yield_now().await;
        }
    }

    /// The log of anna's agent, once its run is whole.
    pub async fn completed(&self, agent: &str) -> Vec<Value> {
        loop {
            let log = self.log(agent).await;
            let last = log.last().unwrap();
            if last["type"] == "run_finished" {
                assert_eq!(last["outcome"], json!({ "type": "completed" }), "{log:?}");
                return log;
            }
            tokio::task::yield_now().await;
        }
    }

    async fn log(&self, agent: &str) -> Vec<Value> {
        let entries = self.ask("anna", &format!("agents/entries?after=0&agent={agent}")).await.body;
        entries.as_array().unwrap().iter().map(|entry| entry["body"].clone()).collect()
    }

    async fn request(&self, who: &str, method: Method, path: &str, body: Body) -> Answer {
        let mut bearer = self.hub.accounts().bearer(&self.fixture.token(who), "").await.unwrap().unwrap();
        let address = IpAddr::V4(Ipv4Addr::LOCALHOST);
        bearer.came_from(address);
        let origin = self.fixture.hub();
        let facts = RequestFacts {
            language: Language::English,
            viewer: bearer.viewer,
            address,
            known: None,
            pending: None,
            path: format!("/api/{path}"),
            user_agent: String::new(),
            front_door: origin.clone(),
            origin,
            from_here: false,
            insecure: false,
            cookie_name: "session".to_owned(),
            known_cookie_name: "known".to_owned(),
            pending_cookie_name: "pending".to_owned(),
        };
        let hub = self.hub.clone();
        let context = move || {
            provide_context(hub.clone());
            provide_context(facts.clone());
        };
        let request = Request::builder()
            .method(method)
            .uri(format!("/api/{path}"))
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::ACCEPT, "application/json")
            .body(body)
            .unwrap();
        let answer = leptos_axum::handle_server_fns_with_context(context, request).await;
        let answer = answer.into_response();
        let status = answer.status().as_u16();
        let bytes = to_bytes(answer.into_body(), usize::MAX).await.unwrap();
        Answer { status, body: serde_json::from_slice(&bytes).unwrap() }
    }
}
