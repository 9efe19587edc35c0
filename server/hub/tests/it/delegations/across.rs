//! An agent that its person shares with somebody: whose agents ask it, what each side sees of that, who pays, and when
//! it ends.

use super::{TOOLS, answer, results, says, until};
use crate::approvals::add_rule;
use crate::runs::{agent, open, trace};
use crate::talk::{self, ada, ask, calls};
use crate::world::{Definition, Endpoint, World, each_store};
use hub::{Error, Scoped, SharedWith, Viewer};
use protocol::Micros;
use protocol::agent::{Home, ProviderKind};
use protocol::hub::Noun;
use protocol::log::{EntryBody, NoticeKind, Outcome, Sender};
use protocol::view::{
    AgentDraft, AgentShareView, AgentView, ChainBeginning, DelegationKind, DelegationState, DelegationView,
    MemoryDraft, Status,
};
use serde_json::{Value, json};
use sqlx::Row as _;
use std::collections::BTreeSet;

const FIVE_DOLLARS: Option<Micros> = Some(Micros(5_000_000));

/// Fern is ada's, and Moss, which may ask ada's agents without a question, is eve's.
struct Two {
    ada: Viewer,
    fern: AgentView,
    eve: Viewer,
    moss: AgentView,
}

impl Two {
    async fn of(world: &World, endpoint: &Endpoint) -> Self {
        let (ada, view) = ada(world, endpoint).await;
        let fern = called(&world.hub.for_viewer(&ada), &view, "Fern").await;
        let eve = world.person("eve").await;
        let view = agent(world, &eve, endpoint, ProviderKind::Anthropic, Home::Hub).await;
        let moss = called(&world.hub.for_viewer(&eve), &view, "Moss").await;
        add_rule(&world.hub, &eve, "allow", "agent_ask", "person:ada").await;
        Self { ada, fern, eve, moss }
    }

    /// With eve, for so much in a month.
    async fn share(&self, world: &World, per_month: Option<Micros>) -> AgentShareView {
        let scoped = world.hub.for_viewer(&self.ada);
        scoped.agent_shares().give(&self.fern.id, SharedWith::Person("eve"), per_month).await.unwrap();
        scoped.agent_shares().of(&self.fern.id).await.unwrap().remove(0)
    }

    /// What Moss is told when it asks Fern this.
    async fn asked(&self, world: &World, text: &str) -> Value {
        let scoped = world.hub.for_viewer(&self.eve);
        let call = [("agent_ask", asks("ada", "fern", text))];
        let (_, told) = calls(&scoped, &self.moss.id, &self.moss.conversation, &call).await.remove(0);
        serde_json::from_str(&told).unwrap_or(Value::String(told))
    }
}

async fn called(scoped: &Scoped<'_>, view: &AgentView, name: &str) -> AgentView {
    let draft = AgentDraft { name: name.to_owned(), ..Definition::like(view).tools(TOOLS).draft() };
    scoped.agents().edit(&view.id, draft).await.unwrap()
}

fn asks(person: &str, agent: &str, text: &str) -> Value {
    json!({ "person": person, "agents": [agent], "text": text, "wait_seconds": 20 })
}

fn call(person: &str, agent: &str, text: &str) -> Value {
    json!({ "tool": "agent_ask", "input": asks(person, agent, text) })
}

/// Tokens that nobody carries.
async fn uncarried(world: &World) -> i64 {
    let store = world.store().await;
    let count = sqlx::query("SELECT COUNT(*) FROM tokens WHERE carried = 0");
    let count = count.fetch_one(store.read()).await.unwrap().get(0);
    store.close().await;
    count
}

/// One that asks Fern twice, and waits for answers that do not come.
fn asks_for_long() -> String {
    let hangs = |words: &str| call("ada", "Fern", &says(json!([[{ "text": words }, "hang"]])));
    says(json!([[hangs("some words"), hangs("other words")], [{ "text": "Done." }]]))
}

fn is_at_work(all: &[DelegationView]) -> bool {
    let count = |state| all.iter().filter(|one| one.state == state).count();
    count(DelegationState::Running) == 1 && count(DelegationState::Queued) == 1
}

fn is_over(all: &[DelegationView]) -> bool {
    all.iter().all(|one| one.state == DelegationState::Stopped)
}

