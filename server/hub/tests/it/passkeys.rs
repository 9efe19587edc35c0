//! Passkeys: made, used, removed, and every lie about them.

use crate::world::authenticator::{Authenticator, COPIED, Creation, PRESENT, VERIFIED, Words};
use crate::world::{App, PASSWORD, World, each_store};
use hub::{AuditQuery, Hub, NewSession, PasskeyAnswer, Viewer};
use protocol::FailureKind;
use protocol::view::{AuditAction, AuditOutcome, PasskeyPlace, Role};
use std::time::Duration;

const DOOR: &str = "https://hub.example";

#[tokio::test]
async fn a_passkey_signs_in_without_name_password_and_code() {
    each_store(async |world: World| {
        let hub = &world.hub;
        let ada = world.person("ada").await;
        let hers = hub.for_viewer(&ada);
        assert!(!hub.accounts().has_passkeys().await.unwrap());
        let mut phone = added(hub, &ada, " phone ").await;
        let mut key = added(hub, &ada, "key ring").await;
        assert!(hub.accounts().has_passkeys().await.unwrap());
        let app = App::with(&hers.account().start_second_factor(PASSWORD, "hub").await.unwrap().secret);
        hers.account().confirm_second_factor(&app.code(hub.now())).await.unwrap();
        for turn in 0..3 {
            let device = if turn == 1 { &mut key } else { &mut phone };
            let session = sign_in(hub, device).await.unwrap();
            assert_eq!(hub.accounts().viewer_by_session(&session.secret).await.unwrap().unwrap().me, ada.me);
        }
        // Not every device tells whose it is.
        let answer = PasskeyAnswer { person: None, ..signed(hub, &mut phone, |_| {}) };
        hub.accounts().sign_in_with_passkey(&answer, DOOR, "test").await.unwrap();

        let listed = hers.account().passkeys().await.unwrap();
        let seen: Vec<_> = listed.iter().map(|it| (it.name.as_str(), it.last_used_at.is_some())).collect();
        assert_eq!(seen, [("phone", true), ("key ring", true)]);
        let eve = world.person("eve").await;
        refused(
            hub.for_viewer(&eve).account().remove_passkey(&listed[0].id).await,
            FailureKind::NotFound,
            "passkey",
        );
        hers.account().remove_passkey(&listed[0].id).await.unwrap();
        let answer = signed(hub, &mut phone, |_| {});
        refused(
            hub.accounts().sign_in_with_passkey(&answer, DOOR, "test").await,
            FailureKind::Invalid,
            "not know",
        );
        sign_in(hub, &mut key).await.unwrap();

        let mut page = hers.audit().read(&AuditQuery::default()).await.unwrap();
        page.lines.reverse();
        let told = |action: AuditAction| {
            let lines = page.lines.iter().filter(move |line| line.action == action);
            lines.map(|line| line.object.as_str()).collect::<Vec<_>>()
        };
        assert_eq!(told(AuditAction::PasskeyAdded), ["phone", "key ring"]);
        assert_eq!(told(AuditAction::PasskeyRemoved), ["phone"]);
        assert_eq!(told(AuditAction::SignedIn)[2], "A program, with the passkey key ring");
    })
    .await;
}

