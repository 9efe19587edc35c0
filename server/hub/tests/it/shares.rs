//! Conversations that are shown to other people: what their readers see, who they are, and when it ends.

use crate::talk::{ada, ask, calls};
use crate::world::{Endpoint, World, each_store};
use hub::{AuditQuery, Error, Outgoing, Result, Scoped, Viewer};
use protocol::view::{ConversationFilter, SharedLine, SharedPart, SharedSpeaker, SharedWords};
use protocol::{ConversationId, Failure, FailureKind, ShareId};
use serde_json::json;
use std::time::Duration;

fn told(line: &SharedLine) -> String {
    match &line.said {
        SharedWords::Message { from: SharedSpeaker::Owner, text, attached } if attached.is_empty() => {
            text.clone()
        }
        SharedWords::Message { from, text, attached } => format!("{from:?} {text} {attached:?}"),
        SharedWords::Answer { text } => format!("agent: {text}"),
        SharedWords::Tool { name, failed: false } => name.clone(),
        SharedWords::Tool { name, failed: true } => format!("{name} failed"),
    }
}

fn lines(part: &SharedPart) -> Vec<String> {
    part.lines.iter().map(told).collect()
}

fn refused<T: std::fmt::Debug>(result: Result<T>) -> Failure {
    result.unwrap_err().into_failure()
}

/// Shares it and gives what the owner calls that.
async fn share(owner: &Scoped<'_>, conversation: &ConversationId, name: &str) -> ShareId {
    owner.shares().give(conversation, name).await.unwrap();
    let shares = owner.shares().of(conversation).await.unwrap().shares;
    shares.into_iter().find(|share| share.reader == name).unwrap().id
}

/// How many conversations others show to this person.
async fn shown_to(world: &World, viewer: &Viewer) -> usize {
    world.hub.for_viewer(viewer).shares().list(0).await.unwrap().conversations.len()
}

#[tokio::test]
async fn a_reader_has_what_was_said_and_which_tools_were_used_and_nobody_else_has_anything() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let (ben, eve) = (world.person("ben").await, world.person("eve").await);
        let (owner, reader) = (world.hub.for_viewer(&viewer), world.hub.for_viewer(&ben));
        let conversation = agent.conversation.clone();
        ask(&owner, &agent.id, &conversation, "Ferns").await;
        let id = share(&owner, &conversation, "ben").await;
        let of = [
            ("state", json!({ "action": "set", "key": "plan", "value": 1 })),
            ("dom", json!({ "action": "none" })),
        ];
        calls(&owner, &agent.id, &conversation, &of).await;
        let note = owner.attachments().take_in("note.txt", b"Moss grows.".to_vec()).await.unwrap();
        let message = Outgoing { text: "Read", attachments: std::slice::from_ref(&note.id), key: None };
        owner.runs().of_conversation(Some(&conversation)).send(&agent.id, message, None).await.unwrap();

        let list = reader.shares().list(0).await.unwrap();
        let about = (&list.conversations[0].id, list.conversations[0].owner.as_str());
        assert_eq!((about, list.more), ((&id, "ada"), false));
        let part = reader.shares().read(&id, None).await.unwrap();
        let heard = lines(&part);
        assert_eq!(heard[..2], ["Ferns", "agent: You said: Ferns"]);
        assert!(heard[2].starts_with("turns: "), "{heard:?}");
        assert_eq!(heard[3..6], ["state", "dom failed", "agent: Done."]);
        assert_eq!(heard[6], r#"Owner Read ["note.txt"]"#);
        let sent = serde_json::to_string(&part).unwrap();
        for hidden in [agent.id.0.as_str(), conversation.0.as_str(), note.id.0.as_str(), "Moss grows."] {
            assert!(!sent.contains(hidden), "{hidden} is in {sent}");
        }
        let own = owner.shares().read(&id, None).await.unwrap();
        assert!(own.conversation.is_own && own.lines[..2] == part.lines[..2], "the owner can look at it");

        // A reader has no other way to it, and others have none.
        let missing = refused(reader.shares().read(&"none".into(), None).await);
        let stranger = world.hub.for_viewer(&eve);
        assert_eq!(refused(stranger.shares().read(&id, None).await), missing);
        assert_eq!(refused(stranger.shares().end(&id).await), missing);
        assert_eq!(refused(reader.conversations().get(&conversation).await).kind, FailureKind::NotFound);
        assert_eq!(refused(reader.shares().of(&conversation).await).kind, FailureKind::NotFound);
        assert_eq!(refused(reader.shares().give(&conversation, "eve").await).kind, FailureKind::NotFound);
        assert_eq!(refused(reader.attachments().open(&note.id).await).kind, FailureKind::NotFound);
        assert_eq!(shown_to(&world, &eve).await, 0);
    })
    .await;
}