/// Waits until it is at work no more.
async fn idle(scoped: &Scoped<'_>, agent: &AgentView) {
    let is_idle = async || {
        let cards = scoped.agents().list().await.unwrap();
        cards.iter().any(|card| card.id == agent.id && card.status != Status::Running)
    };
    talk::until(is_idle).await;
}

async fn only(scoped: &Scoped<'_>) -> DelegationView {
    let mut all = scoped.delegations().list(None).await.unwrap();
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0)
}

#[tokio::test]
async fn who_asks_an_agent_of_somebody_else_hears_its_answer_and_its_person_pays_and_sees_who_asked() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let two = Two::of(&world, &endpoint).await;
        let (adas, eves) = (world.hub.for_viewer(&two.ada), world.hub.for_viewer(&two.eve));
        let ben = world.person("ben").await;
        two.share(&world, FIVE_DOLLARS).await;
        let listed = [("agent_list", json!({}))];
        let (_, listed) = calls(&eves, &two.moss.id, &two.moss.conversation, &listed).await.remove(0);
        let listed: Value = serde_json::from_str(&listed).unwrap();
        let known = &listed["agents"][0];
        assert_eq!((&known["name"], &known["person"]), (&json!("Fern"), &json!("ada")), "{listed}");
        assert_eq!(known["by"], "others", "its name is a stranger's word");

        let people = [&two.ada, &two.eve, &ben];
        let mut pages = people.map(|person| open(&world, person, "page"));
        let told = two.asked(&world, "What is green?").await;
        let heard = &told["results"][0];
        assert_eq!(
            (&heard["state"], &heard["name"], &heard["text"], &heard["by"]),
            (&json!("completed"), &json!("Fern (ada)"), &json!("You said: What is green?"), &json!("others"))
        );
        for (page, person) in pages.iter_mut().zip(people) {
            let draft = MemoryDraft { text: "Likes ferns.".to_owned(), ..MemoryDraft::default() };
            world.hub.for_viewer(person).memories().create(&draft).await.unwrap();
            let nouns = trace::nouns_until(page, Noun::Memories).await;
            let is_told = nouns == BTreeSet::from([Noun::Agents, Noun::Delegations, Noun::Memories]);
            assert_eq!(is_told, person.me.id != ben.me.id, "{nouns:?}");
        }
        for theirs in [&two.fern.id.0, &two.fern.conversation.0] {
            assert!(!told.to_string().contains(theirs.as_str()), "{told}");
        }
        let asked = only(&eves).await;
        assert_eq!((asked.kind, asked.state), (DelegationKind::Shared, DelegationState::Completed));
        assert_eq!((&asked.agent, &asked.conversation), (&two.moss.id, &two.moss.conversation));
        assert_eq!((asked.name.as_str(), asked.cost, asked.for_others), ("Fern (ada)", Micros(0), false));

        let seen = only(&adas).await;
        assert_eq!((seen.id.clone(), seen.for_others), (asked.id, true));
        assert_eq!((seen.asker_name.as_str(), seen.name.as_str()), ("Moss (eve)", "Fern"));
        assert_eq!((&seen.asker, &seen.agent), (&two.fern.id, &two.fern.id));
        assert_ne!(seen.conversation, two.fern.conversation, "it is one of its own");
        let share = adas.agent_shares().of(&two.fern.id).await.unwrap().remove(0);
        let spent = adas.ledger().agent_budget(&two.fern.id).await.unwrap().spent.month;
        assert!(spent > Micros(0));
        assert_eq!((share.spent, seen.cost), (spent, spent));
        let log = adas.conversations().entries(&two.fern.id, 0).await.unwrap();
        let is_a_strangers = |body: &EntryBody| {
            let EntryBody::Message { from: Sender::Agent { name, untrusted, .. }, .. } = body else {
                return false;
            };
            name == "Moss (eve)" && *untrusted
        };
        assert!(log.iter().any(|entry| is_a_strangers(&entry.body)));
        assert_eq!(adas.account().tokens().await.unwrap(), [], "nobody carries what it is counted for");

        // They talk on, and nothing else is open.
        two.asked(&world, "And now?").await;
        let both = adas.delegations().list(Some(&two.fern.id)).await.unwrap();
        assert_eq!((both.len(), &both[0].conversation), (2, &both[1].conversation));
        assert!(matches!(eves.conversations().entries(&two.fern.id, 0).await, Err(Error::NotFound(_))));
        assert_eq!(world.hub.for_viewer(&ben).agent_shares().askable().await.unwrap(), []);
        assert_eq!(adas.agent_shares().askable().await.unwrap(), []);
    })
    .await;
}

