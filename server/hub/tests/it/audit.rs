//! The audit: what is in it, who sees what of it, and that a change shows.

mod rotation;

use crate::world::{PASSWORD, World, each_store};
use hub::{AuditQuery, Hub, Viewer, Visitor};
use protocol::Caps;
use protocol::FailureKind;
use protocol::agent::ProviderKind;
use protocol::view::{AuditAction, AuditLine, AuditOutcome, AuditPage, Role, SignUpMode};
use sqlx::{AssertSqlSafe, Row as _};
use std::net::IpAddr;
use std::time::Duration;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn from(address: &str) -> Visitor<'static> {
    Visitor { user_agent: "test", address: Some(address.parse().unwrap()), known: None }
}

/// Signs in from an address; what is done then comes from there too.
async fn come(hub: &Hub, name: &str, address: &'static str) -> Viewer {
    hub.accounts().sign_in(name, PASSWORD, from(address)).await.unwrap().done().unwrap().viewer
}

fn told(line: &AuditLine) -> String {
    let outcome = match line.outcome {
        AuditOutcome::Done => "done",
        AuditOutcome::Refused => "refused",
    };
    let AuditLine { action, actor, person, object, address, .. } = line;
    format!("{action:?} {outcome} by [{actor}] about [{person}] with [{object}] from [{address}]")
}

/// Everything an administrator sees, oldest first.
async fn all(hub: &Hub, admin: &Viewer) -> Vec<String> {
    let admin = hub.as_admin(admin).unwrap();
    let mut page = admin.audit().read(None, &AuditQuery::default()).await.unwrap();
    page.lines.reverse();
    page.lines.iter().map(told).collect()
}

async fn whole(hub: &Hub) -> u64 {
    let state = hub.audit().state().await.unwrap();
    assert_eq!(state.broken, None);
    state.lines
}

async fn broken(hub: &Hub) -> String {
    hub.audit().state().await.unwrap().broken.expect("the change shows")
}

async fn run(world: &World, sql: &str) {
    let store = world.store().await;
    let mut tx = store.write().await.unwrap();
    sqlx::query(AssertSqlSafe(sql.to_owned())).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    store.close().await;
}

#[tokio::test]
async fn every_sensitive_event_has_actor_object_and_outcome() {
    each_store(async |world: World| {
        let hub = &world.hub;
        hub.accounts().add_user("Ada", PASSWORD, Role::Member).await.unwrap();
        hub.accounts().add_user("Ben", PASSWORD, Role::Member).await.unwrap();
        let ada = come(hub, "ada", "192.0.2.1").await;
        let (hers, admin) = (hub.for_viewer(&ada), hub.as_admin(&ada).unwrap());
        let wrong =
            hub.accounts().sign_in("ben", "a wrong password", from("198.51.100.9")).await.unwrap_err();
        assert_eq!(wrong.into_failure().kind, FailureKind::Invalid);
        hub.accounts()
            .sign_in("my own password", "a wrong password", from("198.51.100.9"))
            .await
            .unwrap_err();
        let token = hers.account().create_token("backup").await.unwrap();
        hers.account().revoke_token(&token.view.id).await.unwrap();
        hers.account().change_password("a wrong password", "another password").await.unwrap_err();
        hers.account().change_password(PASSWORD, "another password").await.unwrap();
        let provider = hers
            .providers()
            .save(None, "Home", ProviderKind::OpenAi, Some("http://127.0.0.1:1/v1"), Some("sk-secret"))
            .await
            .unwrap();
        hers.providers().delete(&provider.id).await.unwrap();
        hers.ledger().limit_own(&Caps::default()).await.unwrap();
        admin.ledger().limit(None, &Caps::default()).await.unwrap();
        admin.people().invite().await.unwrap();
        admin.people().set_sign_up(SignUpMode::Closed).await.unwrap();
        let ben = admin.people().list("", "ben").await.unwrap().remove(0).id;
        admin.ledger().limit(Some(&ben), &Caps::default()).await.unwrap();
        admin.people().set_role(&ben, Role::Guest).await.unwrap();
        let reset = admin.people().reset_password(&ben).await.unwrap();
        let code = reset.path.strip_prefix("/reset/").unwrap();
        hub.accounts().choose_password(code, PASSWORD, from("203.0.113.5")).await.unwrap();
        admin.people().disable(&ben).await.unwrap();
        admin.people().enable(&ben).await.unwrap();
        admin.people().remove(&ben, " BEN").await.unwrap();
        hers.account().sign_out().await.unwrap();

        let by_ada = |action: &str, about: &str, object: &str| {
            format!("{action} by [Ada] about [{about}] with [{object}] from [192.0.2.1]")
        };
        assert_eq!(
            all(hub, &ada).await,
            [
                "LogStarted done by [] about [] with [] from []".to_owned(),
                "AccountMade done by [] about [Ada] with [] from []".to_owned(),
                "AccountMade done by [] about [Ben] with [] from []".to_owned(),
                by_ada("SignedIn done", "Ada", "A program"),
                "SignedIn refused by [] about [Ben] with [] from [198.51.100.9]".to_owned(),
                "SignedIn refused by [] about [] with [a name that nobody has] from [198.51.100.9]"
                    .to_owned(),
                by_ada("TokenMade done", "Ada", "backup"),
                by_ada("TokenRevoked done", "Ada", "backup"),
                by_ada("PasswordChanged refused", "Ada", "wrong password"),
                by_ada("PasswordChanged done", "Ada", ""),
                by_ada("ProviderSaved done", "Ada", "Home"),
                by_ada("ProviderDeleted done", "Ada", "Home"),
                by_ada("LimitSet done", "Ada", "all agents"),
                by_ada("LimitSet done", "", "the whole hub"),
                by_ada("Invited done", "", ""),
                by_ada("SignUpSet done", "", "closed"),
                by_ada("LimitSet done", "Ben", ""),
                by_ada("RoleSet done", "Ben", "guest"),
                by_ada("ResetLinkMade done", "Ben", ""),
                "PasswordReset done by [] about [Ben] with [] from [203.0.113.5]".to_owned(),
                by_ada("PersonDisabled done", "Ben", ""),
                by_ada("PersonEnabled done", "Ben", ""),
                by_ada("PersonDisabled done", "Ben", ""),
                by_ada("PersonRemoved done", "Ben", ""),
                by_ada("SignedOut done", "Ada", "A program"),
            ]
        );
        assert_eq!(whole(hub).await, 25);
    })
    .await;
}

