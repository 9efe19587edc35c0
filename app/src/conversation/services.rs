//! How a page's wishes look: beside or over the page, never in its frame, and in reach of the keyboard.

use crate::browser::services::{Panel, choose, stop};
use crate::permissions::{doing, icon, wish};
use crate::prelude::*;
use crate::ui::{Icon, PressGuard};
use leptos::html;
use protocol::Permission;
use protocol::frame::ViewState;
use protocol::view::shell::{ActiveUse, Card, Notice, PromptAnswer, PromptSubject, UseKind};

#[component]
pub fn ServicesPanel(name: String, panel: Panel) -> impl IntoView {
    let name = StoredValue::new(name);
    view! {
        <section class="services" aria-label={say!("What the page of {name} wants", name = name.get_value())}>
            <For each=move || panel.uses.get() key=|using| using.id let:using>
                <InUse using name=name.get_value()/>
            </For>
            <div aria-live="polite">
                {move || panel.card.get().map(|card| view! { <Question card name=name.get_value()/> })}
            </div>
            <div aria-live="polite">
                <For each=move || panel.notices.get() key=|notice| notice.id let:notice>
                    <Told notice name=name.get_value() panel/>
                </For>
            </div>
        </section>
    }
}

#[component]
fn InUse(using: ActiveUse, name: String) -> impl IntoView {
    let (icon, words) = match using.what {
        UseKind::Permission(permission) => (icon(permission), doing(permission)),
        UseKind::Voice => ("speaker", t("is speaking")),
    };
    let words = format!("{name} {words}");
    let label = say!("Stop: {words}");
    view! {
        <div class="in-use" role="status">
            <Icon name=icon small=true/>
            <span>{words}</span>
            <button class="button" type="button" aria-label=label on:click=move |_| stop(using.id)>"Stop"</button>
        </div>
    }
}

#[component]
fn Question(card: Card, name: String) -> impl IntoView {
    let Card { id, matter } = card;
    let actions = NodeRef::<html::Div>::new();
    let settled = PressGuard::of(actions);
    let Words { icon, title, body, address } = words(&matter, &name);
    let buttons = buttons(&matter)
        .into_iter()
        .map(|(choice, kind, words)| {
            view! {
                <button
                    class="button"
                    data-kind=kind
                    type="button"
                    aria-disabled=move || settled.disabled()
                    on:click=move |_| {
                        if settled.get_untracked() {
                            choose(id, choice);
                        }
                    }
                >
                    {words}
                </button>
            }
        })
        .collect_view();
    let title_id = format!("question-{id}");
    view! {
        <div class="question" role="group" aria-labelledby=title_id.clone()>
            <Icon name=icon/>
            <p class="question-title" id=title_id.clone()>{title}</p>
            {address.map(|address| view! { <p class="question-address">{address}</p> })}
            <p class="question-body">{body}</p>
            <div class="question-actions" node_ref=actions>{buttons}</div>
        </div>
    }
}

#[component]
fn Told(notice: Notice, name: String, panel: Panel) -> impl IntoView {
    let Notice { id, title, text } = notice;
    let forget = move |_| {
        panel.notices.update(|notices| notices.retain(|notice| notice.id != id));
    };
    view! {
        <div class="told">
            <p class="told-title">{title.unwrap_or_else(|| name.clone())}</p>
            <button
                class="button"
                data-kind="quiet"
                data-shape="icon"
                type="button"
                aria-label="Close this notice"
                title="Close this notice"
                on:click=forget
            >
                <Icon name="close" small=true/>
            </button>
            <p class="told-text">{text}</p>
            <p class="told-from">"From the page of " {name}</p>
        </div>
    }
}

/// What a question says.
struct Words {
    icon: &'static str,
    title: String,
    body: String,
    /// A whole address, as it will be opened.
    address: Option<String>,
}

fn words(matter: &PromptSubject, name: &str) -> Words {
    match matter {
        PromptSubject::Permission(permission) => Words {
            icon: icon(*permission),
            title: say!("{name} wants to {wish}", wish = wish(*permission)),
            body: about(*permission).to_owned(),
            address: None,
        },
        PromptSubject::Link { host, url } => Words {
            icon: "link",
            title: say!("Open a page of {host}?"),
            body: if url.starts_with("https:") {
                say!("The page of {name} leads there. It opens in a new tab, outside of Vivarium.")
            } else {
                t("The connection to it is not encrypted. It opens in a new tab, outside of Vivarium.")
                    .to_owned()
            },
            address: Some(url.clone()),
        },
        PromptSubject::Folder { name: folder } => Words {
            icon: "file",
            title: say!("Let {name} into the folder {folder} again?"),
            body: t("You opened it for this agent before. Your browser asks as well.").to_owned(),
            address: None,
        },
        PromptSubject::View(view) => Words {
            icon: "split",
            title: say!("{name} would like to show {view}", view = shown(*view)),
            body: t("You can change the view back at any time.").to_owned(),
            address: None,
        },
    }
}

/// What follows from allowing it.
fn about(permission: Permission) -> &'static str {
    t(match permission {
        Permission::Camera | Permission::Microphone => {
            "Its page gets it for as long as it is shown, and you can stop it at any time. Your browser may ask as well."
        }
        Permission::Screen => {
            "Your browser then asks which screen, window or tab. Its page sees all that is on it."
        }
        Permission::Location => "Its page learns where this device is. Your browser may ask as well.",
        Permission::Listen => {
            "Your browser may send what you say to a speech service of its maker. Its page gets the text."
        }
        Permission::Notifications => {
            "Your system shows what its page has to tell while you look at something else."
        }
        Permission::View => "You can change the view back at any time.",
        Permission::Links => "Links open in a new tab, outside of Vivarium.",
    })
}

fn shown(view: ViewState) -> &'static str {
    t(match view {
        ViewState::Min => "its page in small",
        ViewState::Max => "page and conversation",
        ViewState::UiOnly => "its page alone",
        ViewState::ChatOnly => "the conversation alone",
    })
}

fn buttons(matter: &PromptSubject) -> Vec<(PromptAnswer, Option<&'static str>, String)> {
    let words = |choice, kind, words: &str| (choice, kind, words.to_owned());
    match matter {
        PromptSubject::Permission(_) => vec![
            words(PromptAnswer::Once, None, t("Allow once")),
            words(PromptAnswer::Always, None, t("Always")),
            words(PromptAnswer::Deny, None, t("Deny")),
            words(PromptAnswer::Never, Some("quiet"), t("Never")),
        ],
        PromptSubject::Link { host, .. } => vec![
            words(PromptAnswer::Once, None, t("Open")),
            words(PromptAnswer::Deny, None, t("Cancel")),
            (PromptAnswer::Always, Some("quiet"), say!("Always open {host}")),
        ],
        PromptSubject::Folder { .. } => {
            vec![words(PromptAnswer::Once, None, t("Open")), words(PromptAnswer::Deny, None, t("Not now"))]
        }
        PromptSubject::View(_) => vec![
            words(PromptAnswer::Once, None, t("Show")),
            words(PromptAnswer::Deny, None, t("Not now")),
            words(PromptAnswer::Always, Some("quiet"), t("Always")),
            words(PromptAnswer::Never, Some("quiet"), t("Never")),
        ],
    }
}