#[tokio::test]
async fn questions_of_others_cost_what_their_share_says_and_no_more() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let two = Two::of(&world, &endpoint).await;
        let adas = world.hub.for_viewer(&two.ada);
        for none in [None, Some(Micros(0))] {
            let refused = adas.agent_shares().give(&two.fern.id, SharedWith::Person("eve"), none).await;
            assert!(matches!(refused, Err(Error::Invalid(_))));
        }
        two.share(&world, Some(Micros(1))).await;
        let told = two.asked(&world, "What is green?").await;
        let heard = &told["results"][0];
        assert_eq!(heard["state"], "over_budget", "{told}");
        assert_eq!(heard["why"], "What its person lets questions of others cost is used up.");
        let share = adas.agent_shares().of(&two.fern.id).await.unwrap().remove(0);
        assert_eq!(share.spent, Micros(0));
        let log = adas.conversations().entries(&two.fern.id, 0).await.unwrap();
        let is_given_up =
            |body: &EntryBody| matches!(body, EntryBody::Notice { kind: NoticeKind::GivenUp, .. });
        assert!(log.iter().any(|entry| is_given_up(&entry.body)), "it does not wait for more money");
        // Ada's own questions are under no such limit.
        assert_eq!(ask(&adas, &two.fern.id, &two.fern.conversation, "Hi").await, "You said: Hi");
        let raised = two.share(&world, FIVE_DOLLARS).await;
        assert_eq!((raised.id, raised.per_month), (share.id, Micros(5_000_000)), "it is the same one");
        let told = two.asked(&world, "And moss?").await;
        assert_eq!(told["results"][0]["state"], "completed", "{told}");
    })
    .await;
}

#[tokio::test]
async fn what_was_asked_ends_when_it_is_taken_back_and_when_its_asker_stops() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let two = Two::of(&world, &endpoint).await;
        let (adas, eves) = (world.hub.for_viewer(&two.ada), world.hub.for_viewer(&two.eve));
        let share = two.share(&world, FIVE_DOLLARS).await;
        eves.runs().send_message(&two.moss.id, &asks_for_long(), None, None).await.unwrap();
        until(&eves, is_at_work).await;
        let other = adas.agent_shares().end(&"none".into()).await;
        assert!(matches!(other, Err(Error::NotFound(_))));
        assert!(
            matches!(eves.agent_shares().end(&share.id).await, Err(Error::NotFound(_))),
            "it is not hers"
        );
        adas.agent_shares().end(&share.id).await.unwrap();
        until(&eves, is_over).await;
        until(&adas, is_over).await;
        assert_eq!(adas.agent_shares().of(&two.fern.id).await.unwrap(), []);
        idle(&eves, &two.moss).await;
        let told = two.asked(&world, "Hi").await.to_string();
        assert!(told.contains("There is no agent fern of ada that you may ask."), "{told}");

        two.share(&world, FIVE_DOLLARS).await;
        eves.runs().send_message(&two.moss.id, &asks_for_long(), None, None).await.unwrap();
        until(&eves, |all| is_at_work(&all[2..])).await;
        eves.runs().stop(&two.moss.id).await.unwrap();
        until(&eves, is_over).await;
        idle(&adas, &two.fern).await;
        assert_eq!(ask(&adas, &two.fern.id, &two.fern.conversation, "Hi").await, "You said: Hi");
    })
    .await;
}

#[tokio::test]
async fn what_was_asked_of_an_agent_ends_with_it_and_so_does_what_was_counted_for_it() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let two = Two::of(&world, &endpoint).await;
        let (adas, eves) = (world.hub.for_viewer(&two.ada), world.hub.for_viewer(&two.eve));
        two.share(&world, FIVE_DOLLARS).await;
        eves.runs().send_message(&two.moss.id, &asks_for_long(), None, None).await.unwrap();
        until(&eves, is_at_work).await;
        adas.agents().delete(&two.fern.id).await.unwrap();
        until(&eves, is_over).await;
        assert_eq!(uncarried(&world).await, 0);
        idle(&eves, &two.moss).await;
    })
    .await;
}

