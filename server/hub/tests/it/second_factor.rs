//! Signing in with a code besides the password, and every way around it.

mod codes;
mod guesses;

use crate::world::{App, PASSWORD, World, each_store};
use hub::{AuditQuery, Hub, NewSession, PendingSignIn, SignIn, Via, Viewer};
use protocol::FailureKind;
use protocol::view::{AuditAction, AuditOutcome, SecondFactor};
use sqlx::{AssertSqlSafe, Row as _};
use std::time::Duration;

const STEP_MS: i64 = 30_000;
const WRONG: &str = "a wrong password";

#[tokio::test]
async fn a_second_factor_is_on_when_a_code_was_typed_and_open_sessions_stay() {
    each_store(async |world: World| {
        let hub = &world.hub;
        let ada = world.person("Ada").await;
        let phone = in_at_once(hub, "ada").await;
        let hers = hub.for_viewer(&ada);
        assert_eq!(hers.account().second_factor().await.unwrap(), SecondFactor::default());
        refused(hers.account().confirm_second_factor("123456").await, FailureKind::Invalid, "Start again");
        refused(
            hers.account().start_second_factor(WRONG, "hub").await,
            FailureKind::Invalid,
            "password is wrong",
        );
        assert_eq!(hers.account().started_second_factor("hub").unwrap(), None);

        let new = hers.account().start_second_factor(PASSWORD, "hub.example").await.unwrap();
        assert!(
            new.address.contains(&format!("Ada%20(hub.example)?secret={}", new.secret)),
            "{}",
            new.address
        );
        assert_eq!(hers.account().started_second_factor("hub.example").unwrap(), Some(new.clone()));
        assert_eq!(hub.for_viewer(&phone.viewer).account().started_second_factor("hub").unwrap(), None);
        // Nothing is on before a code of it was typed.
        in_at_once(hub, "ada").await;
        let app = App::with(&new.secret);
        let stale = app.code(hub.now() - 20 * STEP_MS);
        refused(hers.account().confirm_second_factor(&stale).await, FailureKind::Invalid, "not the code");
        let codes = hers.account().confirm_second_factor(&app.code(hub.now())).await.unwrap().codes;
        assert_eq!(codes.len(), 10);
        assert_eq!(hers.account().started_second_factor("hub").unwrap(), None);
        let factor = hers.account().second_factor().await.unwrap();
        assert_eq!((factor.since.is_some(), factor.recovery_codes), (true, 10));
        refused(
            hers.account().start_second_factor(PASSWORD, "hub").await,
            FailureKind::Conflict,
            "on already",
        );

        for session in [&phone] {
            assert!(hub.accounts().viewer_by_session(&session.secret).await.unwrap().is_some());
        }
        next_step(&world);
        let pending = owes_a_code(hub, "ada").await;
        assert!(hub.accounts().viewer_by_session(&pending.secret).await.unwrap().is_none());
        assert_eq!(hub.accounts().pending_name(&pending.secret).await.unwrap().as_deref(), Some("Ada"));
        refused(
            hub.accounts().sign_in_with_code(&pending.secret, "", "test").await,
            FailureKind::Invalid,
            "is wrong",
        );
        let session =
            hub.accounts().sign_in_with_code(&pending.secret, &app.code(hub.now()), "test").await.unwrap();
        assert_eq!(hub.accounts().viewer_by_session(&session.secret).await.unwrap().unwrap().me, ada.me);
    })
    .await;
}

#[tokio::test]
async fn turning_it_off_takes_password_and_code_and_leaves_nothing() {
    each_store(async |world: World| {
        let hub = &world.hub;
        let (ada, app, codes) = with_factor(&world, "ada").await;
        let hers = hub.for_viewer(&ada);
        next_step(&world);
        let code = app.code(hub.now());
        refused(
            hers.account().stop_second_factor(WRONG, &code).await,
            FailureKind::Invalid,
            "password is wrong",
        );
        refused(
            hers.account().stop_second_factor(PASSWORD, "000").await,
            FailureKind::Invalid,
            "used already",
        );
        let pending = owes_a_code(hub, "ada").await;
        hers.account().stop_second_factor(PASSWORD, &code).await.unwrap();
        // A step that was begun with it is not finished without it.
        for code in [&codes[0], &app.code(hub.now() + STEP_MS)] {
            let answer = hub.accounts().sign_in_with_code(&pending.secret, code, "test").await;
            refused(answer, FailureKind::Invalid, "name and password again");
        }
        in_at_once(hub, "ada").await;
        for table in ["second_factors", "recovery_codes", "pending_sign_ins", "secrets"] {
            assert_eq!(count(&world, table).await, 0, "{table}");
        }
        let again = hers.account().stop_second_factor(PASSWORD, &code).await;
        refused(again, FailureKind::Conflict, "not on");
    })
    .await;
}

