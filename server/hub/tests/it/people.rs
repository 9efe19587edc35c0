//! What administrators do with other people's accounts, and what each role may do.

use crate::runs;
use crate::search::find;
use crate::talk::{PATIENCE, until};
use crate::world::{Endpoint, PASSWORD, World, each_store, on_sqlite};
use hub::{AuditQuery, Error, Viewer};
use protocol::agent::{Home, ProviderKind};
use protocol::view::{AuditAction, AuditOutcome, PEOPLE_AT_ONCE, PersonView, Role, SearchKind};
use protocol::{AgentId, FailureKind};
use sqlx::Row as _;
use std::time::Duration;

#[track_caller]
fn refused<T: std::fmt::Debug>(answer: Result<T, Error>, kind: FailureKind, words: &str) {
    let failure = answer.unwrap_err().into_failure();
    assert_eq!(failure.kind, kind, "{failure}");
    assert!(failure.message.contains(words), "{failure}");
}

async fn seen(world: &World, admin: &Viewer) -> Vec<PersonView> {
    world.hub.as_admin(admin).unwrap().people().list("", "").await.unwrap()
}

/// A person and an agent of theirs that is in the middle of a sentence.
async fn talking(world: &World, endpoint: &Endpoint) -> (Viewer, AgentId) {
    let ben = world.person("ben").await;
    let agent = runs::agent(world, &ben, endpoint, ProviderKind::OpenAi, Home::Hub).await.id;
    let mut tab = runs::open(world, &ben, "tab");
    tab.follow(&agent, 0).await.unwrap();
    world.hub.for_viewer(&ben).runs().send_message(&agent, "script: halves", None, None).await.unwrap();
    loop {
        let frame = tab.next().await.unwrap();
        if String::from_utf8_lossy(&frame.text).contains("\"type\":\"delta\"") {
            return (ben, agent);
        }
    }
}

async fn running(world: &World, agent: &AgentId) -> i64 {
    let store = world.store().await;
    let row = sqlx::query("SELECT count(*) AS count FROM runs WHERE agent_id = $1 AND running = 1")
        .bind(&agent.0)
        .fetch_one(store.read())
        .await
        .unwrap();
    store.close().await;
    row.get("count")
}