#[tokio::test]
async fn pages_of_who_asked_are_told_what_ended_with_the_agent_that_was_asked() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let two = Two::of(&world, &endpoint).await;
        let (adas, eves) = (world.hub.for_viewer(&two.ada), world.hub.for_viewer(&two.eve));
        two.share(&world, FIVE_DOLLARS).await;
        two.asked(&world, "What is green?").await;
        // Its run is over, and the hub died before it noted that.
        world.execute("UPDATE delegations SET state = 'running', finished_at = NULL").await;
        let mut page = open(&world, &two.eve, "page");
        adas.agents().delete(&two.fern.id).await.unwrap();
        let draft = MemoryDraft { text: "Likes ferns.".to_owned(), ..MemoryDraft::default() };
        eves.memories().create(&draft).await.unwrap();
        let nouns = trace::nouns_until(&mut page, Noun::Memories).await;
        assert!(nouns.contains(&Noun::Delegations), "{nouns:?}");
        assert_eq!(only(&eves).await.state, DelegationState::Stopped);
    })
    .await;
}

#[tokio::test]
async fn what_an_agent_asked_ends_when_it_is_deleted_though_its_own_run_is_over_and_says_why() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let two = Two::of(&world, &endpoint).await;
        let (adas, eves) = (world.hub.for_viewer(&two.ada), world.hub.for_viewer(&two.eve));
        let lichen = AgentDraft { name: "Lichen".to_owned(), ..Definition::like(&two.moss).draft() };
        let lichen = eves.agents().create(lichen).await.unwrap();
        two.share(&world, FIVE_DOLLARS).await;
        let hangs = says(json!([[{ "text": "some words" }, "hang"]]));
        let shared = json!({ "person": "ada", "agents": ["Fern"], "text": hangs });
        let own = json!({ "agents": ["Lichen"], "text": hangs });
        let both = json!([{ "tool": "agent_ask", "input": shared }, { "tool": "agent_ask", "input": own }]);
        let said = says(json!([both, [{ "text": "They are at work." }]]));
        assert_eq!(ask(&eves, &two.moss.id, &two.moss.conversation, &said).await, "They are at work.");
        until(&eves, |all| all.len() == 2 && all.iter().all(|one| one.state == DelegationState::Running))
            .await;
        eves.agents().delete(&two.moss.id).await.unwrap();
        for (scoped, agent) in [(&adas, &two.fern), (&eves, &lichen)] {
            idle(scoped, agent).await;
            let log = scoped.conversations().entries(&agent.id, 0).await.unwrap();
            let [.., end, why] = log.as_slice() else { panic!("{log:?}") };
            assert!(matches!(end.body, EntryBody::RunFinished { outcome: Outcome::Stopped, .. }), "{log:?}");
            let EntryBody::Notice { kind: NoticeKind::GivenUp, text, .. } = &why.body else {
                panic!("{log:?}")
            };
            assert_eq!(text, "The agent that asked for this was deleted, so nobody waits for it any more.");
            assert_eq!(ask(scoped, &agent.id, &agent.conversation, "Hi").await, "You said: Hi");
        }
    })
    .await;
}

#[tokio::test]
async fn the_end_of_a_chain_ends_what_somebody_else_s_agent_does_in_it() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let two = Two::of(&world, &endpoint).await;
        let (adas, eves) = (world.hub.for_viewer(&two.ada), world.hub.for_viewer(&two.eve));
        two.share(&world, FIVE_DOLLARS).await;
        let hangs = says(json!([[{ "text": "some words" }, "hang"]]));
        let asks = json!({ "person": "ada", "agents": ["Fern"], "text": hangs });
        let said = says(json!([[{ "tool": "agent_ask", "input": asks }], [{ "text": "It is at work." }]]));
        assert_eq!(ask(&eves, &two.moss.id, &two.moss.conversation, &said).await, "It is at work.");
        let running = until(&eves, |all| all[0].state == DelegationState::Running).await;
        let refused = adas.delegations().stop_chain(&running[0].id).await;
        assert!(matches!(refused, Err(Error::NotFound(_))), "the chain is eve's");
        eves.delegations().stop_chain(&running[0].id).await.unwrap();
        until(&adas, is_over).await;
        idle(&adas, &two.fern).await;
    })
    .await;
}

