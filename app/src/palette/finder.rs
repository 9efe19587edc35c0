//! The field of the palette and the list under it.

use super::commands::Command;
use super::entries::{Entry, Group, Leads, groups};
use crate::agents::api::list_agents;
use crate::conversations::api::recent_conversations;
use crate::prelude::*;
use crate::ui::Icon;
use leptos::ev::KeyboardEvent;
use leptos::html::{Div, Input};
use leptos::task::spawn_local;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{Element, HtmlElement, HtmlInputElement};
use leptos_router::hooks::use_navigate;
use leptos_router::location::Url;
use protocol::view::{Me, Status};

/// `close` is called when somebody goes somewhere, or has done something. `shortcuts`: whether the list of keys is open.
#[component]
pub(super) fn Finder(me: Me, shortcuts: RwSignal<bool>, #[prop(into)] close: Callback<()>) -> impl IntoView {
    let (field, list) = (NodeRef::<Input>::new(), NodeRef::<Div>::new());
    let text = RwSignal::new(String::new());
    let agents = LocalResource::new(list_agents);
    let conversations = LocalResource::new(recent_conversations);
    let are_there = move || agents.with(Option::is_some) && conversations.with(Option::is_some);
    let refused = RwSignal::new(None::<String>);
    let perform = Callback::new(move |command: Command| {
        spawn_local(async move {
            match command.run(shortcuts).await {
                Ok(()) => drop(close.try_run(())),
                Err(error) => drop(refused.try_set(Some(error.to_string()))),
            }
        });
    });
    let trouble = move || {
        if let Some(words) = refused.get() {
            return Some(words);
        }
        let of_agents = agents.get().and_then(Result::err);
        of_agents.or_else(|| conversations.get().and_then(Result::err)).map(|error| error.to_string())
    };
    let me = StoredValue::new(me);
    let found = Memo::new(move |_| {
        let agents = agents.get().and_then(Result::ok).unwrap_or_default();
        let conversations = conversations.get().and_then(Result::ok).unwrap_or_default();
        text.with(|text| me.with_value(|me| groups(text, me, &agents, &conversations)))
    });
    let words = move || text.with(|text| text.trim().to_owned());
    let places = move || {
        let found =
            found.with_untracked(|groups| groups.iter().map(|group| group.entries.len()).sum::<usize>());
        found + usize::from(!words().is_empty())
    };
    let first = move || {
        let place = found.with(|groups| groups.iter().find_map(|group| group.entries.first().cloned()));
        place.map(|entry| entry.leads).or_else(|| {
            Some(words()).filter(|words| !words.is_empty()).map(|words| Leads::To(search_for(&words)))
        })
    };
    // Before the lists are there, the first place would be another one than is meant: whoever is quicker waits for them.
    let awaited = RwSignal::new(false);
    let navigate = use_navigate();
    Effect::new(move |_| {
        if awaited.get()
            && are_there()
            && let Some(leads) = untrack(first)
        {
            match leads {
                Leads::To(address) => {
                    close.run(());
                    navigate(&address, Default::default());
                }
                Leads::Does(command) => perform.run(command),
            }
        }
    });
    let keys = move |event: KeyboardEvent| {
        let Some(list) = list.get_untracked() else { return };
        // The key belongs to what is being composed.
        if event.is_composing() {
            return;
        }
        match event.key().as_str() {
            "ArrowDown" => step(&list, 1, places()),
            "ArrowUp" => step(&list, -1, places()),
            "Enter" if is_field(&event) => awaited.set(true),
            _ => return,
        }
        event.prevent_default();
    };
    field.on_load(|field| {
        // It is in the page, so that it takes the focus.
        let _ = field.focus();
    });
    view! {
        <div class="finder" node_ref=list on:keydown=keys>
            <div class="finder-head">
            <input
                class="input"
                type="text"
                role="searchbox"
                placeholder="Find an agent, a conversation or a page"
                aria-label="Find an agent, a conversation or a page"
                autocomplete="off"
                maxlength="200"
                node_ref=field
                on:input=move |event| {
                    awaited.set(false);
                    text.set(event_target_value(&event));
                }
            />
            <button class="button" data-kind="quiet" data-shape="icon" type="button" aria-label="Close" title="Close" on:click=move |_| close.run(())>
                <Icon name="close"/>
            </button>
            </div>
            <div class="finder-list">
                {move || trouble().map(|words| view! {
                    <p class="notice" data-kind="error" role="alert"><span class="notice-text">{words}</span></p>
                })}
                {move || found.with(|groups| list_of(groups, close, perform))}
                {move || {
                    let words = words();
                    let place = found.with(|groups| groups.iter().map(|group| group.entries.len()).sum::<usize>());
                    (!words.is_empty()).then(|| view! { <InMessages words place close/> })
                }}
            </div>
        </div>
    }
}