#[tokio::test]
async fn a_rotation_of_the_master_key_ends_no_second_factor() {
    each_store(async |world: World| {
        let (_, app, _) = with_factor(&world, "ada").await;
        let rotated = world.rotated().await;
        next_step(&world);
        with_code(&rotated, &app.code(rotated.now())).await.unwrap();
        assert!(rotated.secrets().examine().await.unwrap().starts_with("1 stored"));
    })
    .await;
}

#[tokio::test]
async fn what_codes_come_from_opens_for_its_person_only() {
    each_store(async |world: World| {
        let hub = &world.hub;
        let (_, _, adas) = with_factor(&world, "ada").await;
        let (eve, app, _) = with_factor(&world, "eve").await;
        let sealed = format!("(SELECT sealed_key FROM secrets WHERE user_id = '{}')", eve.me.id);
        let value = sealed.replace("sealed_key", "sealed_value");
        run(&world, format!("UPDATE secrets SET sealed_key = {sealed}, sealed_value = {value}")).await;
        next_step(&world);
        refused(with_code(hub, &app.code(hub.now())).await, FailureKind::Conflict, "Use a recovery code");
        with_code(hub, &adas[0]).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn an_administrator_takes_a_lost_one_away_and_its_person_sees_that() {
    each_store(async |world: World| {
        let hub = &world.hub;
        let root = world.admin("root").await;
        let admin = hub.as_admin(&root).unwrap();
        let (ada, app, codes) = with_factor(&world, "ada").await;
        let shown = async || admin.people().get(&ada.me.id).await.unwrap().second_factor;
        assert!(shown().await);
        admin.people().drop_second_factor(&ada.me.id).await.unwrap();
        assert!(!shown().await);
        in_at_once(hub, "ada").await;
        let page = hub.for_viewer(&ada).audit().read(&AuditQuery::default()).await.unwrap();
        let line = page.lines.iter().find(|line| line.action == AuditAction::SecondFactorOff).unwrap();
        assert_eq!((line.actor.as_str(), line.person.as_str()), ("root", "ada"));
        let again = admin.people().drop_second_factor(&ada.me.id).await;
        refused(again, FailureKind::Conflict, "has no second factor");
        let nobody = admin.people().drop_second_factor(&"nobody".into()).await;
        refused(nobody, FailureKind::NotFound, "no such person");
        // What was there is worth nothing for one that is set up after it.
        let fresh = turn_on(hub, &ada).await.0;
        next_step(&world);
        for code in [&app.code(hub.now()), &codes[0]] {
            assert!(with_code(hub, code).await.is_err());
        }
        with_code(hub, &fresh.code(hub.now())).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_program_with_a_token_changes_no_second_factor() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let token = world.hub.for_viewer(&ada).account().create_token("script").await.unwrap();
        let program = world.hub.accounts().viewer_by_token(&token.token).await.unwrap().unwrap();
        assert!(matches!(program.via, Via::Token(_)));
        let answer = world.hub.for_viewer(&program).account().start_second_factor(PASSWORD, "hub").await;
        refused(answer, FailureKind::Forbidden, "in a browser");
        let answer = world.hub.for_viewer(&program).account().stop_second_factor(PASSWORD, "123456").await;
        refused(answer, FailureKind::Forbidden, "in a browser");
        // One that is there does not stop a program: its token is no password.
        turn_on(&world.hub, &ada).await;
        assert!(world.hub.accounts().viewer_by_token(&token.token).await.unwrap().is_some());
    })
    .await;
}

#[tokio::test]
async fn each_change_of_a_second_factor_is_in_the_audit_and_no_code_is() {
    each_store(async |world: World| {
        let hub = &world.hub;
        let (ada, app, codes) = with_factor(&world, "ada").await;
        let hers = hub.for_viewer(&ada);
        hers.account().stop_second_factor(WRONG, "123456").await.unwrap_err();
        hers.account().stop_second_factor(PASSWORD, "wrong code").await.unwrap_err();
        with_code(hub, "wrong code").await.unwrap_err();
        with_code(hub, &codes[0]).await.unwrap();
        let more = hers.account().renew_recovery_codes(PASSWORD, &codes[1]).await.unwrap().codes;
        hers.account().stop_second_factor(PASSWORD, &more[0]).await.unwrap();
        let mut page = hers.audit().read(&AuditQuery::default()).await.unwrap();
        page.lines.reverse();
        let told: Vec<_> = page
            .lines
            .iter()
            .map(|line| (line.action, line.outcome, line.object.as_str()))
            .skip_while(|(action, ..)| *action != AuditAction::SecondFactorOn)
            .collect();
        use AuditAction::{RecoveryCodeUsed, RecoveryCodesMade, SecondFactorOff, SecondFactorOn, SignedIn};
        use AuditOutcome::{Done, Refused};
        assert_eq!(
            told,
            [
                (SecondFactorOn, Done, ""),
                (SecondFactorOff, Refused, "wrong password"),
                (SecondFactorOff, Refused, "wrong code"),
                (SignedIn, Refused, "the password was right, the code was not"),
                (SignedIn, Done, "A program"),
                (RecoveryCodeUsed, Done, "9 left"),
                (RecoveryCodesMade, Done, ""),
                (SecondFactorOff, Done, ""),
            ]
        );
        let all = dump(&world, "SELECT object FROM audit").await;
        for secret in codes.iter().chain(&more).chain([&app.code(hub.now())]) {
            assert!(!all.contains(secret));
        }
        let stored = dump(&world, "SELECT code_hash FROM recovery_codes").await;
        assert!(!stored.contains(&codes[2]) && !stored.contains(&codes[2].replace('-', "")));
    })
    .await;
}

/// A person with a second factor, which was turned on at this moment.
async fn with_factor(world: &World, name: &str) -> (Viewer, App, Vec<String>) {
    let viewer = world.person(name).await;
    next_step(world);
    let (app, codes) = turn_on(&world.hub, &viewer).await;
    (viewer, app, codes)
}

/// Puts the clock to the beginning of the next code, so that a test need not fear its end.
fn next_step(world: &World) {
    let left = STEP_MS - world.hub.now() % STEP_MS;
    world.clock.advance(Duration::from_millis(u64::try_from(left).unwrap()));
}

async fn turn_on(hub: &Hub, viewer: &Viewer) -> (App, Vec<String>) {
    let person = hub.for_viewer(viewer);
    let app = App::with(&person.account().start_second_factor(PASSWORD, "hub").await.unwrap().secret);
    let codes = person.account().confirm_second_factor(&app.code(hub.now())).await.unwrap().codes;
    (app, codes)
}

async fn owes_a_code(hub: &Hub, name: &str) -> PendingSignIn {
    match hub.accounts().sign_in(name, PASSWORD, "test").await.unwrap() {
        SignIn::CodeNeeded(pending) => pending,
        SignIn::Done(session) => panic!("{name} is in without a code: {session:?}"),
    }
}

async fn in_at_once(hub: &Hub, name: &str) -> NewSession {
    hub.accounts().sign_in(name, PASSWORD, "test").await.unwrap().done().expect("no code is owed")
}

/// Ada's two steps.
async fn with_code(hub: &Hub, code: &str) -> hub::Result<NewSession> {
    let pending = owes_a_code(hub, "ada").await;
    hub.accounts().sign_in_with_code(&pending.secret, code, "test").await
}

async fn run(world: &World, sql: String) {
    let store = world.store().await;
    let mut tx = store.write().await.unwrap();
    sqlx::query(AssertSqlSafe(sql)).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    store.close().await;
}

async fn dump(world: &World, sql: &'static str) -> String {
    let store = world.store().await;
    let rows = sqlx::query(sql).fetch_all(store.read()).await.unwrap();
    let texts: Vec<String> = rows.iter().map(|row| row.try_get(0).unwrap()).collect();
    store.close().await;
    texts.join("\n")
}

async fn count(world: &World, table: &str) -> i64 {
    let store = world.store().await;
    let row = sqlx::query(AssertSqlSafe(format!("SELECT count(*) AS count FROM {table}")))
        .fetch_one(store.read())
        .await
        .unwrap();
    store.close().await;
    row.try_get("count").unwrap()
}

#[track_caller]
fn refused<T>(answer: hub::Result<T>, kind: FailureKind, words: &str) {
    let failure = answer.err().expect("it is refused").into_failure();
    assert_eq!(failure.kind, kind, "{failure}");
    assert!(failure.message.contains(words), "{failure}");
}