#[tokio::test]
async fn a_long_conversation_comes_in_parts_and_a_long_text_is_there_whole() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let ben = world.person("ben").await;
        let (owner, reader) = (world.hub.for_viewer(&viewer), world.hub.for_viewer(&ben));
        let id = share(&owner, &agent.conversation, "ben").await;
        let long = "moss ".repeat(2_000);
        let said = std::iter::once("First").chain(std::iter::repeat_n(long.as_str(), 6));
        for text in said {
            ask(&owner, &agent.id, &agent.conversation, text).await;
        }
        let latest = reader.shares().read(&id, None).await.unwrap();
        let cut =
            latest.lines.iter().find(|line| line.is_cut).expect("a long text is shown by its beginning");
        let whole = reader.shares().read_whole(&id, cut.seq).await.unwrap();
        assert!(told(&whole.lines[0]).contains(long.trim_end()) && !whole.lines[0].is_cut);
        let mut part = latest;
        while let Some(before) = part.earlier {
            assert!(!lines(&part).contains(&"First".to_owned()));
            part = reader.shares().read(&id, Some(before)).await.unwrap();
        }
        assert!(lines(&part).contains(&"First".to_owned()), "{:?}", lines(&part));
        assert_eq!(refused(reader.shares().read_whole(&id, 9_999).await).kind, FailureKind::NotFound);
    })
    .await;
}

#[tokio::test]
async fn a_reader_has_the_branch_that_was_shared_and_no_other() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let ben = world.person("ben").await;
        let (owner, reader) = (world.hub.for_viewer(&viewer), world.hub.for_viewer(&ben));
        let ferns = agent.conversation.clone();
        ask(&owner, &agent.id, &ferns, "Both").await;
        ask(&owner, &agent.id, &ferns, "Ferns").await;
        let shared = share(&owner, &ferns, "ben").await;
        let said = reader.shares().read(&shared, None).await.unwrap();
        let entry = said.lines.iter().find(|line| told(line) == "Ferns").unwrap().seq;
        let instead = Outgoing { text: "Mosses", attachments: &[], key: None };
        let mosses = owner.runs().send_instead(&ferns, entry, instead, None).await.unwrap();
        ask(&owner, &agent.id, &mosses.conversation, "More mosses").await;
        let still = reader.shares().read(&shared, None).await.unwrap();
        assert_eq!(lines(&still), lines(&said));
        let branch = share(&owner, &mosses.conversation, "ben").await;
        let heard = lines(&reader.shares().read(&branch, None).await.unwrap());
        assert!(heard.contains(&"Both".to_owned()) && heard.contains(&"Mosses".to_owned()), "{heard:?}");
        assert!(!heard.contains(&"Ferns".to_owned()), "{heard:?}");
        let elsewhere = reader.shares().read_whole(&branch, entry).await;
        assert_eq!(refused(elsewhere).kind, FailureKind::NotFound, "what another branch has");
    })
    .await;
}

#[tokio::test]
async fn it_ends_for_the_reader_with_the_next_request() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let root = world.admin("root").await;
        let (viewer, agent) = ada(&world, &endpoint).await;
        let ben = world.person("ben").await;
        let (owner, reader) = (world.hub.for_viewer(&viewer), world.hub.for_viewer(&ben));
        let people = world.hub.as_admin(&root).unwrap();
        let conversation = agent.conversation.clone();
        ask(&owner, &agent.id, &conversation, "Ferns").await;

        let taken = share(&owner, &conversation, "ben").await;
        owner.shares().end(&taken).await.unwrap();
        assert_eq!(refused(reader.shares().read(&taken, None).await).kind, FailureKind::NotFound);
        assert_eq!(refused(owner.shares().end(&taken).await).kind, FailureKind::NotFound);

        let put_away = share(&owner, &conversation, "ben").await;
        reader.shares().end(&put_away).await.unwrap();
        assert_eq!(owner.shares().of(&conversation).await.unwrap().shares, []);

        let id = share(&owner, &conversation, "ben").await;
        owner.conversations().archive(&conversation, true).await.unwrap();
        reader.shares().read(&id, None).await.unwrap();
        people.people().disable(&viewer.me.id).await.unwrap();
        assert_eq!(refused(reader.shares().read(&id, None).await).kind, FailureKind::NotFound);
        assert_eq!(shown_to(&world, &ben).await, 0);
        people.people().enable(&viewer.me.id).await.unwrap();
        reader.shares().read(&id, None).await.unwrap();

        owner.conversations().delete(&conversation).await.unwrap();
        assert_eq!(refused(reader.shares().read(&id, None).await).kind, FailureKind::NotFound);
        assert_eq!(refused(owner.shares().of(&conversation).await).kind, FailureKind::NotFound);
        owner.conversations().restore(&conversation).await.unwrap();
        assert_eq!(shown_to(&world, &ben).await, 0, "what is brought back is its owner's alone");

        share(&owner, &conversation, "ben").await;
        people.people().remove(&ben.me.id, "ben").await.unwrap();
        assert_eq!(owner.shares().of(&conversation).await.unwrap().shares, []);
        let other = world.person("kim").await;
        share(&owner, &conversation, "kim").await;
        people.people().remove(&viewer.me.id, "ada").await.unwrap();
        assert_eq!(shown_to(&world, &other).await, 0);
    })
    .await;
}

