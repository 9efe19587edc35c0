//! The forms of the page of topics.

use super::api::{PublishTopic, SubscribeTopic};
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, Field, FormAction, FormEnd, TextArea, hint_id};

#[component]
pub(super) fn PublishForm(publish: FormAction<PublishTopic>) -> impl IntoView {
    view! {
        <ActionFailure value=publish.value()/>
        <ActionForm action=publish attr:class="form" attr:autocomplete="off">
            <TopicField id="publish-topic"/>
            <Field id="publish-text" label="Text" hint="Every agent that hears the topic is told this by you, and wakes.">
                <TextArea
                    text=String::new()
                    attr:class="input"
                    attr:id="publish-text"
                    attr:name="text"
                    attr:rows="3"
                    attr:required=true
                    attr:maxlength="8000"
                    attr:aria-describedby=hint_id("publish-text")
                />
            </Field>
            <FormEnd words="Publish"/>
        </ActionForm>
    }
}

#[component]
pub(super) fn SubscribeForm(
    agents: Vec<(String, String)>,
    subscribe: FormAction<SubscribeTopic>,
) -> impl IntoView {
    let options =
        agents.into_iter().map(|(id, name)| view! { <option value=id>{name}</option> }).collect_view();
    view! {
        <ActionFailure value=subscribe.value()/>
        <ActionForm action=subscribe attr:class="form" attr:autocomplete="off">
            <Field id="subscribe-agent" label="Agent">
                <select class="input" id="subscribe-agent" name="agent" required>{options}</select>
            </Field>
            <TopicField id="subscribe-topic"/>
            <Field
                id="subscribe-condition"
                label="Only if"
                hint=view! { "Empty: everything. Or a condition like those of rules, for example " <code>{".temperature > 30"}</code> " or " <code>{"changed"}</code> "." }.into_any()
            >
                <input
                    class="input input-code"
                    id="subscribe-condition"
                    name="condition"
                    maxlength="500"
                    autocapitalize="none"
                    spellcheck="false"
                    aria-describedby=hint_id("subscribe-condition")
                />
            </Field>
            <FormEnd words="Subscribe"/>
        </ActionForm>
    }
}

#[component]
fn TopicField(id: &'static str) -> impl IntoView {
    view! {
        <Field id=id label="Topic" hint="Small letters, digits and . _ / - between them.">
            <input
                class="input input-code"
                id=id
                name="topic"
                required
                maxlength="60"
                autocapitalize="none"
                spellcheck="false"
                aria-describedby=hint_id(id)
            />
        </Field>
    }
}
