//! Runs at home in a browser that wait for a person, whose browser goes away.

use super::{add_rule, answer, results, set, turns};
use crate::runs::driven::Browser;
use crate::runs::page::Page;
use crate::runs::{agent, open, trace};
use crate::world::{Endpoint, World, each_store};
use protocol::agent::{Home, ProviderKind};
use protocol::approval::Decision;
use protocol::log::{Entry, EntryBody, Outcome};
use serde_json::json;

#[tokio::test]
async fn a_run_at_home_in_a_browser_goes_on_in_whichever_page_is_open() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        for (person, restarts) in [("ada", false), ("bo", true)] {
            let viewer = world.person(person).await;
            let agent = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Browser).await.id;
            add_rule(&world.hub, &viewer, "ask", "state", "").await;
            let mut laptop = Browser::new(open(&world, &viewer, "laptop"), Page::default());
            laptop.show(&agent).await;
            let scoped = world.hub.for_viewer(&viewer);
            scoped
                .runs()
                .send_message(&agent, &turns(&[set("a", 1)]), None, Some(&"laptop".into()))
                .await
                .unwrap();
            let approval = loop {
                if let Some(entry) = laptop.step().await
                    && let EntryBody::ApprovalAsked { approval } = entry.body
                {
                    break approval;
                }
            };
            let hub = if restarts { world.reopened().await } else { world.hub.clone() };
            laptop.tab.leave();
            let tab = hub.open_tab(viewer.clone(), "phone".into()).unwrap();
            let mut phone = Browser::new(tab, Page::default());
            phone.show(&agent).await;
            answer(&hub, &viewer, &approval, Decision::Once).await.unwrap();
            let entries = phone.until_finished().await;
            let ended = EntryBody::finished(Outcome::Completed);
            assert!(entries.iter().any(|entry| entry.body == ended), "{}", trace::trace(&entries));
            let starts = |entry: &&Entry| matches!(entry.body, EntryBody::RunStarted { .. });
            assert_eq!(entries.iter().filter(starts).count(), 1, "it is the same run");
            assert_eq!(results(&entries), [(json!({ "ok": true }).to_string(), false)]);
        }
    })
    .await;
}

#[tokio::test]
async fn whoever_answers_elsewhere_does_not_wait_for_a_tab_that_lost_its_connection() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let agent = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Browser).await.id;
        add_rule(&world.hub, &viewer, "ask", "state", "").await;
        let mut laptop = Browser::new(open(&world, &viewer, "laptop"), Page::default());
        laptop.show(&agent).await;
        let scoped = world.hub.for_viewer(&viewer);
        let said = turns(&[set("a", 1)]);
        scoped.runs().send_message(&agent, &said, None, Some(&"laptop".into())).await.unwrap();
        let approval = loop {
            if let Some(entry) = laptop.step().await
                && let EntryBody::ApprovalAsked { approval } = entry.body
            {
                break approval;
            }
        };
        drop(laptop);
        let mut phone = Browser::new(open(&world, &viewer, "phone"), Page::default());
        phone.show(&agent).await;
        answer(&world.hub, &viewer, &approval, Decision::Once).await.unwrap();
        let entries = phone.until_finished().await;
        assert!(entries.iter().any(|entry| entry.body == EntryBody::finished(Outcome::Completed)));
        assert_eq!(results(&entries), [(json!({ "ok": true }).to_string(), false)]);
    })
    .await;
}
