//! What agent and page keep together, as their person sees and changes it.

use crate::talk::{ada, calls};
use crate::world::{Definition, Endpoint, World, each_store};
use hub::Error;
use protocol::TabId;
use protocol::view::{StateOrigin, StateValue};
use serde_json::{Value, json};

fn keys(values: &[StateValue]) -> Vec<&str> {
    values.iter().map(|value| value.key.as_str()).collect()
}

#[tokio::test]
async fn each_value_says_who_set_it_last_and_its_person_deletes_it_and_brings_it_back() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, agent) = ada(&world, &endpoint).await;
        let (scoped, eve) = (world.hub.for_viewer(&viewer), world.person("eve").await);
        Definition::like(&agent).tools(["state"]).replace(&scoped, &agent.id).await;
        let talk = scoped.conversations().create(&agent.id).await.unwrap().id;
        let set = |key: &str, value: Value| ("state", json!({ "action": "set", "key": key, "value": value }));
        calls(&scoped, &agent.id, &talk, &[set("beds", json!([3])), set("count", json!(1))]).await;
        let tab = world.hub.open_tab(viewer.clone(), TabId::from("t")).unwrap();
        tab.set_state(&agent.id, "count".to_owned(), json!(2)).await.unwrap();

        let states = scoped.states();
        let values = states.values(&agent.id).await.unwrap();
        let [beds, count] = values.as_slice() else { panic!("{values:?}") };
        let place = beds.conversation.as_ref().map(|place| (&place.id, &place.agent));
        assert_eq!(
            (beds.key.as_str(), &beds.value, beds.origin),
            ("beds", &json!([3]), Some(StateOrigin::Run))
        );
        assert_eq!((place, beds.at.is_some()), (Some((&talk, &agent.id)), true));
        assert_eq!((count.key.as_str(), &count.value), ("count", &json!(2)));
        let by_page = (count.origin, &count.conversation, count.at.is_some());
        assert_eq!(by_page, (Some(StateOrigin::Page), &None, true));

        let copy = scoped.copies().make(&agent.id).await.unwrap().id;
        let copied = states.values(&copy).await.unwrap();
        assert!(copied.iter().all(|value| value.origin.is_none() && value.at.is_none()), "{copied:?}");

        let set = async |key: &str, json: &str| states.set_by_person(&agent.id, key.to_owned(), json).await;
        let before = set("beds", "").await.unwrap().expect("something stood there");
        assert_eq!(&before, beds);
        assert_eq!(keys(&states.values(&agent.id).await.unwrap()), ["count"]);
        assert_eq!(set("beds", &before.value.to_string()).await.unwrap(), None);
        let back = states.values(&agent.id).await.unwrap();
        assert_eq!(keys(&back), ["beds", "count"]);
        assert_eq!((&back[0].value, back[0].origin), (&json!([3]), Some(StateOrigin::Page)));

        let refused = set("beds", "[3").await;
        assert!(matches!(refused, Err(Error::Invalid(_))), "{refused:?}");
        let foreign = world.hub.for_viewer(&eve).states();
        assert!(matches!(foreign.values(&agent.id).await, Err(Error::NotFound("agent"))));
        let refused = foreign.set_by_person(&agent.id, "beds".to_owned(), "").await;
        assert!(matches!(refused, Err(Error::NotFound("agent"))), "{refused:?}");
        assert_eq!(keys(&states.values(&agent.id).await.unwrap()), ["beds", "count"]);
    })
    .await;
}

#[tokio::test]
async fn what_was_set_in_a_conversation_that_is_deleted_leads_nowhere() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        Definition::like(&agent).tools(["state"]).replace(&scoped, &agent.id).await;
        let talk = scoped.conversations().create(&agent.id).await.unwrap().id;
        let set = json!({ "action": "set", "key": "beds", "value": 3 });
        calls(&scoped, &agent.id, &talk, &[("state", set)]).await;
        scoped.conversations().delete(&talk).await.unwrap();
        let values = scoped.states().values(&agent.id).await.unwrap();
        let [beds] = values.as_slice() else { panic!("{values:?}") };
        assert_eq!((beds.origin, &beds.conversation), (Some(StateOrigin::Run), &None));
    })
    .await;
}