#[tokio::test]
async fn people_see_what_concerns_them_and_no_address_of_others() {
    each_store(async |world: World| {
        let hub = &world.hub;
        hub.accounts().add_user("Ada", PASSWORD, Role::Admin).await.unwrap();
        hub.accounts().add_user("Ben", PASSWORD, Role::Member).await.unwrap();
        hub.accounts().add_user("Eve", PASSWORD, Role::Member).await.unwrap();
        let ada = come(hub, "ada", "192.0.2.1").await;
        let ben = come(hub, "ben", "192.0.2.2").await;
        let eve = come(hub, "eve", "192.0.2.3").await;
        hub.accounts().sign_in("ben", "a wrong password", from("198.51.100.9")).await.unwrap_err();
        hub.as_admin(&ada).unwrap().people().set_role(&ben.me.id, Role::Member).await.unwrap();
        hub.for_viewer(&eve).account().create_token("100% mine_").await.unwrap();

        let found = async |query: AuditQuery| {
            let page = hub.for_viewer(&ben).audit().read(&query).await.unwrap();
            page.lines.iter().map(told).collect::<Vec<_>>()
        };
        assert_eq!(
            found(AuditQuery::default()).await,
            [
                "RoleSet done by [Ada] about [Ben] with [member] from []",
                "SignedIn refused by [] about [Ben] with [] from [198.51.100.9]",
                "SignedIn done by [Ben] about [Ben] with [A program] from [192.0.2.2]",
                "AccountMade done by [] about [Ben] with [] from []",
            ]
        );
        let action = Some(AuditAction::SignedIn);
        assert_eq!(found(AuditQuery { action, ..AuditQuery::default() }).await.len(), 2);
        for (text, expected) in
            [("198.51", 1), ("ADA", 1), ("nobody", 0), ("%", 0), ("_", 0), ("", 4), (" member ", 1)]
        {
            let text = text.to_owned();
            assert_eq!(
                found(AuditQuery { text: text.clone(), ..AuditQuery::default() }).await.len(),
                expected,
                "{text}"
            );
        }
        let admin = hub.as_admin(&ada).unwrap();
        for (text, expected) in [("100%", 1), ("mine_", 1), ("%", 1), ("1000", 0), ("192.0.2.3", 2)] {
            let query = AuditQuery { text: text.to_owned(), ..AuditQuery::default() };
            assert_eq!(admin.audit().read(None, &query).await.unwrap().lines.len(), expected, "{text}");
        }
        let bens = admin.audit().read(Some(&ben.me.id), &AuditQuery::default()).await.unwrap();
        assert_eq!(bens.lines.len(), 4);
        assert!(hub.as_admin(&ben).is_none());
    })
    .await;
}

