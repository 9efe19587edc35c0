//! Files that a person adds to what they write. Each goes to the hub at once; the message then only names it.

use super::attached::in_words;
use super::context::ConversationContext;
use super::storage::{self, StorageKey};
use crate::browser::uploads::{self, LocalFile};
use crate::prelude::*;
use crate::ui::Icon;
use leptos::ev::DragEvent;
use leptos::task::spawn_local;
use protocol::Attachment;

/// Files of a message, and bytes of one of them: what the hub takes.
const MAX_FILES: usize = 10;
const MAX_BYTES: f64 = 20.0 * 1024.0 * 1024.0;

/// A file that was added.
#[derive(Clone, Debug, PartialEq)]
pub struct Added {
    id: u64,
    name: String,
    state: State,
}

#[derive(Clone, Debug, PartialEq)]
enum State {
    OnTheWay,
    There(Attachment),
    Refused(String),
}

/// What is added to the message that is being written.
#[derive(Clone, Copy, Default)]
pub struct Attaching {
    added: RwSignal<Vec<Added>>,
    last_id: StoredValue<u64>,
}

impl Attaching {
    /// The hub does not have all of them yet.
    pub fn is_on_the_way(self) -> bool {
        self.added.with(|added| added.iter().any(|file| file.state == State::OnTheWay))
    }

    /// No file that could be sent is here.
    pub fn is_empty(self) -> bool {
        self.added.with(|added| !added.iter().any(|file| matches!(file.state, State::There(_))))
    }

    fn push(self, name: String, state: State) -> u64 {
        self.last_id.update_value(|id| *id += 1);
        let id = self.last_id.get_value();
        self.added.update(|added| added.push(Added { id, name, state }));
        id
    }

    fn there(self) -> Vec<Attachment> {
        self.added.with_untracked(|added| {
            added
                .iter()
                .filter_map(|file| match &file.state {
                    State::There(attachment) => Some(attachment.clone()),
                    State::OnTheWay | State::Refused(_) => None,
                })
                .collect()
        })
    }
}

/// Adds files, and has the hub keep them.
pub fn add(context: ConversationContext, files: Vec<LocalFile>) {
    let attaching = context.attaching;
    for file in files {
        let name = file.name();
        let standing = attaching.added.with_untracked(|added| {
            added.iter().filter(|file| !matches!(file.state, State::Refused(_))).count()
        });
        let refused = if standing >= MAX_FILES {
            Some(say!("{name} is one too many: a message can have {most} files.", most = MAX_FILES))
        } else if file.size() > MAX_BYTES {
            Some(say!("{name} is too large: a file can have 20 MB."))
        } else {
            None
        };
        if let Some(why) = refused {
            attaching.push(name, State::Refused(why));
            continue;
        }
        let id = attaching.push(name, State::OnTheWay);
        spawn_local(async move {
            let state = file.send().await.map_or_else(State::Refused, State::There);
            // The page may be gone by then.
            let _ = attaching.added.try_update(|added| {
                if let Some(file) = added.iter_mut().find(|file| file.id == id) {
                    file.state = state;
                }
            });
            keep(context);
        });
    }
}

/// Takes the files for the message that is sent. What was refused stays, with the reason.
pub fn take(context: ConversationContext) -> Vec<Attachment> {
    let there = context.attaching.there();
    context.attaching.added.update(|added| added.retain(|file| matches!(file.state, State::Refused(_))));
    keep(context);
    there
}

/// Adds files that the hub has.
pub fn put_back(context: ConversationContext, files: Vec<Attachment>) {
    for file in files {
        context.attaching.push(file.name.clone(), State::There(file));
    }
    keep(context);
}

/// What was kept when the page was left.
pub fn restore(context: ConversationContext) {
    let kept = context.conversation.with_value(|id| storage::read(StorageKey::Attached, &id.0));
    put_back(context, kept.and_then(|kept| serde_json::from_str(&kept).ok()).unwrap_or_default());
}

fn keep(context: ConversationContext) {
    let there = context.attaching.there();
    let text =
        if there.is_empty() { String::new() } else { serde_json::to_string(&there).unwrap_or_default() };
    context.conversation.try_with_value(|id| storage::write(StorageKey::Attached, &id.0, &text));
}

/// Lets files be dropped here.
pub fn over(context: ConversationContext, event: &DragEvent) {
    if uploads::has_files(event) {
        event.prevent_default();
        context.is_dragged_over.set(true);
    }
}

pub fn drop(context: ConversationContext, event: &DragEvent) {
    context.is_dragged_over.set(false);
    if uploads::has_files(event) {
        event.prevent_default();
        add(context, uploads::dropped(event));
    }
}

/// The button that opens the device's own choice of files.
#[component]
pub fn Attach(context: ConversationContext) -> impl IntoView {
    view! {
        <label class="button composer-attach" data-kind="quiet" data-shape="icon" title="Attach pictures, documents or text files">
            <Icon name="attach"/>
            <input
                class="sr-only"
                type="file"
                multiple
                aria-label="Attach pictures, documents or text files"
                accept="image/png,image/jpeg,image/webp,image/gif,.pdf,.docx,.pptx,.xlsx,.xlsm,.xls,.ods,text/*,.md,.csv,.json,.log,.toml,.yaml,.yml,.rs,.py,.js,.ts,.html,.css,.sql,.xml"
                on:change=move |event| add(context, uploads::chosen(&event))
            />
        </label>
    }
}

/// What was added, with a way to take each back.
#[component]
pub fn AddedFiles(context: ConversationContext) -> impl IntoView {
    let added = context.attaching.added;
    view! {
        <Show when=move || added.with(|added| !added.is_empty())>
            <ul class="added" aria-label="Files of this message" aria-live="polite">
                <For each=move || added.get() key=|file| (file.id, matches!(file.state, State::OnTheWay)) let(file)>
                    <Chip context file/>
                </For>
            </ul>
        </Show>
    }
}

#[component]
fn Chip(context: ConversationContext, file: Added) -> impl IntoView {
    let Added { id, name, state } = file;
    let remove = move |_| {
        context.attaching.added.update(|added| added.retain(|file| file.id != id));
        keep(context);
        if let Some(field) = context.composer.get_untracked() {
            // Whoever uses the keyboard would be nowhere otherwise.
            let _ = field.focus();
        }
    };
    let label = say!("Remove {name}");
    let shown = match &state {
        State::Refused(why) => why.clone(),
        State::OnTheWay | State::There(_) => name,
    };
    let (status, picture, words) = match state {
        State::OnTheWay => ("busy", None, Some(t("Sending").to_owned())),
        State::There(file) => {
            let picture = file.is_picture().then(|| format!("/attachments/{}/thumbnail", file.id));
            ("there", picture, Some(in_words(file.size)))
        }
        // It names the file.
        State::Refused(_) => ("refused", None, None),
    };
    let icon = match status {
        "refused" => "warn",
        _ => "file",
    };
    view! {
        <li class="added-file" data-status=status aria-busy=(status == "busy").then_some("true")>
            {match picture {
                Some(address) => view! { <img class="added-picture" src=address alt="" width="40" height="40"/> }.into_any(),
                None => view! { <Icon name=icon/> }.into_any(),
            }}
            <span class="added-words"><span class="added-name">{shown}</span> {words.map(|words| view! { <small>{words}</small> })}</span>
            <button class="button" data-kind="quiet" data-shape="icon" type="button" aria-label=label.clone() title=label on:click=remove>
                <Icon name="close" small=true/>
            </button>
        </li>
    }
}
