//! One topic in the list.

use super::api::UnsubscribeTopic;
use crate::prelude::*;
use crate::ui::{ActionForm, FormAction, When};
use protocol::view::{TopicMessage, TopicSubscriber, TopicView};

#[component]
pub(super) fn TopicItem(topic: TopicView, unsubscribe: FormAction<UnsubscribeTopic>) -> impl IntoView {
    let TopicView { name, subscribers, messages } = topic;
    let (heading, labelled) = (format!("topic-{name}"), format!("topic-{name}"));
    let hears = match subscribers.is_empty() {
        true => view! { <p class="field-hint">"Nobody hears it now."</p> }.into_any(),
        false => {
            let of = name.clone();
            let one = move |one: TopicSubscriber| hearer(of.clone(), one, unsubscribe);
            view! { <ul class="topic-hearers">{subscribers.into_iter().map(one).collect_view()}</ul> }
                .into_any()
        }
    };
    let lately = (!messages.is_empty()).then(|| {
        let many = messages.len();
        let summary = plural!(many, "{many} message lately", "{many} messages lately");
        view! {
            <details class="topic-lately" open>
                <summary>{summary}</summary>
                <ol class="topic-messages" tabindex="0">{messages.into_iter().map(said).collect_view()}</ol>
            </details>
        }
    });
    view! {
        <li class="schedule" aria-labelledby=labelled>
            <div class="schedule-head"><h2 class="schedule-name" id=heading>{name}</h2></div>
            {hears}
            {lately}
        </li>
    }
}

fn hearer(topic: String, one: TopicSubscriber, unsubscribe: FormAction<UnsubscribeTopic>) -> impl IntoView {
    let TopicSubscriber { agent, name, condition } = one;
    let label = say!("End the subscription of {name} to {topic}");
    let when = condition.map(|condition| view! { " if " <code>{condition}</code> });
    view! {
        <li class="topic-hearer">
            <span><a href=format!("/agents/{agent}")>{name}</a> {when}</span>
            <ActionForm action=unsubscribe>
                <input type="hidden" name="agent" value=agent.0/>
                <input type="hidden" name="topic" value=topic/>
                <button type="submit" class="button" data-kind="quiet" aria-label=label>"End"</button>
            </ActionForm>
        </li>
    }
}

fn said(message: TopicMessage) -> impl IntoView {
    let TopicMessage { agent, name, text, untrusted, heard, at } = message;
    let from = match agent {
        Some(agent) => view! { <a href=format!("/agents/{agent}")>{name}</a> }.into_any(),
        None => view! { <span>{name}</span> }.into_any(),
    };
    let heard = plural!(heard, "{heard} agent was told", "{heard} agents were told");
    let tainted = untrusted.then(|| t(", it had read others' words"));
    view! {
        <li>
            <p class="schedule-message">{text}</p>
            <p class="field-hint">{from} ", " <When at/> ", " {heard} {tainted}</p>
        </li>
    }
}