#[tokio::test]
async fn long_histories_come_in_pages() {
    each_store(async |world: World| {
        let ada = world.admin("ada").await;
        let admin = world.hub.as_admin(&ada).unwrap();
        for _ in 0..60 {
            admin.people().invite().await.unwrap();
        }
        let first = admin.audit().read(None, &AuditQuery::default()).await.unwrap();
        let rest = AuditQuery { before: first.older, ..AuditQuery::default() };
        let rest = admin.audit().read(None, &rest).await.unwrap();
        let seqs: Vec<u64> = first.lines.iter().chain(&rest.lines).map(|line| line.seq).collect();
        assert_eq!(seqs, (1..=63).rev().collect::<Vec<u64>>());
        assert_eq!((first.lines.len(), rest.older), (50, None));
    })
    .await;
}

#[tokio::test]
async fn a_change_of_the_audit_shows() {
    for (change, how) in [
        ("UPDATE audit SET object = 'nothing' WHERE seq = 3", "Line 3 is not"),
        ("UPDATE audit SET at = at + 1 WHERE seq = 1", "Line 1 is not"),
        ("UPDATE audit SET address = '192.0.2.66' WHERE seq = 4", "Line 4 is not"),
        ("UPDATE audit SET hash = 'x' WHERE seq = 4", "Line 4 is not"),
        ("DELETE FROM audit WHERE seq = 2", "Line 2 is gone"),
        ("DELETE FROM audit WHERE seq >= 4", "from 4 on are gone"),
        ("DELETE FROM audit", "from 1 on are gone"),
        ("DELETE FROM audit_head", "seal over the audit is gone"),
        (
            "UPDATE audit_head SET seq = 3, hash = (SELECT hash FROM audit WHERE seq = 3)",
            "seal over the audit",
        ),
        (
            "UPDATE audit_head SET first_seq = 3, before_hash = (SELECT hash FROM audit WHERE seq = 2)",
            "seal over",
        ),
        ("UPDATE audit_head SET seal = ''", "seal over the audit"),
    ] {
        each_store(async |world: World| {
            let ada = world.admin("ada").await;
            let admin = world.hub.as_admin(&ada).unwrap();
            admin.people().invite().await.unwrap();
            admin.people().invite().await.unwrap();
            assert_eq!(whole(&world.hub).await, 5);
            run(&world, change).await;
            let found = broken(&world.hub).await;
            assert!(found.contains(how), "{change}: {found}");
        })
        .await;
    }
}

#[tokio::test]
async fn what_does_not_fit_its_seal_is_never_sealed_again() {
    each_store(async |world: World| {
        let ada = world.admin("ada").await;
        let admin = world.hub.as_admin(&ada).unwrap();
        admin.people().invite().await.unwrap();
        // Somebody with the database, but not the key, shortens the audit and mends the chain.
        run(&world, "DELETE FROM audit WHERE seq = 4").await;
        run(&world, "UPDATE audit_head SET seq = 3, hash = (SELECT hash FROM audit WHERE seq = 3)").await;
        world.clock.advance(DAY);
        admin.people().invite().await.unwrap();
        assert!(broken(&world.hub).await.contains("before line 4 was changed"));
        let lines = all(&world.hub, &ada).await;
        assert_eq!(lines[3], "LogStarted refused by [] about [] with [] from []");
        assert_eq!(lines.len(), 5);
    })
    .await;
}

#[tokio::test]
async fn an_older_end_that_was_put_back_shows_and_stops_nobody() {
    for put_back in [
        "UPDATE audit_head SET (seq, hash, first_seq, before_hash, seal) =
             (SELECT seq, hash, first_seq, before_hash, seal FROM kept)",
        "DELETE FROM audit_head",
    ] {
        each_store(async |world: World| {
            let ada = world.admin("ada").await;
            let admin = world.hub.as_admin(&ada).unwrap();
            run(&world, "CREATE TABLE kept AS SELECT * FROM audit_head").await;
            admin.people().invite().await.unwrap();
            admin.people().invite().await.unwrap();
            run(&world, put_back).await;
            broken(&world.hub).await;
            admin.people().invite().await.unwrap();
            assert!(broken(&world.hub).await.contains("before line 6 was changed"));
            let lines = all(&world.hub, &ada).await;
            assert_eq!((lines.len(), lines[5].starts_with("LogStarted refused")), (7, true), "{lines:?}");
        })
        .await;
    }
}