#[tokio::test]
async fn a_disabled_person_is_out_and_an_enabled_one_is_back_with_everything() {
    each_store(async |world: World| {
        let hub = &world.hub;
        let ada = world.admin("ada").await;
        hub.accounts().add_user("ben", PASSWORD, Role::Member).await.unwrap();
        let session = hub.accounts().sign_in("ben", PASSWORD, "test").await.unwrap().done().unwrap();
        let ben = session.viewer.clone();
        let token = hub.for_viewer(&ben).account().create_token("backup").await.unwrap().token;
        let mut tab = hub.open_tab(ben.clone(), "tab".into()).unwrap();
        let admin = hub.as_admin(&ada).unwrap();
        admin.people().disable(&ben.me.id).await.unwrap();
        let last = tab.next().await.unwrap();
        assert!(String::from_utf8_lossy(&last.text).contains("signed_out"));
        assert!(tab.next().await.is_none());
        // Nor is there a socket for who was on the way when it happened.
        let mut late = hub.open_tab(ben.clone(), "late".into()).unwrap();
        let last = late.next().await.unwrap();
        assert!(String::from_utf8_lossy(&last.text).contains("signed_out"));
        assert!(late.next().await.is_none());
        assert!(hub.accounts().viewer_by_session(&session.secret).await.unwrap().is_none());
        assert!(hub.accounts().viewer_by_token(&token).await.unwrap().is_none());
        refused(hub.accounts().sign_in("ben", PASSWORD, "test").await, FailureKind::Forbidden, "disabled");
        assert!(seen(&world, &ada).await.iter().any(|person| person.name == "ben" && person.disabled));

        admin.people().enable(&ben.me.id).await.unwrap();
        assert!(hub.accounts().viewer_by_session(&session.secret).await.unwrap().is_none());
        assert!(hub.accounts().viewer_by_token(&token).await.unwrap().is_some());
        hub.accounts().sign_in("ben", PASSWORD, "test").await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn what_runs_for_a_disabled_person_ends_and_nothing_begins() {
    each_store(async |world: World| {
        let ada = world.admin("root").await;
        let endpoint = Endpoint::start();
        let (ben, agent) = talking(&world, &endpoint).await;
        let admin = world.hub.as_admin(&ada).unwrap();
        let out = tokio::time::timeout(Duration::from_secs(2), admin.people().disable(&ben.me.id));
        out.await.expect("it is over within two seconds").unwrap();
        let scoped = world.hub.for_viewer(&ben);
        assert_eq!(running(&world, &agent).await, 0);
        scoped.runs().send_message(&agent, "again", None, None).await.unwrap();
        assert_eq!(running(&world, &agent).await, 0);
    })
    .await;
}

#[tokio::test]
async fn somebody_always_runs_the_hub() {
    each_store(async |world: World| {
        let hub = &world.hub;
        let (ada, ben) = (world.admin("ada").await, world.admin("ben").await);
        let admin = hub.as_admin(&ada).unwrap();
        admin.people().set_role(&ben.me.id, Role::Member).await.unwrap();
        refused(
            admin.people().set_role(&ada.me.id, Role::Guest).await,
            FailureKind::Conflict,
            "only administrator",
        );
        refused(admin.people().disable(&ada.me.id).await, FailureKind::Conflict, "only administrator");
        refused(admin.people().remove(&ada.me.id, "ada").await, FailureKind::Conflict, "only administrator");
        admin.people().set_role(&ben.me.id, Role::Admin).await.unwrap();
        let bens = hub.as_admin(&ben).unwrap();
        let (one, other) = tokio::join!(
            admin.people().set_role(&ben.me.id, Role::Member),
            bens.people().set_role(&ada.me.id, Role::Member)
        );
        assert_eq!([one.is_ok(), other.is_ok()].iter().filter(|done| **done).count(), 1);
        assert_eq!(seen(&world, &ada).await.iter().filter(|person| person.role == Role::Admin).count(), 1);
        let missing = "nobody".into();
        refused(
            admin.people().set_role(&missing, Role::Member).await,
            FailureKind::NotFound,
            "no such person",
        );
        refused(admin.people().disable(&missing).await, FailureKind::NotFound, "no such person");
        refused(admin.people().enable(&missing).await, FailureKind::NotFound, "no such person");
        refused(admin.people().remove(&missing, "x").await, FailureKind::NotFound, "no such person");
        refused(
            admin.people().reset_password(&missing).await.map(|_| ()),
            FailureKind::NotFound,
            "no such person",
        );
        refused(admin.people().get(&missing).await.map(|_| ()), FailureKind::NotFound, "no such person");
    })
    .await;
}

#[tokio::test]
async fn a_role_has_its_rights_at_once_and_no_others() {
    each_store(async |world: World| {
        let hub = &world.hub;
        let ada = world.admin("ada").await;
        hub.accounts().add_user("ben", PASSWORD, Role::Member).await.unwrap();
        let session = hub.accounts().sign_in("ben", PASSWORD, "test").await.unwrap().done().unwrap();
        for (role, own_things, runs_the_hub) in
            [(Role::Member, true, false), (Role::Guest, false, false), (Role::Admin, true, true)]
        {
            hub.as_admin(&ada).unwrap().people().set_role(&session.viewer.me.id, role).await.unwrap();
            let ben = hub.accounts().viewer_by_session(&session.secret).await.unwrap().unwrap();
            assert_eq!(ben.me.role, role);
            let his = hub.for_viewer(&ben);
            assert_eq!(his.account().create_token("one").await.is_ok(), own_things, "{role:?}");
            let url = Some("http://127.0.0.1:1/v1");
            let saved = his.providers().save(None, "Home", ProviderKind::OpenAi, url, Some("key")).await;
            assert_eq!(saved.is_ok(), own_things, "{role:?}");
            let tested = his.providers().test(ProviderKind::OpenAi, url, Some("key"), None, None).await;
            assert_eq!(tested.is_ok(), own_things, "{role:?}");
            let source = his.web_search().add(SearchKind::Searxng, Some("http://127.0.0.1:1"), None).await;
            assert_eq!(source.is_ok(), own_things, "{role:?}");
            assert_eq!(his.providers().find("127.0.0.1:1").await.is_ok(), own_things, "{role:?}");
            let tools = his.agents().tools().await.unwrap();
            assert_eq!(tools.iter().any(|tool| tool.name == "terminal"), own_things, "{role:?}");
            assert_eq!(hub.as_admin(&ben).is_some(), runs_the_hub, "{role:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_reset_link_sets_a_password_once_and_signs_everything_out() {
    each_store(async |world: World| {
        let hub = &world.hub;
        let ada = world.admin("ada").await;
        hub.accounts().add_user("ben", PASSWORD, Role::Member).await.unwrap();
        let session = hub.accounts().sign_in("ben", PASSWORD, "test").await.unwrap().done().unwrap();
        let admin = hub.as_admin(&ada).unwrap();
        let id = session.viewer.me.id.clone();
        let code = async || {
            let reset = admin.people().reset_password(&id).await.unwrap();
            assert_eq!(reset.name, "ben");
            reset.path.strip_prefix("/reset/").unwrap().to_owned()
        };
        let first = code().await;
        let second = code().await;
        assert_eq!(hub.accounts().reset_for(&first).await.unwrap(), None);
        assert_eq!(hub.accounts().reset_for(&second).await.unwrap().as_deref(), Some("ben"));
        for (code, password, words) in [
            ("guess", "another password", "used or is too old"),
            (first.as_str(), "another password", "used or is too old"),
            (second.as_str(), "short", "10 to 200"),
        ] {
            refused(
                hub.accounts().choose_password(code, password, "test").await,
                FailureKind::Invalid,
                words,
            );
        }
        assert!(hub.accounts().viewer_by_session(&session.secret).await.unwrap().is_some());
        hub.accounts().choose_password(&second, "another password", "test").await.unwrap();
        assert!(hub.accounts().viewer_by_session(&session.secret).await.unwrap().is_none());
        refused(hub.accounts().sign_in("ben", PASSWORD, "test").await, FailureKind::Invalid, "is wrong");
        hub.accounts().sign_in("ben", "another password", "test").await.unwrap();
        let again = hub.accounts().choose_password(&second, "a third password", "test").await;
        refused(again, FailureKind::Invalid, "used or is too old");

        let third = code().await;
        world.clock.advance(Duration::from_secs(24 * 60 * 60));
        assert_eq!(hub.accounts().reset_for(&third).await.unwrap(), None);
        let late = hub.accounts().choose_password(&third, "a third password", "test").await;
        refused(late, FailureKind::Invalid, "used or is too old");
        let fourth = code().await;
        admin.people().disable(&id).await.unwrap();
        assert_eq!(hub.accounts().reset_for(&fourth).await.unwrap(), None);
    })
    .await;
}

#[tokio::test]
async fn what_a_removed_person_had_is_gone_and_what_they_spent_is_not() {
    each_store(async |world: World| {
        let hub = &world.hub;
        let ada = world.admin("root").await;
        let endpoint = Endpoint::start();
        let (ben, agent) = talking(&world, &endpoint).await;
        let admin = hub.as_admin(&ada).unwrap();
        hub.for_viewer(&ben).runs().stop(&agent).await.unwrap();
        let store = world.store().await;
        let mut tx = store.write().await.unwrap();
        sqlx::query("INSERT INTO spending (day, user_id, agent_id, provider_id, kind, model, calls, unpriced, input_tokens, output_tokens, cost, server_cost) VALUES ('2026-11-22', $1, $2, '', 'reply', 'm', 1, 0, 1, 1, 5000, 5000)")
            .bind(&ben.me.id.0)
            .bind(&agent.0)
            .execute(&mut *tx)
            .await
            .unwrap();
        sqlx::query("INSERT INTO server_spending (day, share, cost) VALUES ('2026-11-22', '0', 5000)")
            .execute(&mut *tx)
            .await
            .unwrap();
        tx.commit().await.unwrap();
        let before = admin.ledger().budget(None).await.unwrap().spent.ever;
        assert!(before.0 >= 5000);
        refused(admin.people().remove(&ben.me.id, "somebody").await, FailureKind::Invalid, "as it is shown");
        let name = ben.me.name.clone();
        admin.people().remove(&ben.me.id, &name).await.unwrap();
        assert_eq!(admin.ledger().budget(None).await.unwrap().spent.ever, before);
        assert_eq!(seen(&world, &ada).await.len(), 1);
        assert_eq!(admin.ledger().people_budgets().await.unwrap().len(), 1);
        for table in ["agents", "devices", "providers", "secrets", "tokens"] {
            let sql = sqlx::AssertSqlSafe(format!("SELECT count(*) AS count FROM {table} WHERE user_id = '{}'", ben.me.id));
            let row = sqlx::query(sql).fetch_one(store.read()).await.unwrap();
            assert_eq!(row.get::<i64, _>("count"), 0, "{table}");
        }
        store.close().await;
        // The name is free again.
        hub.accounts().add_user(&name, PASSWORD, Role::Member).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_name_that_looks_like_one_is_refused_also_where_a_program_of_before_kept_that_one() {
    each_store(async |world: World| {
        let old = "'old', 'Adal', 'adal', '', 'member', 0";
        let columns = "id, name, login, password_hash, role, created_at";
        world.execute(&format!("INSERT INTO users ({columns}) VALUES ({old})")).await;
        for _ in 0..2 {
            // It ends with a capital I.
            let added = world.hub.accounts().add_user("AdaI", PASSWORD, Role::Member).await;
            refused(added, FailureKind::Conflict, "looks like one that is");
            world.reopened().await.close().await;
        }
        let store = world.store().await;
        let unreckoned = "SELECT count(*) AS count FROM users WHERE look IS NULL OR login_look IS NULL";
        let row = sqlx::query(unreckoned).fetch_one(store.read()).await.unwrap();
        assert_eq!(row.get::<i64, _>("count"), 0);
        store.close().await;
        world.hub.accounts().add_user("Adam", PASSWORD, Role::Member).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn people_are_listed_some_at_a_time_by_name_and_found_by_a_part_of_it() {
    each_store(async |world: World| {
        let root = world.admin("root").await;
        let rows: Vec<String> = (0..PEOPLE_AT_ONCE + 5)
            .map(|number| format!("('p{number}', 'Fern {number:03}', 'fern {number:03}', '', 'member', 0)"))
            .collect();
        let columns = "id, name, login, password_hash, role, created_at";
        world.execute(&format!("INSERT INTO users ({columns}) VALUES {}", rows.join(", "))).await;
        let people = world.hub.as_admin(&root).unwrap().people();
        let mut after = String::new();
        let mut names = Vec::new();
        loop {
            let page = people.list(&after, "").await.unwrap();
            assert!(page.len() <= PEOPLE_AT_ONCE);
            names.extend(page.iter().map(|person| person.name.clone()));
            match page.last() {
                Some(last) => after.clone_from(&last.name),
                None => break,
            }
        }
        let expected = (0..PEOPLE_AT_ONCE + 5).map(|number| format!("Fern {number:03}"));
        assert_eq!(names, expected.chain(["root".to_owned()]).collect::<Vec<_>>());
        for (text, count) in [("FERN 00", 10), ("oo", 1), ("%", 0), ("_", 0), ("moss", 0)] {
            assert_eq!(people.list("", text).await.unwrap().len(), count, "{text}");
        }
        assert_eq!(people.get(&"p3".into()).await.unwrap().name, "Fern 003");
        refused(people.get(&"nobody".into()).await, FailureKind::NotFound, "no such person");
    })
    .await;
}

#[tokio::test]
async fn a_person_erases_their_own_account_with_their_password_and_the_last_administrator_does_not() {
    each_store(async |world: World| {
        let hub = &world.hub;
        let root = world.admin("root").await;
        let endpoint = Endpoint::start();
        let (ben, agent) = talking(&world, &endpoint).await;
        let session = hub.accounts().sign_in("ben", PASSWORD, "phone").await.unwrap().done().unwrap();
        let mut tab = hub.open_tab(ben.clone(), "tab".into()).unwrap();
        let own = hub.for_viewer(&ben);
        refused(own.account().erase("another one").await, FailureKind::Invalid, "password is wrong");
        assert_eq!(running(&world, &agent).await, 1);
        own.account().erase(PASSWORD).await.unwrap();
        while !String::from_utf8_lossy(&tab.next().await.unwrap().text).contains("signed_out") {}
        assert!(hub.accounts().viewer_by_session(&session.secret).await.unwrap().is_none());
        let names: Vec<String> = seen(&world, &root).await.into_iter().map(|person| person.name).collect();
        assert_eq!(names, ["root"]);
        assert_eq!(running(&world, &agent).await, 0);
        let asked = AuditQuery { action: Some(AuditAction::PersonRemoved), ..AuditQuery::default() };
        let audit = hub.as_admin(&root).unwrap().audit().read(None, &asked).await.unwrap();
        let lines: Vec<_> = audit.lines.iter().map(|line| (line.outcome, line.actor.as_str())).collect();
        assert_eq!(lines, [(AuditOutcome::Done, "ben"), (AuditOutcome::Refused, "ben")]);

        let roots = hub.for_viewer(&root);
        refused(roots.account().erase(PASSWORD).await, FailureKind::Conflict, "only administrator");
        hub.accounts().sign_in("root", PASSWORD, "phone").await.unwrap();
        hub.accounts().add_user("eve", PASSWORD, Role::Admin).await.unwrap();
        roots.account().erase(PASSWORD).await.unwrap();
        refused(hub.accounts().sign_in("root", PASSWORD, "phone").await, FailureKind::Invalid, "wrong");
    })
    .await;
}

#[tokio::test]
async fn of_a_removed_person_no_byte_is_left_in_the_file_and_others_find_what_they_said() {
    const CANARY: &str = "quokkacanary";
    on_sqlite(async |world: World| {
        let hub = &world.hub;
        let endpoint = Endpoint::start();
        let (admin, ben) = (world.admin("root").await, world.person("ben").await);
        let mut agents = Vec::new();
        for (viewer, word) in [(&admin, "moss"), (&ben, CANARY)] {
            let agent = runs::agent(&world, viewer, &endpoint, ProviderKind::OpenAi, Home::Hub).await.id;
            let scoped = hub.for_viewer(viewer);
            for number in 0..5 {
                let text = format!("{word}{number} {}", format!("{word} ").repeat(100));
                scoped.runs().ask(&agent, &text, None, PATIENCE).await.unwrap();
            }
            assert!(!find(&scoped, word).await.hits.is_empty());
            agents.push(agent);
        }
        // Some of it is in free parts of the file already.
        hub.for_viewer(&ben).agents().delete(&agents[1]).await.unwrap();
        let is_left = async || {
            ["vivarium.db", "vivarium.db-wal"].iter().any(|name| {
                let bytes = std::fs::read(world.folder.path().join(name)).unwrap_or_default();
                bytes.windows(CANARY.len()).any(|window| window.eq_ignore_ascii_case(CANARY.as_bytes()))
            })
        };
        assert!(is_left().await, "the hunt can find it");
        hub.as_admin(&admin).unwrap().people().remove(&ben.me.id, "ben").await.unwrap();
        until(async || !is_left().await).await;
        assert!(!find(&hub.for_viewer(&admin), "moss").await.hits.is_empty());
    })
    .await;
}
