//! The days of the usage page, split by what they were spent on.

use super::spend;
use crate::world::{World, each_store};
use protocol::agent::ProviderKind;
use protocol::view::{PartOfUsage, Share, UsageBy, UsagePart, UsageView};
use protocol::{Micros, ProviderId};

/// What it was spent on, and how much.
fn told(parts: &[UsagePart]) -> Vec<(String, i64)> {
    let name = |of: &PartOfUsage| match of {
        PartOfUsage::Named { name } => name.clone(),
        PartOfUsage::Programs => "programs".to_owned(),
        PartOfUsage::Kind { kind } => format!("{kind:?}"),
        PartOfUsage::Others { count } => format!("{count} others"),
    };
    parts.iter().map(|part| (name(&part.of), part.cost.0)).collect()
}

/// Holds that the parts of each day are the whole day.
fn add_up(usage: &UsageView) {
    for (place, day) in usage.days.iter().enumerate() {
        let parts = usage.parts.iter().map(|part| part.days[place].0).sum();
        assert_eq!(Micros(parts), day.cost, "{}", day.day);
    }
    assert!(
        usage
            .parts
            .windows(2)
            .all(|pair| { pair[0].cost >= pair[1].cost || matches!(pair[1].of, PartOfUsage::Others { .. }) })
    );
}

#[tokio::test]
async fn the_parts_of_each_day_are_what_it_cost_and_name_only_what_the_reader_may_know() {
    each_store(async |world: World| {
        let (root, ada) = (world.admin("root").await, world.person("ada").await);
        let (roots, adas) = (world.hub.for_viewer(&root), world.hub.for_viewer(&ada));
        let save = async |scoped: &hub::Scoped<'_>, name: &str| {
            let url = Some("http://127.0.0.1:1");
            scoped.providers().save(None, name, ProviderKind::OpenAi, url, None).await.unwrap().id
        };
        let (ours, mine) = (save(&roots, "Ours").await, save(&adas, "The diary of Ada").await);
        let admin = world.hub.as_admin(&root).unwrap();
        admin.providers().put(&ours, &Share { everyone: true, ..Share::default() }).await.unwrap();
        spend(&world, &ada, &ours, 100).await;
        spend(&world, &ada, &mine, 500).await;
        spend(&world, &root, &ours, 30).await;
        // An agent each.
        for cost in 1..=7 {
            spend(&world, &ada, &mine, cost).await;
        }
        spend(&world, &ada, &ProviderId::from(""), 0).await;

        let named = |name: &str, cost: i64| (name.to_owned(), cost);
        for (by, own, all) in [
            (UsageBy::Model, vec![named("m", 628)], vec![named("m", 658)]),
            (UsageBy::Kind, vec![named("Reply", 628)], vec![named("Reply", 658)]),
            (
                UsageBy::Provider,
                vec![named("The diary of Ada", 528), named("Ours", 100)],
                vec![named("", 528), named("Ours", 130)],
            ),
            (
                UsageBy::Agent,
                vec![
                    named("", 500),
                    named("", 100),
                    named("", 7),
                    named("", 6),
                    named("", 5),
                    named("4 others", 10),
                ],
                vec![named("ada", 628), named("root", 30)],
            ),
        ] {
            let own_usage = adas.ledger().usage_by(Some(by)).await.unwrap();
            let all_usage = admin.ledger().usage_by(Some(by)).await.unwrap();
            assert_eq!(told(&own_usage.parts), own, "{by:?}");
            assert_eq!(told(&all_usage.parts), all, "{by:?}");
            add_up(&own_usage);
            add_up(&all_usage);
        }
        assert_eq!(adas.ledger().usage().await.unwrap().parts, []);
    })
    .await;
}
