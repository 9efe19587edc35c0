//! People: the first account, signing in and up, devices, tokens, invitations.

mod devices;
mod signing_in;

use crate::world::{PASSWORD, World, each_store};
use hub::{Error, NewSession, Via};
use protocol::FailureKind;
use protocol::view::{NewInvite, Role, SignUpMode};
use sqlx::{AssertSqlSafe, Row};

const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0";
const CHROME: &str = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile Safari/537.36";
const MINUTE_MS: i64 = 60_000;
const DAY_MS: i64 = 24 * 60 * MINUTE_MS;

#[tokio::test]
async fn the_first_account_is_an_administrators_and_uses_the_code_up() {
    each_store(async |world: World| {
        let hub = &world.hub;
        assert!(hub.accounts().welcome().await.unwrap().needs_setup);
        let code = hub.accounts().ensure_setup_code().await.unwrap().unwrap();

        refused(
            hub.accounts().set_up("guess", "ada", PASSWORD, FIREFOX).await,
            FailureKind::Invalid,
            "set-up link",
        );
        refused(
            hub.accounts().set_up(&code, "", PASSWORD, FIREFOX).await,
            FailureKind::Invalid,
            "1 to 40 characters",
        );
        refused(
            hub.accounts().set_up(&code, "ada", "short", FIREFOX).await,
            FailureKind::Invalid,
            "10 to 200 characters",
        );

        let session = hub.accounts().set_up(&code, " Ada ", PASSWORD, FIREFOX).await.unwrap();
        assert_eq!((session.viewer.me.name.as_str(), session.viewer.me.role), ("Ada", Role::Admin));
        assert_eq!(
            hub.accounts().viewer_by_session(&session.secret).await.unwrap().unwrap().me,
            session.viewer.me
        );
        assert!(!hub.accounts().welcome().await.unwrap().needs_setup);

        refused(
            hub.accounts().set_up(&code, "eve", PASSWORD, FIREFOX).await,
            FailureKind::Invalid,
            "set-up link",
        );
        assert_eq!(hub.accounts().ensure_setup_code().await.unwrap(), None);
    })
    .await;
}