#[tokio::test]
async fn old_lines_go_and_the_rest_stays_whole() {
    each_store(async |world: World| {
        let ada = world.admin("ada").await;
        let admin = world.hub.as_admin(&ada).unwrap();
        for _ in 0..100 {
            admin.people().invite().await.unwrap();
        }
        world.clock.advance(DAY * 401);
        let ada = world.hub.accounts().sign_in("ada", PASSWORD, "test").await.unwrap().done().unwrap().viewer;
        let admin = world.hub.as_admin(&ada).unwrap();
        // A look for old lines comes once in 512.
        for _ in 0..408 {
            admin.people().invite().await.unwrap();
        }
        assert_eq!(whole(&world.hub).await, 409);
        let store = world.store().await;
        let oldest = sqlx::query("SELECT MIN(seq) AS seq FROM audit").fetch_one(store.read()).await.unwrap();
        assert_eq!(oldest.get::<i64, _>("seq"), 104);
        store.close().await;
    })
    .await;
}

/// Writes lines of one kind until some have to go: as if she had written nearly as many as may be before.
async fn flood(world: &World, eve: &Viewer) {
    let theirs = world.hub.for_viewer(eve);
    let counted = format!(
        "UPDATE audit_shares SET lines = 49900 WHERE share = '{}' AND action = 'token_made'",
        eve.me.id.0
    );
    for turn in 0..260 {
        let token = theirs.account().create_token("x").await.unwrap();
        theirs.account().revoke_token(&token.view.id).await.unwrap();
        if turn == 1 {
            run(world, &counted).await;
        }
    }
}

#[tokio::test]
async fn who_writes_much_pushes_out_what_they_wrote_before_and_nobody_else_s_history() {
    each_store(async |world: World| {
        let ada = world.admin("ada").await;
        let ben = come_as_member(&world, "ben").await;
        let eve = come_as_member(&world, "eve").await;
        world.hub.for_viewer(&ben).account().create_token("ben's").await.unwrap();
        let before = all(&world.hub, &ada).await;
        flood(&world, &eve).await;
        let state = world.hub.audit().state().await.unwrap();
        assert_eq!(state.broken, None);
        let admin = world.hub.as_admin(&ada).unwrap();
        let made_room = |page: AuditPage| -> Vec<String> { page.lines.iter().map(told).collect() };
        let only = |action| AuditQuery { action: Some(action), ..AuditQuery::default() };
        let let_go = made_room(admin.audit().read(None, &only(AuditAction::LinesLetGo)).await.unwrap());
        let lost = state.let_go;
        assert!(lost > 100, "{lost}");
        assert_eq!(
            let_go,
            [format!("LinesLetGo done by [] about [eve] with [{lost} lines of token_made] from []")]
        );
        // What all others did is there, and what she did besides.
        let store = world.store().await;
        let rows = sqlx::query("SELECT seq FROM audit ORDER BY seq").fetch_all(store.read()).await.unwrap();
        let kept: Vec<i64> = rows.iter().map(|row| row.get("seq")).collect();
        let known = i64::try_from(before.len()).unwrap();
        assert!((1..=known).all(|seq| kept.contains(&seq)), "{kept:?}");
        store.close().await;
        let revoked = admin.audit().read(None, &only(AuditAction::TokenRevoked)).await.unwrap();
        assert!(revoked.older.is_some());
        // Later the whole front goes by age, gaps and all.
        world.clock.advance(DAY * 401);
        let ada = come(&world.hub, "ada", "192.0.2.1").await;
        let admin = world.hub.as_admin(&ada).unwrap();
        for _ in 0..512 {
            admin.people().invite().await.unwrap();
        }
        let state = world.hub.audit().state().await.unwrap();
        assert_eq!((state.let_go, state.broken), (0, None));
    })
    .await;
}

