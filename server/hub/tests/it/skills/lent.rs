//! Skills that administrators lend, and versions that they take back.

use super::{accept, choose, reading, skill, told};
use crate::world::{Endpoint, World, each_store};
use hub::Error;
use protocol::view::{AuditAction, NotificationKind, SkillSource, SkillState, SkillUse};
use serde_json::json;
use std::slice::from_ref;

#[tokio::test]
async fn a_lent_skill_waits_for_whoever_takes_it_and_comes_newer_only_when_they_look() {
    each_store(async |world: World| {
        let ada = world.admin("ada").await;
        let (bert, eve) = (world.person("bert").await, world.person("eve").await);
        let [lender, theirs, others] = [&ada, &bert, &eve].map(|viewer| world.hub.for_viewer(viewer));
        let id = lender.skills().write(&skill("moss", "", "Water it.")).await.unwrap();
        let admin = world.hub.as_admin(&ada).unwrap();
        let group = admin.groups().save(None, "Gardeners", from_ref(&bert.me.id)).await.unwrap();
        lender.skills().share(&id, false, from_ref(&group)).await.unwrap();
        assert_eq!(theirs.skills().list().await.unwrap().lent, [], "she has accepted none of it herself");
        accept(&lender, &id, true).await;
        let lent = theirs.skills().list().await.unwrap().lent;
        assert_eq!((lent.len(), &*lent[0].name, &*lent[0].by), (1, "moss", "ada"));
        assert_eq!(others.skills().list().await.unwrap().lent, []);
        assert!(matches!(others.skills().take(&id).await, Err(Error::NotFound("skill"))));
        assert!(matches!(theirs.skills().share(&id, true, &[]).await, Err(Error::NotFound("skill"))));

        assert!(matches!(lender.skills().take(&id).await, Err(Error::Conflict(_))));
        let taken = theirs.skills().take(&id).await.unwrap();
        assert_ne!(taken, id);
        let detail = theirs.skills().get(&taken).await.unwrap();
        assert_eq!(detail.skill.state, SkillState::Quarantined, "her yes is none of his");
        assert!(!detail.waiting.unwrap().vouched && detail.sharing.is_none());
        assert!(matches!(detail.skill.source, SkillSource::Lent { .. }));
        assert_eq!(theirs.skills().list().await.unwrap().lent, []);
        let refused = theirs.skills().share(&taken, true, &[]).await;
        assert!(matches!(refused, Err(Error::Forbidden(_))), "{refused:?}");
        accept(&theirs, &taken, false).await;

        lender.skills().write(&skill("moss", "", "Water it twice.")).await.unwrap();
        assert!(!theirs.skills().look_again(&taken).await.unwrap(), "she has not accepted that yet");
        accept(&lender, &id, true).await;
        assert_eq!(theirs.skills().get(&taken).await.unwrap().skill.state, SkillState::Accepted);
        assert!(theirs.skills().look_again(&taken).await.unwrap());
        let waits = theirs.skills().get(&taken).await.unwrap();
        assert!(waits.changes[0].difference.contains("+Water it twice."), "{waits:?}");

        lender.skills().share(&id, false, &[]).await.unwrap();
        let over = theirs.skills().look_again(&taken).await;
        assert!(matches!(over, Err(Error::Conflict(_))), "{over:?}");
        assert_eq!(theirs.skills().get(&taken).await.unwrap().skill.state, SkillState::UpdateWaiting);
    })
    .await;
}

#[tokio::test]
async fn a_version_that_is_taken_back_is_loaded_by_nobody_and_its_people_are_told() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let root = world.admin("root").await;
        let (viewer, view) = reading(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let text = skill("moss", "", "Water it.");
        let id = super::given(&scoped, &view.id, &text, true, SkillUse::Always).await;
        let digest = scoped.skills().get(&id).await.unwrap().accepted.unwrap().digest;
        let is_given = async || {
            let read = [("list_skills", json!({})), ("get_skill", json!({ "name": "moss" }))];
            let told = told(&scoped, &view.id, &read).await;
            let stands = super::system(&scoped, &view.id).await.contains("# Skill moss");
            (told[0].1.contains("\"moss\""), !told[1].0, stands)
        };
        assert_eq!(is_given().await, (true, true, true));
        assert!(world.hub.as_admin(&viewer).is_none());
        let admin = world.hub.as_admin(&root).unwrap();
        assert!(matches!(admin.skills().revoke("moss").await, Err(Error::Invalid(_))));
        for _ in 0..2 {
            admin.skills().revoke(&digest.to_uppercase()).await.unwrap();
        }
        assert_eq!(is_given().await, (false, false, false));
        assert_eq!(scoped.skills().get(&id).await.unwrap().skill.state, SkillState::Revoked);
        let news = scoped.notifications().list(None).await.unwrap();
        let told: Vec<_> = news.list.iter().filter(|one| one.kind == NotificationKind::Message).collect();
        assert_eq!(told.len(), 1, "once: {news:?}");
        assert!(told[0].title.contains("has the skill moss no more"), "{news:?}");
        let revoked = world.hub.for_viewer(&root).skills().list().await.unwrap().revoked.unwrap();
        assert_eq!((&revoked[0].digest, &*revoked[0].name), (&digest, "moss"));
        assert_eq!(scoped.skills().list().await.unwrap().revoked, None);

        let state = async || scoped.skills().get(&id).await.unwrap().skill.state;
        scoped.skills().write(&skill("moss", "", "Water it twice.")).await.unwrap();
        assert_eq!(state().await, SkillState::Revoked, "whatever waits beside it");
        scoped.skills().refuse(&id).await.unwrap();
        assert_eq!(state().await, SkillState::Revoked);

        // Nor does it come in once more, whichever way.
        scoped.skills().remove(&id).await.unwrap();
        let again = scoped.skills().write(&text).await.unwrap();
        let refused = scoped.skills().accept(&again, &digest, true).await;
        assert!(matches!(refused, Err(Error::Conflict(_))), "{refused:?}");
        admin.skills().restore(&digest).await.unwrap();
        assert!(matches!(admin.skills().restore(&digest).await, Err(Error::NotFound("skill"))));
        accept(&scoped, &again, true).await;
        choose(&scoped, &view.id, &again, SkillUse::Always).await;
        assert_eq!(is_given().await, (true, true, true));
        let audit = hub::AuditQuery { action: Some(AuditAction::SkillRevoked), ..hub::AuditQuery::default() };
        assert_eq!(admin.audit().read(None, &audit).await.unwrap().lines.len(), 1);
    })
    .await;
}
