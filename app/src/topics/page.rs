//! The page with all topics, as agents use them.

use super::api::{PublishTopic, SubscribeTopic, UnsubscribeTopic, list_topics};
use super::form::{PublishForm, SubscribeForm};
use super::topic::TopicItem;
use crate::AppError;
use crate::agents::api::list_agents;
use crate::browser::{follow_nouns, reading_anew};
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::me;
use crate::together::together;
use crate::ui::{ActionFailure, Done, FormAction, NoAgents, Section, kept, rows};
use leptos_meta::Title;
use protocol::hub::Noun;
use protocol::view::{AgentCard, Me, TopicView};
use serde::{Deserialize, Serialize};

#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    agents: Vec<AgentCard>,
    topics: Vec<TopicView>,
}

/// What can be done here.
#[derive(Clone, Copy)]
struct Ways {
    publish: FormAction<PublishTopic>,
    subscribe: FormAction<SubscribeTopic>,
    unsubscribe: FormAction<UnsubscribeTopic>,
}

#[component]
pub fn TopicsPage() -> impl IntoView {
    let ways = Ways {
        publish: FormAction::<PublishTopic>::new(),
        subscribe: FormAction::<SubscribeTopic>::new(),
        unsubscribe: FormAction::<UnsubscribeTopic>::new(),
    };
    let done = move || {
        (ways.publish.version().get(), ways.subscribe.version().get(), ways.unsubscribe.version().get())
    };
    let known = PageResource::new(done, |_| load());
    view! {
        <Title text="Topics"/>
        <Loaded resource=known view=move |known| view! { <Sections known ways/> }/>
    }
}

#[component]
fn Sections(known: PageData, ways: Ways) -> impl IntoView {
    let PageData { me, agents, topics } = known;
    let topics = RwSignal::new(topics);
    let read = || async { list_topics().await.ok() };
    let again = reading_anew(read, move |fresh| {
        topics.try_set(fresh);
    });
    follow_nouns(&[Noun::Topics], again);
    let is_empty = move || topics.with(Vec::is_empty);
    let item = move |topic| view! { <TopicItem topic unsubscribe=ways.unsubscribe/> };
    let listed = rows(move || topics.get(), |topic: &TopicView| topic.name.clone(), item);
    let agents: Vec<(String, String)> = agents.into_iter().map(|card| (card.id.0, card.name)).collect();
    let has_agents = !agents.is_empty();
    let forms = match has_agents {
        true => view! {
            <Section id="publish" title="Publish">
                {kept((), move |()| view! { <PublishForm publish=ways.publish/> })}
            </Section>
            <Section id="subscribe" title="Let an agent hear a topic">
                {kept(agents, move |agents| view! { <SubscribeForm agents subscribe=ways.subscribe/> })}
            </Section>
        }
        .into_any(),
        false => view! { <NoAgents words="Once you have one, it can publish what it finds, and hear what others publish."/> }
            .into_any(),
    };
    view! {
        <Shell me>
            <div class="settings">
                <header class="section-head">
                    <h1>"Topics"</h1>
                    <p>"What your agents publish, and which of them hear it. An agent with the tools for working with other agents publishes and subscribes by itself; you can do both here."</p>
                </header>
                <Done what="published" words="It is published: everyone who hears the topic is told."/>
                <ActionFailure value=ways.unsubscribe.value()/>
                <Show when=move || has_agents && is_empty()>
                    <p class="empty" data-size="small">"No topic yet. Subscribe an agent to one below, or let an agent do it."</p>
                </Show>
                <ul class="schedules" aria-live="polite">
                    {listed}
                </ul>
                {forms}
            </div>
        </Shell>
    }
}

async fn load() -> Result<PageData, AppError> {
    let (me, agents, topics) = together!(me(), list_agents(), list_topics());
    Ok(PageData { me, agents, topics })
}