#[tokio::test]
async fn every_lie_of_an_answer_is_refused() {
    each_store(async |world: World| {
        let hub = &world.hub;
        let (ada, eve) = (world.person("ada").await, world.person("eve").await);
        let mut hers = added(hub, &ada, "phone").await;
        let mut eves = added(hub, &eve, "phone").await;
        let add = hub.for_viewer(&ada).account().start_passkey(PASSWORD, DOOR).await.unwrap();
        type Lie<'a> = Box<dyn FnOnce(&mut Words) + 'a>;
        let lies: Vec<(&str, Lie<'_>, &str)> = vec![
            (
                "another origin",
                Box::new(|it| it.origin = "https://evil.example".to_owned()),
                "another address",
            ),
            ("another port", Box::new(|it| it.origin = format!("{DOOR}:8443")), "another address"),
            (
                "without encryption",
                Box::new(|it| it.origin = DOOR.replace("https", "http")),
                "another address",
            ),
            ("in a foreign frame", Box::new(|it| it.cross_origin = true), "another address"),
            ("another party", Box::new(|it| it.party = "evil.example".to_owned()), "another address"),
            ("made, not used", Box::new(|it| it.kind = "webauthn.create"), "does not fit"),
            ("a challenge of nobody's", Box::new(|it| it.challenge = "AAAA".to_owned()), "took too long"),
            ("no challenge", Box::new(|it| it.challenge = String::new()), "took too long"),
            ("one for something else", Box::new(|it| it.challenge = add.challenge.clone()), "took too long"),
            ("a changed one", Box::new(|it| flip(&mut it.challenge)), "took too long"),
            ("nobody there", Box::new(|it| it.flags = VERIFIED), "did not check"),
            ("nobody verified", Box::new(|it| it.flags = PRESENT), "did not check"),
            ("copied, where it cannot be", Box::new(|it| it.flags |= COPIED), "does not fit"),
            ("more than there is", Box::new(|it| it.more = vec![0]), "does not fit"),
        ];
        for (lie, tell, words) in lies {
            let answer = signed(hub, &mut hers, tell);
            let found = hub.accounts().sign_in_with_passkey(&answer, DOOR, "test").await;
            let failure = found.err().unwrap_or_else(|| panic!("{lie} is believed")).into_failure();
            assert!(
                failure.kind == FailureKind::Invalid && failure.message.contains(words),
                "{lie}: {failure}"
            );
        }
        type Change = fn(&mut PasskeyAnswer, &PasskeyAnswer);
        let changes: [(&str, Change); 8] = [
            ("somebody else's signature", |it, other| it.signature.clone_from(&other.signature)),
            ("somebody else's passkey", |it, other| it.credential.clone_from(&other.credential)),
            ("somebody else's handle", |it, other| it.person.clone_from(&other.person)),
            ("a passkey of nobody's", |it, _| it.credential = "AAAA".to_owned()),
            ("a changed signature", |it, _| flip(&mut it.signature)),
            ("changed client data", |it, _| it.client_data = it.client_data.replace("eyJ", "eyAg")),
            ("no authenticator data", |it, _| it.authenticator_data = String::new()),
            ("no base64", |it, _| it.signature = "%%".to_owned()),
        ];
        for (lie, change) in changes {
            let other = signed(hub, &mut eves, |_| {});
            let mut answer = signed(hub, &mut hers, |_| {});
            change(&mut answer, &other);
            let found = hub.accounts().sign_in_with_passkey(&answer, DOOR, "test").await;
            refused_as(lie, found, FailureKind::Invalid);
        }
        // The truth is still believed, and what did not fit stands in the audit.
        sign_in(hub, &mut hers).await.unwrap();
        let page = hub.for_viewer(&ada).audit().read(&AuditQuery::default()).await.unwrap();
        let refused: Vec<_> =
            page.lines.iter().filter(|line| line.outcome == AuditOutcome::Refused).collect();
        assert!(refused.len() >= 8);
    })
    .await;
}

#[tokio::test]
async fn a_passkey_of_which_there_may_be_a_copy_opens_nothing_any_more() {
    each_store(async |world: World| {
        let hub = &world.hub;
        for (person, count) in [("ada", 1), ("bo", 0)] {
            let viewer = world.person(person).await;
            let mut key = added(hub, &viewer, "phone").await;
            sign_in(hub, &mut key).await.unwrap();
            let copied = signed(hub, &mut key, |it| it.count = count);
            let found = hub.accounts().sign_in_with_passkey(&copied, DOOR, "test").await;
            let failure = found.expect_err("a counter that did not rise is believed").into_failure();
            assert!(failure.message.contains("there may be a copy"), "{count}: {failure}");
            // Whichever of the two comes next is ahead of what was seen last.
            let later = signed(hub, &mut key, |it| it.count = 1000);
            refused_as(
                "the next one",
                hub.accounts().sign_in_with_passkey(&later, DOOR, "test").await,
                FailureKind::Invalid,
            );
            let page = hub.for_viewer(&viewer).audit().read(&AuditQuery::default()).await.unwrap();
            assert!(page.lines.iter().any(|line| line.object == "a passkey whose counter went back"));
        }
    })
    .await;
}