#[tokio::test]
async fn what_began_with_an_agent_of_somebody_else_does_not_say_its_name() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let two = Two::of(&world, &endpoint).await;
        let adas = world.hub.for_viewer(&two.ada);
        two.share(&world, FIVE_DOLLARS).await;
        let spawn = json!({ "tool": "agent_spawn", "input": { "label": "Lichen", "task": "Hi", "wait_seconds": 20 } });
        two.asked(&world, &says(json!([[spawn], answer()]))).await;
        let all = adas.delegations().list(None).await.unwrap();
        let below = all.iter().find(|one| one.kind == DelegationKind::SubAgent).unwrap();
        assert_eq!((below.begun_by, below.begun_with.as_str()), (ChainBeginning::Unknown, ""));
    })
    .await;
}

#[tokio::test]
async fn agents_of_two_people_do_not_ask_each_other_in_a_circle() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let two = Two::of(&world, &endpoint).await;
        let (adas, eves) = (world.hub.for_viewer(&two.ada), world.hub.for_viewer(&two.eve));
        two.share(&world, FIVE_DOLLARS).await;
        eves.agent_shares().give(&two.moss.id, SharedWith::Person("ada"), FIVE_DOLLARS).await.unwrap();
        add_rule(&world.hub, &two.ada, "allow", "agent_ask", "person:eve").await;
        let back = says(json!([[call("eve", "Moss", "What is green?")], answer()]));
        two.asked(&world, &back).await;
        let log = adas.conversations().entries(&two.fern.id, 0).await.unwrap();
        let (is_error, why) = results(&log).remove(0);
        assert!(is_error && why.contains("Moss waits for what you are asked here."), "{why}");
        assert_eq!(eves.delegations().list(None).await.unwrap().len(), 1, "nobody asked back");
    })
    .await;
}

#[tokio::test]
async fn an_agent_is_shared_with_a_group_as_long_as_somebody_is_in_it() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let root = world.admin("root").await;
        let two = Two::of(&world, &endpoint).await;
        let groups = world.hub.as_admin(&root).unwrap();
        let (ada, eve) = (two.ada.me.id.clone(), two.eve.me.id.clone());
        let group = groups.groups().save(None, "Garden", std::slice::from_ref(&eve)).await.unwrap();
        let adas = world.hub.for_viewer(&two.ada);
        let give = || adas.agent_shares().give(&two.fern.id, SharedWith::Group("garden"), FIVE_DOLLARS);
        assert!(matches!(give().await, Err(Error::Invalid(_))), "she is not in it");
        groups.groups().save(Some(&group), "Garden", &[ada.clone(), eve]).await.unwrap();
        give().await.unwrap();
        let share = adas.agent_shares().of(&two.fern.id).await.unwrap().remove(0);
        assert_eq!((share.with.as_str(), share.is_group), ("Garden", true));
        assert_eq!(two.asked(&world, "Hi").await["results"][0]["state"], "completed");

        let hangs = |number: usize| says(json!([[{ "text": format!("{number} words") }, "hang"]]));
        let asks: Vec<(&str, Value)> = (0..6)
            .map(|number| json!({ "person": "ada", "agents": ["fern"], "text": hangs(number) }))
            .map(|input| ("agent_ask", input))
            .collect();
        let scoped = world.hub.for_viewer(&two.eve);
        let answers = calls(&scoped, &two.moss.id, &two.moss.conversation, &asks).await;
        let refused: Vec<bool> = answers.iter().map(|(is_error, _)| *is_error).collect();
        assert_eq!(refused, [false, false, false, false, false, true], "{answers:?}");
        assert!(answers[5].1.contains("others of the group"), "{answers:?}");
        let all = scoped.delegations().list(None).await.unwrap();
        let open = all.iter().find(|one| !one.state.is_over()).unwrap();
        scoped.delegations().stop_chain(&open.id).await.unwrap();
        until(&scoped, |all| all.iter().all(|one| one.state.is_over())).await;
        idle(&adas, &two.fern).await;

        groups.groups().save(Some(&group), "Garden", &[ada]).await.unwrap();
        let told = two.asked(&world, "Hi").await.to_string();
        assert!(told.contains("There is no agent fern of ada that you may ask."), "{told}");

        two.share(&world, FIVE_DOLLARS).await;
        assert_eq!(uncarried(&world).await, 2, "what each costs is counted");
        groups.groups().delete(&group).await.unwrap();
        assert_eq!(uncarried(&world).await, 1);
        groups.people().remove(&two.eve.me.id, &two.eve.me.name).await.unwrap();
        assert_eq!(uncarried(&world).await, 0);
    })
    .await;
}
