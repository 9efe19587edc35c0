//! Mail: to whom it goes, when it does not, and how it ends.

use super::sent::{HERE, REACHED, settled};
use super::{list, say};
use crate::talk::{a_moment, ada};
use crate::world::{Endpoint, MailReceiver, World, each_store};
use hub::{Hub, Scoped, Visitor};
use protocol::ChannelId;
use protocol::view::{AuditAction, ChannelDraft, ChannelKind, DeliveryState, NewChannel};
use serde_json::Value;
use std::time::Duration;

pub fn draft(kind: ChannelKind, address: &str, token: &str) -> ChannelDraft {
    ChannelDraft { kind, address: address.to_owned(), token: token.to_owned(), room: String::new() }
}

async fn add(scoped: &Scoped<'_>, address: &str) -> hub::Result<NewChannel> {
    scoped.notifications().add_channel(&draft(ChannelKind::Mail, address, ""), REACHED).await
}

fn text(mail: &Value) -> &str {
    mail["text"].as_str().unwrap()
}

/// The code in a mail: the one line of its shape.
fn code(mail: &Value) -> String {
    text(mail).lines().find(|line| line.len() == 9 && line.as_bytes()[4] == b'-').expect("a code").to_owned()
}

/// The address, as one that nothing is sent to before the code of its mail was entered.
async fn confirmed(scoped: &Scoped<'_>, receiver: &MailReceiver, address: &str) -> ChannelId {
    let number = receiver.received().len();
    let added = add(scoped, address).await.unwrap();
    assert!(added.view.unconfirmed && added.secret.is_none());
    let code = code(&receiver.mail(number).await);
    scoped.notifications().confirm_channel(&added.view.id, &code.to_lowercase()).await.unwrap();
    added.view.id
}

async fn unsubscribe(hub: &Hub, mail: &Value) -> hub::Result<()> {
    let link = mail["headers"]["list-unsubscribe"].as_str().unwrap();
    let link = link.trim_matches(['<', '>']).strip_prefix(&format!("{HERE}/unsubscribe/")).unwrap();
    let (channel, key) = link.split_once('/').unwrap();
    hub.notifications().unsubscribe(Visitor::from("mail"), &channel.into(), key).await
}

#[tokio::test]
async fn mail_goes_to_an_address_that_was_confirmed_until_the_link_in_one_is_pressed() {
    each_store(async |world: World| {
        let (endpoint, receiver) = (Endpoint::start(), MailReceiver::start());
        let (viewer, agent) = ada(&world, &endpoint).await;
        let eve = world.person("eve").await;
        let hub = world.with_mail(&receiver).await;
        let scoped = hub.for_viewer(&viewer);
        let added = add(&scoped, " ada@example.org ").await.unwrap();
        say(&scoped, &agent.id, "Hello").await;
        assert!(list(&scoped).await[0].deliveries.is_empty(), "nothing goes there yet");
        let first = receiver.mail(0).await;
        assert_eq!((&first["to"][0], &first["from"]), (&"ada@example.org".into(), &"hub@example.org".into()));
        let own = scoped.notifications();
        let wrong = own.confirm_channel(&added.view.id, "0000-0000").await.unwrap_err();
        assert!(wrong.to_string().contains("not the code"), "{wrong}");
        let others = hub.for_viewer(&eve);
        others.notifications().confirm_channel(&added.view.id, &code(&first)).await.unwrap_err();
        own.confirm_channel(&added.view.id, &code(&first)).await.unwrap();
        assert!(!own.reach().await.unwrap().channels[0].unconfirmed);

        say(&scoped, &agent.id, "Hello").await;
        let told = list(&scoped).await.remove(0);
        let mail = receiver.mail(1).await;
        let head = &mail["headers"];
        assert_eq!(head["subject"], told.title);
        assert_eq!(head["list-unsubscribe-post"], "List-Unsubscribe=One-Click");
        assert_eq!(head["auto-submitted"], "auto-generated");
        let id = format!("<{}.{}@example.org>", told.id, added.view.id);
        assert_eq!(head["message-id"], id);
        assert!(text(&mail).contains(&format!("{HERE}{}", told.link)) && text(&mail).contains(&told.body));
        assert_eq!(settled(&scoped).await, (DeliveryState::Sent, None));

        let (channel, key) = (&added.view.id, "A".repeat(43));
        hub.notifications().unsubscribe(Visitor::from("eve"), channel, &key).await.unwrap_err();
        unsubscribe(&hub, &mail).await.unwrap();
        unsubscribe(&hub, &mail).await.unwrap();
        assert!(own.reach().await.unwrap().channels.is_empty());
        say(&scoped, &agent.id, "Hello").await;
        assert!(list(&scoped).await[0].deliveries.is_empty());
        let lines = scoped.audit().read(&hub::AuditQuery::default()).await.unwrap().lines;
        let of_channels: Vec<_> = lines
            .iter()
            .filter(|line| matches!(line.action, AuditAction::ChannelAdded | AuditAction::ChannelRemoved))
            .map(|line| (line.action, line.object.as_str()))
            .collect();
        let place = "ada@example.org";
        assert_eq!(of_channels, [(AuditAction::ChannelRemoved, place), (AuditAction::ChannelAdded, place)]);
        hub.close().await;
    })
    .await;
}