#[tokio::test]
async fn an_answer_is_good_once_and_not_late() {
    each_store(async |world: World| {
        let hub = &world.hub;
        let ada = world.person("ada").await;
        // One that does not count, so that nothing but the challenge tells a second time.
        let (mut phone, creation) = made(hub, &ada, |words| words.count = 0).await;
        keep(hub, &ada, "phone", &creation).await.unwrap();
        let answer = signed(hub, &mut phone, |_| {});
        let (one, other) = tokio::join!(
            hub.accounts().sign_in_with_passkey(&answer, DOOR, "test"),
            hub.accounts().sign_in_with_passkey(&answer, DOOR, "test"),
        );
        assert_eq!([one.is_ok(), other.is_ok()].iter().filter(|won| **won).count(), 1);
        let again = hub.accounts().sign_in_with_passkey(&answer, DOOR, "test").await;
        refused(again, FailureKind::Invalid, "answered already");
        let late = signed(hub, &mut phone, |_| {});
        world.clock.advance(Duration::from_secs(10 * 60));
        refused(
            hub.accounts().sign_in_with_passkey(&late, DOOR, "test").await,
            FailureKind::Invalid,
            "took too long",
        );
        // What was used is forgotten when it would be late anyway, and not before.
        sign_in(hub, &mut phone).await.unwrap();
        refused(
            hub.accounts().sign_in_with_passkey(&answer, DOOR, "test").await,
            FailureKind::Invalid,
            "took too long",
        );
    })
    .await;
}

#[tokio::test]
async fn a_passkey_is_kept_only_as_it_was_asked_for() {
    each_store(async |world: World| {
        let hub = &world.hub;
        let (ada, eve) = (world.person("ada").await, world.person("eve").await);
        let hers = hub.for_viewer(&ada);
        let wrong = hers.account().start_passkey("a wrong password", DOOR).await;
        refused(wrong, FailureKind::Invalid, "password is wrong");
        type Lie = fn(&mut Words);
        let lies: [(&str, Lie, &str); 6] = [
            ("another origin", |it| it.origin = "https://evil.example".to_owned(), "another address"),
            ("another party", |it| it.party = "evil.example".to_owned(), "another address"),
            ("nobody verified", |it| it.flags &= !VERIFIED, "does not check"),
            ("used, not made", |it| it.kind = "webauthn.get", "cannot be read"),
            ("without a key", |it| it.flags &= PRESENT | VERIFIED, "of a kind"),
            ("with something behind the key", |it| it.more = vec![0], "cannot be read"),
        ];
        for (lie, tell, words) in lies {
            let (_, creation) = made(hub, &ada, tell).await;
            let failure = keep(hub, &ada, "phone", &creation).await.expect_err(lie).into_failure();
            assert!(failure.message.contains(words), "{lie}: {failure}");
        }
        // A challenge is its person's, for this, once.
        let (_, creation) = made(hub, &ada, |_| {}).await;
        refused(keep(hub, &eve, "phone", &creation).await, FailureKind::Invalid, "took too long");
        refused(keep(hub, &ada, "", &creation).await, FailureKind::Invalid, "1 to 40 characters");
        keep(hub, &ada, "phone", &creation).await.unwrap();
        refused(keep(hub, &ada, "again", &creation).await, FailureKind::Invalid, "answered already");
        let sign_in = hub.accounts().passkey_challenge(DOOR).unwrap().challenge;
        let (_, creation) = made(hub, &ada, |words| words.challenge = sign_in).await;
        refused(keep(hub, &ada, "phone", &creation).await, FailureKind::Invalid, "took too long");
        assert_eq!(hers.account().passkeys().await.unwrap().len(), 1);
    })
    .await;
}

