//! Sources, each with what is told of it now and what turns it on and off.

use super::api::{TurnOffSource, TurnOnSource};
use super::place::FindPlace;
use super::words::{nothing_words, source_name, source_words};
use crate::browser::clock;
use crate::prelude::*;
use crate::ui::{ActionForm, Field, FormAction, FormEnd, Section, hint_id, kept_each};
use protocol::ContextSource;
use protocol::view::ContextSourceView;
use std::collections::BTreeMap;

/// What is told of each source now.
pub(super) type ToldNow = RwSignal<BTreeMap<ContextSource, String>>;

#[derive(Clone, Copy)]
pub(super) struct Turning {
    pub(super) on: FormAction<TurnOnSource>,
    pub(super) off: FormAction<TurnOffSource>,
    pub(super) told: ToldNow,
    /// Draws the page anew.
    pub(super) again: Callback<()>,
}

#[component]
pub(super) fn Sources(sources: Vec<ContextSourceView>, turning: Turning) -> impl IntoView {
    let rows = kept_each(sources, move |source| view! { <Row source turning/> });
    view! {
        <Section
            id="sources"
            title="Sources"
            lead="What is on is told to every agent that sees your context, with your next message to it, and only when it changed."
        >
            <ul class="memories">{rows}</ul>
        </Section>
    }
}

#[component]
fn Row(source: ContextSourceView, turning: Turning) -> impl IntoView {
    let ContextSourceView { source, on, entered, problem, .. } = source;
    let (name, about) = source_words(source);
    let told = move || {
        let text = turning.told.with(|told| told.get(&source).cloned()).unwrap_or_default();
        match text.is_empty() {
            true => view! { <p class="field-hint">{nothing_words(source)}</p> }.into_any(),
            false => view! { <p class="context-now">{text}</p> }.into_any(),
        }
    };
    let from = (source == ContextSource::Calendar && on).then(|| {
        view! { <p class="memory-meta">{say!("From {entered}.")}</p> }
    });
    let problem = (!problem.is_empty()).then(|| view! { <p class="field-hint" role="status">{problem}</p> });
    let is_on = if on {
        view! { <span class="chip" data-kind="here">"On"</span> }.into_any()
    } else {
        view! { <span class="chip">"Off"</span> }.into_any()
    };
    view! {
        <li class="memory" aria-label=name>
            <div>
                <p class="memory-text">{name} " " {is_on}</p>
                <p class="memory-meta">{about}</p>
                {from}
                {problem}
                {on.then_some(told)}
            </div>
            <Form source on entered turning/>
            <Buttons source on turning/>
        </li>
    }
}

/// For what has to be entered.
#[component]
fn Form(source: ContextSource, on: bool, entered: String, turning: Turning) -> impl IntoView {
    let (name, _) = source_words(source);
    let id = format!("{}-entered", source_name(source));
    let words = t(if on { "Change" } else { "Turn on" });
    let field = match source {
        ContextSource::Time => view! { <Zone id zone=entered/> }.into_any(),
        ContextSource::Place => view! {
            <Field id=id.clone() label="Where you are" hint="As your agents are to read it: a town is enough for most.">
                <input class="input" id=id.clone() name="entered" value=entered maxlength="200" required autocomplete="off" aria-describedby=hint_id(&id)/>
            </Field>
        }
        .into_any(),
        ContextSource::Calendar => {
            // What was entered of an address is not told back.
            let file = Some(entered).filter(|entered| entered.starts_with('/')).unwrap_or_default();
            view! {
                <Field id=id.clone() label="Address or file" hint="The address by which other programs subscribe to it, often ending in .ics, or a file as /workspace/path.">
                    <input class="input" id=id.clone() name="entered" value=file maxlength="2048" required autocomplete="off" autocapitalize="none" spellcheck="false" placeholder={"https://example.com/calendar.ics"} aria-describedby=hint_id(&id)/>
                </Field>
            }
            .into_any()
        }
        ContextSource::Device | ContextSource::Activity | ContextSource::Keys | ContextSource::Agents => {
            return None;
        }
    };
    let finds = (source == ContextSource::Place).then(|| view! { <FindPlace again=turning.again/> });
    Some(view! {
        <details class="memory-change">
            <summary class="button" data-kind=on.then_some("quiet") aria-label={format!("{words}: {name}")}>{words}</summary>
            <ActionForm action=turning.on attr:class="form">
                <input type="hidden" name="source" value=source_name(source)/>
                {field}
                <FormEnd words=words>{finds}</FormEnd>
            </ActionForm>
        </details>
    })
}

#[component]
fn Zone(id: String, zone: String) -> impl IntoView {
    let zone = RwSignal::new(zone);
    // Only the browser knows where the person is.
    Effect::new(move |_| {
        if zone.with_untracked(String::is_empty) {
            zone.set(clock::zone().unwrap_or_default());
        }
    });
    view! {
        <Field id=id.clone() label="Time zone" hint="It follows the device that you use.">
            <input
                class="input"
                id=id.clone()
                name="entered"
                maxlength="64"
                required
                placeholder={"Europe/Vienna"}
                autocapitalize="none"
                spellcheck="false"
                aria-describedby=hint_id(&id)
                prop:value=zone
                value=zone.get_untracked()
            />
        </Field>
    }
}

#[component]
fn Buttons(source: ContextSource, on: bool, turning: Turning) -> impl IntoView {
    let (name, _) = source_words(source);
    let hidden = move || view! { <input type="hidden" name="source" value=source_name(source)/> };
    let is_entered = matches!(source, ContextSource::Time | ContextSource::Place | ContextSource::Calendar);
    let button = match (on, is_entered) {
        (true, _) => Some(
            view! {
                <ActionForm action=turning.off>
                    {hidden()}
                    <button class="button" data-kind="quiet" type="submit" aria-label={say!("Turn off: {name}")}>"Turn off"</button>
                </ActionForm>
            }
            .into_any(),
        ),
        (false, false) => Some(
            view! {
                <ActionForm action=turning.on>
                    {hidden()}
                    <button class="button" type="submit" aria-label={say!("Turn on: {name}")}>"Turn on"</button>
                </ActionForm>
            }
            .into_any(),
        ),
        (false, true) => None,
    };
    button.map(|button| view! { <div class="actions">{button}</div> })
}