#[tokio::test]
async fn a_code_is_tried_a_few_times_for_an_hour_and_a_day_has_a_few_codes() {
    each_store(async |world: World| {
        world.at_noon();
        let receiver = MailReceiver::start();
        let viewer = world.person("ada").await;
        let hub = world.with_mail(&receiver).await;
        let scoped = hub.for_viewer(&viewer);
        let own = scoped.notifications();
        for address in ["ada", "ada@example.org\r\nBcc: eve@example.org", "Ada <ada@example.org>", ""] {
            add(&scoped, address).await.unwrap_err();
        }
        let guessed = add(&scoped, "ada@example.org").await.unwrap().view.id;
        let right = code(&receiver.mail(0).await);
        for _ in 0..5 {
            own.confirm_channel(&guessed, "0000-0000").await.unwrap_err();
        }
        own.confirm_channel(&guessed, &right).await.unwrap_err();
        let late = add(&scoped, "ada@example.org").await.unwrap().view.id;
        let right = code(&receiver.mail(1).await);
        world.clock.advance(Duration::from_secs(60 * 60));
        let over = own.confirm_channel(&late, &right).await.unwrap_err();
        assert!(over.to_string().contains("add it again"), "{over}");
        let refused = add(&scoped, "nobody@example.org").await.unwrap_err().into_failure().message;
        assert!(refused.contains("answered 550") && !refused.contains("canary"), "{refused}");
        for _ in 0..2 {
            add(&scoped, "ada@example.org").await.unwrap();
        }
        let many = add(&scoped, "ada@example.org").await.unwrap_err();
        assert!(many.to_string().contains("tomorrow"), "{many}");
        receiver.mail(3).await;
        assert_eq!(receiver.received().len(), 4);
        world.clock.advance(Duration::from_secs(24 * 60 * 60));
        confirmed(&scoped, &receiver, "ada@example.org").await;
        hub.close().await;
    })
    .await;
}

#[tokio::test]
async fn a_server_that_is_full_is_asked_again_and_who_gets_many_gets_no_more() {
    each_store(async |world: World| {
        let (endpoint, receiver) = (Endpoint::start(), MailReceiver::start());
        let (viewer, agent) = ada(&world, &endpoint).await;
        let hub = world.with_mail(&receiver).await;
        let scoped = hub.for_viewer(&viewer);
        // The code is refused as well, and nothing is kept of it.
        add(&scoped, "full@example.org").await.unwrap_err();
        confirmed(&scoped, &receiver, "ada@example.org").await;
        let moved = "UPDATE notification_channels SET place = 'full-again@example.org'";
        world.execute(moved).await;
        say(&scoped, &agent.id, "Hello").await;
        let failure = loop {
            if let Some(failure) = list(&scoped).await[0].deliveries[0].failure.clone() {
                break failure;
            }
            a_moment().await;
        };
        assert!(failure.contains("answered 452"), "{failure}");
        world.clock.advance(Duration::from_secs(60));
        assert_eq!(receiver.mail(1).await["to"][0], "full-again@example.org");
        assert_eq!(settled(&scoped).await.0, DeliveryState::Sent);

        world.execute("UPDATE mails_sent SET sent = 200 WHERE kind = 'told'").await;
        say(&scoped, &agent.id, "Hello").await;
        let (state, why) = settled(&scoped).await;
        assert_eq!(state, DeliveryState::GivenUp);
        assert!(why.unwrap().contains("200 mails today"));
        assert_eq!(receiver.received().len(), 2);
        hub.close().await;
        // Nobody says where mail goes any more.
        let hub = world.reopened().await;
        let scoped = hub.for_viewer(&viewer);
        add(&scoped, "ada@example.org").await.unwrap_err();
        say(&scoped, &agent.id, "Hello").await;
        assert!(settled(&scoped).await.1.unwrap().contains("VIVARIUM_SMTP_URL"));
        hub.close().await;
    })
    .await;
}