#[tokio::test]
async fn passkeys_are_for_the_name_of_the_hub() {
    each_store(async |world: World| {
        let hub = &world.hub;
        let ada = world.person("ada").await;
        for (door, origin, place) in [
            (DOOR, DOOR, PasskeyPlace::Here),
            ("http://localhost:3000", "http://localhost:3000", PasskeyPlace::Here),
            (DOOR, "http://192.0.2.7:3000", PasskeyPlace::At(DOOR.to_owned())),
            ("https://localhost:3000", "https://192.0.2.7:3000", PasskeyPlace::Nowhere),
            ("http://192.0.2.7:3000", "http://192.0.2.7:3000", PasskeyPlace::Nowhere),
        ] {
            assert_eq!(hub.accounts().passkey_place(door, origin), place, "{door} {origin}");
        }
        let answer = hub.for_viewer(&ada).account().start_passkey(PASSWORD, "http://192.0.2.7:3000").await;
        refused(answer, FailureKind::Conflict, "VIVARIUM_PUBLIC_URL");
        // One of another name is worth nothing here.
        let mut phone = added(hub, &ada, "phone").await;
        let elsewhere = "https://other.example";
        let challenge = hub.accounts().passkey_challenge(elsewhere).unwrap();
        let answer = phone.sign(&challenge, elsewhere, |_| {});
        refused(
            hub.accounts().sign_in_with_passkey(&answer, DOOR, "test").await,
            FailureKind::Invalid,
            "another address",
        );
    })
    .await;
}

#[tokio::test]
async fn who_is_disabled_does_not_get_in_by_a_passkey() {
    each_store(async |world: World| {
        let hub = &world.hub;
        let root = world.admin("root").await;
        hub.accounts().add_user("ada", PASSWORD, Role::Member).await.unwrap();
        let ada = hub.accounts().sign_in("ada", PASSWORD, "test").await.unwrap().done().unwrap().viewer;
        let mut phone = added(hub, &ada, "phone").await;
        let admin = hub.as_admin(&root).unwrap();
        admin.people().disable(&ada.me.id).await.unwrap();
        refused(sign_in(hub, &mut phone).await, FailureKind::Forbidden, "disabled");
        admin.people().enable(&ada.me.id).await.unwrap();
        sign_in(hub, &mut phone).await.unwrap();
        admin.people().remove(&ada.me.id, "ada").await.unwrap();
        refused(sign_in(hub, &mut phone).await, FailureKind::Invalid, "does not know");
    })
    .await;
}

async fn made(hub: &Hub, viewer: &Viewer, lie: impl FnOnce(&mut Words)) -> (Authenticator, Creation) {
    let options = hub.for_viewer(viewer).account().start_passkey(PASSWORD, DOOR).await.unwrap();
    Authenticator::make(&options, DOOR, lie)
}

async fn keep(hub: &Hub, viewer: &Viewer, name: &str, creation: &Creation) -> hub::Result<()> {
    let Creation { client_data, attestation } = creation;
    hub.for_viewer(viewer).account().add_passkey(name, client_data, attestation, DOOR).await.map(|_| ())
}

async fn added(hub: &Hub, viewer: &Viewer, name: &str) -> Authenticator {
    let (device, creation) = made(hub, viewer, |_| {}).await;
    keep(hub, viewer, name, &creation).await.unwrap();
    device
}

fn signed(hub: &Hub, device: &mut Authenticator, lie: impl FnOnce(&mut Words)) -> PasskeyAnswer {
    device.sign(&hub.accounts().passkey_challenge(DOOR).unwrap(), DOOR, lie)
}

async fn sign_in(hub: &Hub, device: &mut Authenticator) -> hub::Result<NewSession> {
    let answer = signed(hub, device, |_| {});
    hub.accounts().sign_in_with_passkey(&answer, DOOR, "test").await
}

/// Another letter near the end, where base64 has no bits to spare.
fn flip(text: &mut String) {
    let at = text.len() - 4;
    let other = if &text[at..=at] == "A" { "B" } else { "A" };
    text.replace_range(at..=at, other);
}

#[track_caller]
fn refused<T>(answer: hub::Result<T>, kind: FailureKind, words: &str) {
    let failure = answer.err().expect("it is refused").into_failure();
    assert_eq!(failure.kind, kind, "{failure}");
    assert!(failure.message.contains(words), "{failure}");
}

#[track_caller]
fn refused_as<T>(lie: &str, answer: hub::Result<T>, kind: FailureKind) {
    let failure = answer.err().unwrap_or_else(|| panic!("{lie} is believed")).into_failure();
    assert_eq!(failure.kind, kind, "{lie}: {failure}");
}