/// Places are numbered through, so that arrows lead from one to the next.
fn list_of(groups: &[Group], close: Callback<()>, perform: Callback<Command>) -> AnyView {
    let mut first = 0;
    let sections = groups.iter().map(|Group { name, entries }| {
        let places = entries.iter().cloned().zip(first..);
        first += entries.len();
        let places = places.map(|(entry, place)| view! { <Place entry place close perform/> }).collect_view();
        view! {
            <section aria-label=*name>
                <h3>{*name}</h3>
                <ul>{places}</ul>
            </section>
        }
    });
    sections.collect_view().into_any()
}

fn search_for(words: &str) -> String {
    format!("/search?q={}", Url::escape(words))
}

#[component]
fn InMessages(words: String, place: usize, close: Callback<()>) -> impl IntoView {
    let address = search_for(&words);
    view! {
        <section aria-label="In messages">
            <h3>"In messages"</h3>
            <ul>
                <li>
                    <a class="finder-place" href=address data-place=place on:click=move |_| close.run(())>
                        <Icon name="search" small=true/>
                        <span class="finder-words">{say!("Search for \u{201c}{words}\u{201d}")}</span>
                    </a>
                </li>
            </ul>
        </section>
    }
}

#[component]
fn Place(entry: Entry, place: usize, close: Callback<()>, perform: Callback<Command>) -> impl IntoView {
    let Entry { words, about, leads, icon, status } = entry;
    let mark = match status {
        Some(status) => {
            view! { <span class="dot" data-status=value(status) aria-hidden="true"></span> }.into_any()
        }
        None => view! { <Icon name=icon small=true/> }.into_any(),
    };
    let contents = view! {
        {mark}
        <span class="finder-words">{words}</span>
        <small>{about}</small>
    };
    let place = match leads {
        Leads::To(address) => view! {
            <a class="finder-place" href=address data-place=place on:click=move |_| close.run(())>{contents}</a>
        }
        .into_any(),
        Leads::Does(command) => view! {
            <button class="finder-place" type="button" data-place=place on:click=move |_| perform.run(command)>
                {contents}
            </button>
        }
        .into_any(),
    };
    view! { <li>{place}</li> }
}

fn value(status: Status) -> &'static str {
    match status {
        Status::Idle => "idle",
        Status::Running => "running",
        Status::Waiting => "waiting",
        Status::Error => "error",
    }
}

fn is_field(event: &KeyboardEvent) -> bool {
    event.target().is_some_and(|target| target.dyn_ref::<HtmlInputElement>().is_some())
}

/// The number of the place that has the focus. `None`: the field has it.
fn focused_place() -> Option<usize> {
    document().active_element()?.get_attribute("data-place")?.parse().ok()
}

fn place(list: &Element, number: usize) -> Option<HtmlElement> {
    let place = list.query_selector(&format!("[data-place=\"{number}\"]")).ok().flatten()?;
    place.dyn_into().ok()
}

/// Takes the focus one place on or back: from the field over all of `places`, and round.
fn step(list: &Element, by: isize, places: usize) {
    let at = focused_place().map_or(0, |place| place + 1);
    let next = match at.checked_add_signed(by) {
        Some(next) if next <= places => next,
        Some(_) => 0,
        None => places,
    };
    let next = match next.checked_sub(1) {
        Some(number) => place(list, number),
        None => list.query_selector("input").ok().flatten().and_then(|field| field.dyn_into().ok()),
    };
    if let Some(next) = next {
        // It is in the page, so that it takes the focus.
        let _ = next.focus();
    }
}