#[tokio::test]
async fn lines_that_were_let_go_of_are_told_from_lines_that_were_cut() {
    each_store(async |world: World| {
        world.admin("ada").await;
        let eve = come_as_member(&world, "eve").await;
        flood(&world, &eve).await;
        whole(&world.hub).await;
        for (change, how, back) in [
            (
                "UPDATE audit_gaps SET last_seq = last_seq + 1 WHERE last_seq = (SELECT MAX(last_seq) FROM audit_gaps)",
                "is gone",
                "UPDATE audit_gaps SET last_seq = last_seq - 1 WHERE last_seq = (SELECT MAX(last_seq) FROM audit_gaps)",
            ),
            ("UPDATE audit_gaps SET seal = '0' || seal", "is gone", "UPDATE audit_gaps SET seal = substr(seal, 2)"),
            (
                "UPDATE audit_gaps SET first_seq = first_seq + 100000",
                "is gone",
                "UPDATE audit_gaps SET first_seq = first_seq - 100000",
            ),
        ] {
            run(&world, change).await;
            let found = broken(&world.hub).await;
            assert!(found.contains(how), "{change}: {found}");
            run(&world, back).await;
            whole(&world.hub).await;
        }
        run(&world, "DELETE FROM audit WHERE seq = (SELECT MAX(seq) - 3 FROM audit)").await;
        assert!(broken(&world.hub).await.contains("is gone"));
    })
    .await;
}

async fn come_as_member(world: &World, name: &'static str) -> Viewer {
    world.hub.accounts().add_user(name, PASSWORD, Role::Member).await.unwrap();
    come(&world.hub, name, "192.0.2.7").await
}

#[tokio::test]
async fn lines_that_are_written_at_once_form_one_chain() {
    each_store(async |world: World| {
        let ada = world.admin("ada").await;
        let admin = world.hub.as_admin(&ada).unwrap();
        let many = (0..40).map(|_| admin.people().invite());
        futures_util::future::try_join_all(many).await.unwrap();
        assert_eq!(whole(&world.hub).await, 43);
    })
    .await;
}

#[tokio::test]
async fn no_secret_gets_into_the_audit() {
    each_store(async |world: World| {
        let hub = &world.hub;
        let ada = world.admin("ada").await;
        let (hers, admin) = (hub.for_viewer(&ada), hub.as_admin(&ada).unwrap());
        let address: Option<IpAddr> = None;
        let mut secrets =
            vec![PASSWORD.to_owned(), "canary password 1".to_owned(), "sk-canary-4f9d8a7b6c5e".to_owned()];
        hub.accounts().sign_in("canary password 1", "canary password 1", "test").await.unwrap_err();
        hub.accounts().sign_in("ada", "canary password 1", "test").await.unwrap_err();
        let known = hub
            .accounts()
            .sign_in("ada", PASSWORD, Visitor { user_agent: "sk-canary-4f9d8a7b6c5e", address, known: None })
            .await
            .unwrap()
            .done()
            .unwrap();
        secrets.extend([known.secret.clone(), known.known.clone()]);
        hers.account().change_password(PASSWORD, "canary password 1").await.unwrap();
        let token = hers.account().create_token("sk-canary-4f9d8a7b6c5e").await.unwrap();
        secrets.push(token.token.clone());
        let again = hers.account().create_token(&format!("{}x", &token.token[..39])).await.unwrap();
        secrets.push(token.token[..39].to_owned());
        hers.account().revoke_token(&again.view.id).await.unwrap();
        let provider =
            ("Work sk-canary-4f9d8a7b6c5e", Some("http://127.0.0.1:1/v1"), Some("sk-canary-4f9d8a7b6c5e"));
        hers.providers().save(None, provider.0, ProviderKind::OpenAi, provider.1, provider.2).await.unwrap();
        let invite = admin.people().invite().await.unwrap();
        secrets.push(invite.path.rsplit('=').next().unwrap().to_owned());
        let reset = admin.people().reset_password(&ada.me.id).await.unwrap();
        secrets.push(reset.path.rsplit('/').next().unwrap().to_owned());

        let store = world.store().await;
        let rows = sqlx::query("SELECT actor_name || person_name || object || address AS text FROM audit")
            .fetch_all(store.read())
            .await
            .unwrap();
        assert!(rows.len() > 10);
        for row in rows {
            let text: String = row.get("text");
            assert!(secrets.iter().all(|secret| !text.contains(secret.as_str())), "{text}");
        }
        store.close().await;
    })
    .await;
}