#[tokio::test]
async fn who_may_not_be_named_is_as_who_is_not_there_and_trying_names_has_an_end() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let root = world.admin("root").await;
        let (viewer, agent) = ada(&world, &endpoint).await;
        let (_, out) = (world.person("ben").await, world.person("out").await);
        let owner = world.hub.for_viewer(&viewer);
        world.hub.as_admin(&root).unwrap().people().disable(&out.me.id).await.unwrap();
        let give = async |name| owner.shares().give(&agent.conversation, name).await;
        let nobody = refused(give("nobody").await);
        assert_eq!(nobody.kind, FailureKind::Invalid);
        assert_eq!(refused(give("out").await), nobody);
        assert_eq!(refused(give("be").await), nobody, "a name is whole");
        assert_eq!(refused(give("").await).kind, FailureKind::Invalid);
        let own = refused(give("Ada").await);
        assert_eq!(own.message, "This is your own name. Write that of somebody else.");
        give(" BEN ").await.expect("names are compared as at sign-in");
        give("ben").await.expect("it is shared with them already");
        assert_eq!(owner.shares().of(&agent.conversation).await.unwrap().shares.len(), 1);
        for _ in 0..2 {
            assert_eq!(refused(give("nobody").await), nobody);
        }
        assert!(matches!(give("ben").await, Err(Error::TooOften { .. })), "after five that led to nobody");
        world.clock.advance(Duration::from_secs(31));
        give("ben").await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_conversation_has_so_many_readers() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        world.person("ben").await;
        let owner = world.hub.for_viewer(&viewer);
        for number in 0..20 {
            world
                .execute(&format!(
                    "INSERT INTO users (id, name, login, password_hash, role, created_at)
                     VALUES ('reader-{number}', 'Reader {number}', 'reader {number}', '', 'member', 0)"
                ))
                .await;
            share(&owner, &agent.conversation, &format!("Reader {number}")).await;
        }
        let full = refused(owner.shares().give(&agent.conversation, "ben").await);
        assert_eq!(full.kind, FailureKind::Limit);
        assert!(full.message.contains("at most 20 readers"), "{full:?}");
        let first = owner.shares().of(&agent.conversation).await.unwrap().shares[0].id.clone();
        owner.shares().end(&first).await.unwrap();
        owner.shares().give(&agent.conversation, "ben").await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn who_shared_what_with_whom_stands_in_the_audit_of_both_and_no_title_does() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let ben = world.person("ben").await;
        let (owner, reader) = (world.hub.for_viewer(&viewer), world.hub.for_viewer(&ben));
        let conversation = agent.conversation.clone();
        ask(&owner, &agent.id, &conversation, "Secret ferns").await;
        let first = share(&owner, &conversation, "ben").await;
        owner.shares().end(&first).await.unwrap();
        let second = share(&owner, &conversation, "ben").await;
        reader.shares().end(&second).await.unwrap();
        share(&owner, &conversation, "ben").await;
        let kept = owner.conversations().create(&agent.id).await.unwrap();
        owner.conversations().delete(&conversation).await.unwrap();
        let left = owner.conversations().list(&agent.id, ConversationFilter::Active, 0).await.unwrap();
        assert_eq!(left.conversations[0].id, kept.id);
        for scoped in [&owner, &reader] {
            let page = scoped.audit().read(&AuditQuery::default()).await.unwrap();
            let about = |line: &protocol::view::AuditLine| {
                let action = format!("{:?}", line.action);
                action
                    .starts_with("Conversation")
                    .then(|| format!("{} {action} {} {}", line.actor, line.person, line.object))
            };
            let mut shared: Vec<String> = page.lines.iter().filter_map(about).collect();
            shared.reverse();
            let expected = [
                "ada ConversationShared ben",
                "ada ConversationUnshared ben",
                "ada ConversationShared ben",
                "ben ConversationUnshared ada",
                "ada ConversationShared ben",
                "ada ConversationUnshared ben",
            ];
            assert_eq!(shared, expected.map(|line| format!("{line} {}", agent.name)));
        }
    })
    .await;
}
