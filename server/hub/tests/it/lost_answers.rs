//! Commits to PostgreSQL whose answers are lost: what was written is not told as lost, and whoever tries again writes
//! nothing twice.

use crate::programs::{chat, hello, program, provider};
use crate::runs::trace::until_finished;
use crate::runs::{agent, open};
use crate::schedules::hourly;
use crate::talk::{PATIENCE, until};
use crate::world::{Endpoint, Loss, LossyWire, World, on_postgres};
use hub::Scoped;
use hub::store::Store;
use protocol::agent::{Home, ProviderKind};
use protocol::log::{Entry, EntryBody};
use protocol::view::{CallKind, SideCallSettings, SpeechPart};
use protocol::{Caps, Micros};
use serde_json::Value;
use sqlx::Row as _;
use std::time::Duration;

const NAMES: &str = "You name conversations.";
const HOUR: Duration = Duration::from_secs(60 * 60);
const WEBM: &str = "audio/webm;codecs=opus";
/// As much as says that it is WebM.
const SOUND: &[u8] = b"\x1a\x45\xdf\xa3 and what was said";

async fn count(store: &Store, what: &'static str) -> i64 {
    sqlx::query(what).fetch_one(store.read()).await.unwrap().get(0)
}

/// Calls of this kind that are in the books.
async fn calls(scoped: &Scoped<'_>, kind: CallKind) -> u64 {
    let usage = scoped.ledger().usage().await.unwrap();
    usage.kinds.iter().filter(|of| of.kind == kind).map(|of| of.line.calls).sum()
}

fn how_many(entries: &[Entry], fits: impl Fn(&EntryBody) -> bool) -> usize {
    entries.iter().filter(|entry| fits(&entry.body)).count()
}

#[tokio::test]
async fn a_commit_is_told_as_what_became_of_it() {
    on_postgres(async |world: World| {
        let wire = LossyWire::to(&world.place());
        let (near, far) = (Store::open_url(&wire.url).await.unwrap(), world.store().await);
        for (loss, is_written) in [(Loss::Answer, true), (Loss::Commit, false), (Loss::Answer, true)] {
            let before = count(&far, "SELECT COUNT(*) FROM settings").await;
            let mut tx = near.write().await.unwrap();
            sqlx::query("INSERT INTO settings (key, value) VALUES ($1, 'told')")
                .bind(hub::clock::new_id())
                .execute(&mut *tx)
                .await
                .unwrap();
            wire.lose(loss, 1);
            assert_eq!(tx.commit().await.is_ok(), is_written, "{loss:?}");
            let written = count(&far, "SELECT COUNT(*) FROM settings").await - before;
            assert_eq!(written, i64::from(is_written), "{loss:?}");
        }
        assert_eq!(wire.lost(), 3);
        near.close().await;
        far.close().await;
    })
    .await;
}

#[tokio::test]
async fn what_the_database_takes_back_is_not_told_as_written() {
    on_postgres(async |world: World| {
        let store = world.store().await;
        let before = count(&store, "SELECT COUNT(*) FROM settings").await;
        let mut tx = store.write().await.unwrap();
        let written = "INSERT INTO settings (key, value) VALUES ('moss', 'told')";
        sqlx::query(written).execute(&mut *tx).await.unwrap();
        assert!(sqlx::query("SELECT moss").execute(&mut *tx).await.is_err());
        assert!(tx.commit().await.is_err());
        assert_eq!(count(&store, "SELECT COUNT(*) FROM settings").await, before);
        store.close().await;
    })
    .await;
}