#[tokio::test]
async fn a_name_that_people_would_take_for_another_is_not_given() {
    each_store(async |world: World| {
        let hub = &world.hub;
        hub.accounts().add_user("Admin", PASSWORD, Role::Admin).await.unwrap();
        for (name, kind, words) in [
            ("Admin\u{200b}", FailureKind::Invalid, "cannot be seen"),
            ("\u{410}dmin", FailureKind::Invalid, "several scripts"),
            ("\u{ff21}dmin", FailureKind::Conflict, "looks like one"),
            ("Adm\u{131}n", FailureKind::Conflict, "looks like one"),
            ("Adrnin", FailureKind::Conflict, "looks like one"),
            ("admin", FailureKind::Conflict, "is taken"),
        ] {
            refused(hub.accounts().add_user(name, PASSWORD, Role::Member).await, kind, words);
        }
        // However it is spelled, it is this person's.
        hub.accounts().sign_in(" \u{ff21}DMIN ", PASSWORD, FIREFOX).await.unwrap();
        hub.accounts().add_user("Анна", PASSWORD, Role::Member).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn who_has_a_name_from_before_signs_in_with_it() {
    each_store(async |world: World| {
        let hub = &world.hub;
        for (name, former, login) in [("eve", "E\u{200b}ve", "e\u{200b}ve"), ("bo", "\u{fb01}n", "\u{fb01}n")]
        {
            hub.accounts().add_user(name, PASSWORD, Role::Member).await.unwrap();
            sqlx::query("UPDATE users SET name = $1, login = $2 WHERE login = $3")
                .bind(former)
                .bind(login)
                .bind(name)
                .execute(world.store().await.read())
                .await
                .unwrap();
        }
        let hub = world.reopened().await;
        for name in ["E\u{200b}ve", "\u{fb01}n", "FIN"] {
            hub.accounts().sign_in(name, PASSWORD, FIREFOX).await.unwrap();
        }
    })
    .await;
}

#[tokio::test]
async fn each_start_voids_the_set_up_code_before() {
    each_store(async |world: World| {
        let hub = &world.hub;
        let first = hub.accounts().ensure_setup_code().await.unwrap().unwrap();
        let second = hub.accounts().ensure_setup_code().await.unwrap().unwrap();
        refused(
            hub.accounts().set_up(&first, "ada", PASSWORD, FIREFOX).await,
            FailureKind::Invalid,
            "set-up link",
        );
        hub.accounts().set_up(&second, "ada", PASSWORD, FIREFOX).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn of_two_who_set_up_at_once_one_wins() {
    each_store(async |world: World| {
        let hub = &world.hub;
        let code = hub.accounts().ensure_setup_code().await.unwrap().unwrap();
        let (ada, eve) = tokio::join!(
            hub.accounts().set_up(&code, "ada", PASSWORD, FIREFOX),
            hub.accounts().set_up(&code, "eve", PASSWORD, FIREFOX)
        );
        assert_eq!([ada.is_ok(), eve.is_ok()].iter().filter(|won| **won).count(), 1);
        assert_eq!(count(&world, "users").await, 1);
    })
    .await;
}

#[tokio::test]
async fn the_first_person_of_the_command_line_is_an_administrator() {
    each_store(async |world: World| {
        let hub = &world.hub;
        let code = hub.accounts().ensure_setup_code().await.unwrap().unwrap();
        assert_eq!(hub.accounts().add_user("Ada", PASSWORD, Role::Member).await.unwrap().role, Role::Admin);
        assert_eq!(hub.accounts().add_user("Ben", PASSWORD, Role::Member).await.unwrap().role, Role::Member);
        refused(
            hub.accounts().add_user("ADA", PASSWORD, Role::Member).await,
            FailureKind::Conflict,
            "ADA is taken",
        );
        refused(
            hub.accounts().set_up(&code, "eve", PASSWORD, FIREFOX).await,
            FailureKind::Invalid,
            "set-up link",
        );

        let ada = hub.accounts().viewer_named(" aDa ").await.unwrap().unwrap();
        assert_eq!((ada.me.name.as_str(), ada.via), ("Ada", Via::Terminal));
        assert!(hub.accounts().viewer_named("eve").await.unwrap().is_none());
    })
    .await;
}

#[tokio::test]
async fn the_mode_says_who_may_sign_up() {
    each_store(async |world: World| {
        let ada = join(&world, "ada").await;
        let admin = world.hub.as_admin(&ada.viewer).unwrap();
        assert_eq!(world.hub.accounts().welcome().await.unwrap().sign_up, SignUpMode::Invite);
        for (mode, name, invited, expected) in [
            (SignUpMode::Invite, "ben", false, Err("You need an invitation")),
            (SignUpMode::Invite, "ben", true, Ok(())),
            (SignUpMode::Open, "cleo", false, Ok(())),
            (SignUpMode::Open, "dora", true, Ok(())),
            (SignUpMode::Closed, "eve", false, Err("no new accounts")),
            (SignUpMode::Closed, "eve", true, Err("no new accounts")),
        ] {
            admin.people().set_sign_up(mode).await.unwrap();
            assert_eq!(world.hub.accounts().welcome().await.unwrap().sign_up, mode);
            let invite = if invited { Some(code_of(&admin.people().invite().await.unwrap())) } else { None };
            let answer = world.hub.accounts().sign_up(invite.as_deref(), name, PASSWORD, FIREFOX).await;
            match expected {
                Ok(()) => assert_eq!(answer.unwrap().viewer.me.role, Role::Member),
                Err(words) => refused(answer, FailureKind::Forbidden, words),
            }
        }
    })
    .await;
}

#[tokio::test]
async fn an_invitation_is_good_for_one_account_and_seven_days() {
    each_store(async |world: World| {
        let ada = join(&world, "ada").await;
        let admin = world.hub.as_admin(&ada.viewer).unwrap();
        let sign_up = async |invite: &str, name: &str| {
            world.hub.accounts().sign_up(Some(invite), name, PASSWORD, FIREFOX).await
        };

        let invite = code_of(&admin.people().invite().await.unwrap());
        refused(sign_up("guess", "ben").await, FailureKind::Invalid, "Ask for a new one");
        refused(sign_up(&invite, "Ada").await, FailureKind::Conflict, "Ada is taken");
        refused(sign_up(&invite, "\u{7}").await, FailureKind::Invalid, "1 to 40 characters");
        let ben = sign_up(&invite, "ben").await.unwrap();
        refused(sign_up(&invite, "cleo").await, FailureKind::Invalid, "Ask for a new one");
        assert!(world.hub.as_admin(&ben.viewer).is_none());

        let invite = admin.people().invite().await.unwrap();
        assert_eq!((invite.expires_at - world.hub.now() + MINUTE_MS) / DAY_MS, 7);
        pass(&world, "invites", "expires_at", 7 * DAY_MS).await;
        refused(sign_up(&code_of(&invite), "cleo").await, FailureKind::Invalid, "Ask for a new one");

        let invite = code_of(&admin.people().invite().await.unwrap());
        let (one, other) = tokio::join!(sign_up(&invite, "dora"), sign_up(&invite, "eli"));
        assert_eq!([one.is_ok(), other.is_ok()].iter().filter(|won| **won).count(), 1);
    })
    .await;
}

#[tokio::test]
async fn an_invitation_is_good_while_whoever_made_it_may_invite() {
    each_store(async |world: World| {
        let (ada, bea) = (world.admin("ada").await, world.admin("bea").await);
        let admin = world.hub.as_admin(&ada).unwrap();
        let sign_up = async |invite: &str, name: &str| {
            world.hub.accounts().sign_up(Some(invite), name, PASSWORD, FIREFOX).await
        };
        let invite = code_of(&world.hub.as_admin(&bea).unwrap().people().invite().await.unwrap());
        admin.people().set_role(&bea.me.id, Role::Member).await.unwrap();
        refused(sign_up(&invite, "ben").await, FailureKind::Invalid, "may not invite any more");
        admin.people().set_role(&bea.me.id, Role::Admin).await.unwrap();
        admin.people().disable(&bea.me.id).await.unwrap();
        refused(sign_up(&invite, "ben").await, FailureKind::Invalid, "may not invite any more");
        admin.people().enable(&bea.me.id).await.unwrap();
        sign_up(&invite, "ben").await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_disabled_person_has_no_way_in() {
    each_store(async |world: World| {
        let ada = join(&world, "ada").await;
        let token = world.hub.for_viewer(&ada.viewer).account().create_token("backup").await.unwrap().token;
        run(&world, "UPDATE users SET disabled = 1".to_owned()).await;
        assert!(world.hub.accounts().viewer_by_session(&ada.secret).await.unwrap().is_none());
        assert!(world.hub.accounts().viewer_by_token(&token).await.unwrap().is_none());
        assert!(world.hub.accounts().viewer_named("ada").await.unwrap().is_none());
        refused(
            world.hub.accounts().sign_in("ada", PASSWORD, FIREFOX).await,
            FailureKind::Forbidden,
            "disabled",
        );
        refused(
            world.hub.accounts().sign_in("ada", "a wrong password", FIREFOX).await,
            FailureKind::Invalid,
            "is wrong",
        );
    })
    .await;
}

#[tokio::test]
async fn no_secret_is_stored_in_clear() {
    each_store(async |world: World| {
        let code = world.hub.accounts().ensure_setup_code().await.unwrap().unwrap();
        let stored = texts(&world, "SELECT value FROM settings").await;
        assert!(!stored.is_empty() && stored.iter().all(|text| !text.contains(&code)));

        let ada = world.hub.accounts().set_up(&code, "ada", PASSWORD, FIREFOX).await.unwrap();
        let token = world.hub.for_viewer(&ada.viewer).account().create_token("backup").await.unwrap().token;
        let invite = code_of(&world.hub.as_admin(&ada.viewer).unwrap().people().invite().await.unwrap());
        let mut stored = texts(&world, "SELECT password_hash FROM users").await;
        stored.extend(texts(&world, "SELECT session_hash FROM devices").await);
        stored.extend(texts(&world, "SELECT token_hash FROM tokens").await);
        stored.extend(texts(&world, "SELECT invite_hash FROM invites").await);
        assert_eq!(stored.len(), 4);
        for secret in [PASSWORD, &ada.secret, token.trim_start_matches("viv_"), &invite] {
            assert!(stored.iter().all(|text| !text.contains(secret)));
            assert!(!format!("{ada:?}").contains(secret));
        }
    })
    .await;
}

async fn join(world: &World, name: &str) -> NewSession {
    world.hub.accounts().add_user(name, PASSWORD, Role::Member).await.unwrap();
    world.hub.accounts().sign_in(name, PASSWORD, FIREFOX).await.unwrap().done().unwrap()
}

#[track_caller]
fn refused<T: std::fmt::Debug>(answer: Result<T, Error>, kind: FailureKind, words: &str) {
    let failure = answer.unwrap_err().into_failure();
    assert_eq!(failure.kind, kind, "{failure}");
    assert!(failure.message.contains(words), "{failure}");
}

fn code_of(invite: &NewInvite) -> String {
    invite.path.strip_prefix("/sign-up?invite=").unwrap().to_owned()
}

/// Lets time pass for one column, by moving it into the past.
async fn pass(world: &World, table: &str, column: &str, ms: i64) {
    run(world, format!("UPDATE {table} SET {column} = {column} - {ms}")).await;
}

async fn run(world: &World, sql: String) {
    let store = world.store().await;
    let mut tx = store.write().await.unwrap();
    sqlx::query(AssertSqlSafe(sql)).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    store.close().await;
}

async fn count(world: &World, table: &str) -> i64 {
    let store = world.store().await;
    let sql = AssertSqlSafe(format!("SELECT count(*) AS count FROM {table}"));
    let count = sqlx::query(sql).fetch_one(store.read()).await.unwrap().get("count");
    store.close().await;
    count
}

async fn password_hash(world: &World) -> String {
    texts(world, "SELECT password_hash FROM users").await.remove(0)
}

async fn texts(world: &World, sql: &'static str) -> Vec<String> {
    let store = world.store().await;
    let rows = sqlx::query(sql).fetch_all(store.read()).await.unwrap();
    store.close().await;
    rows.iter().map(|row| row.get(0)).collect()
}

fn weak_hash(password: &str) -> String {
    use argon2::password_hash::{PasswordHasher, SaltString};
    let params = argon2::Params::new(8 * 1024, 1, 1, None).unwrap();
    let salt = SaltString::encode_b64(&[7; 16]).unwrap();
    argon2::Argon2::new(argon2::Algorithm::Argon2id, argon2::Version::V0x13, params)
        .hash_password(password.as_bytes(), &salt)
        .unwrap()
        .to_string()
}