#[tokio::test]
async fn what_is_written_while_no_commit_is_answered_is_written_once() {
    on_postgres(async |world: World| {
        let (world, wire) = world.over_lossy_wire().await;
        let (endpoint, speech) = (Endpoint::start(), Endpoint::speech());
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let agent = agent(&world, &ada, &endpoint, ProviderKind::Anthropic, Home::Hub).await;
        let (program, _) = program(&world, &ada, None).await;
        let (openai, url) = (ProviderKind::OpenAi, Some(speech.url.as_str()));
        let key = Some("key-good-0123456789abcdef-0123456789");
        let parrot = scoped.providers().save(None, "Parrot", openai, url, key).await.unwrap().id;
        scoped.speech().choose(SpeechPart::Hearing, Some(&parrot), "whisper-1", "").await.unwrap();
        scoped.side_calls().set(SideCallSettings { titles: true, memories: false }).await.unwrap();
        let schedule = scoped.schedules().create(&agent.id, &hourly("Look around.")).await.unwrap();

        // Where nothing is limited nothing is held, so that no row says whether a call is booked.
        let enough = Caps { ever: Some(Micros(100_000_000)), ..Caps::default() };
        for (round, caps) in [(1_u8, Caps::default()), (2, enough)] {
            scoped.ledger().limit_own(&caps).await.unwrap();
            let conversation = scoped.conversations().create(&agent.id).await.unwrap().id;
            let seq = scoped.pages().latest(&agent.id).await.unwrap().seq;
            let mut tab = open(&world, &ada, &format!("watcher {round}"));
            tab.follow(&agent.id, seq).await.unwrap();
            wire.lose(Loss::Answer, usize::MAX);

            assert_eq!(chat(&world, &program, hello("claude-sonnet-4-5", "Hi")).await.status, 200);
            scoped.speech().hear(&agent.id, WEBM, SOUND.to_vec(), 3).await.unwrap();
            let runs = scoped.runs().of_conversation(Some(&conversation));
            let text = format!("What grows?\ntitle: Moss {round}");
            runs.ask(&agent.id, &text, None, PATIENCE).await.unwrap();
            let entries = until_finished(&mut tab).await;
            for (what, found) in [
                ("a message", how_many(&entries, |body| matches!(body, EntryBody::Message { .. }))),
                ("a beginning", how_many(&entries, |body| matches!(body, EntryBody::RunStarted { .. }))),
                ("a use", how_many(&entries, |body| matches!(body, EntryBody::Used { .. }))),
            ] {
                assert_eq!(found, 1, "{what}");
            }
            let title = async || scoped.conversations().get(&conversation).await.unwrap().title;
            until(async || title().await == format!("Moss {round}")).await;
            world.clock.advance(HOUR);
            let begun = async || scoped.schedules().history(&schedule).await.unwrap().len();
            until(async || begun().await == usize::from(round)).await;
            until_finished(&mut tab).await;

            wire.lose(Loss::Answer, 0);
            for kind in [CallKind::Program, CallKind::Speech] {
                assert_eq!(calls(&scoped, kind).await, u64::from(round), "{kind:?}");
            }
            let replies = calls(&scoped, CallKind::Reply).await;
            assert_eq!(replies, 2 * u64::from(round), "a person's and a schedule's");
            let names = async || {
                let requests = endpoint.requests().await;
                let named = |request: &&Value| request["body"]["system"].to_string().contains(NAMES);
                requests.iter().filter(named).count() as u64
            };
            until(async || calls(&scoped, CallKind::Title).await == names().await).await;
        }
        assert!(wire.lost() > 20, "{}", wire.lost());
        let store = world.store().await;
        assert_eq!(count(&store, "SELECT COUNT(*) FROM holds").await, 0);
        store.close().await;
    })
    .await;
}

#[tokio::test]
async fn what_was_asked_is_booked_once_whichever_commits_do_not_get_there() {
    on_postgres(async |world: World| {
        let (world, wire) = world.over_lossy_wire().await;
        let endpoint = Endpoint::start();
        let ada = world.person("ada").await;
        provider(&world, &ada, "Claude", ProviderKind::Anthropic, &endpoint).await;
        let (program, _) = program(&world, &ada, None).await;
        let scoped = world.hub.for_viewer(&ada);
        let asked = async || {
            let requests = endpoint.requests().await;
            requests.iter().filter(|request| request["body"]["messages"].is_array()).count() as u64
        };
        let enough = Caps { ever: Some(Micros(100_000_000)), ..Caps::default() };
        for (caps, losses) in [(Caps::default(), 1), (Caps::default(), 2), (enough, 1), (enough, 2)] {
            scoped.ledger().limit_own(&caps).await.unwrap();
            wire.lose(Loss::Commit, losses);
            // Whose money could not be held is told so.
            chat(&world, &program, hello("claude-sonnet-4-5", "Hi")).await;
            wire.lose(Loss::Commit, 0);
            let asked = asked().await;
            until(async || calls(&scoped, CallKind::Program).await == asked).await;
        }
        assert!(wire.lost() > 0);
        let store = world.store().await;
        until(async || count(&store, "SELECT COUNT(*) FROM holds").await == 0).await;
        store.close().await;
    })
    .await;
}
