//! Files that a person adds to what they write. Each goes to the hub at once; the message then only names it.

use super::attached::in_words;
use super::context::ConversationContext;
use super::draft;
use super::fate::{self, Fate};
use crate::browser::uploads::{self, LocalFile, Upload};
use crate::prelude::*;
use crate::ui::Icon;
use leptos::ev::DragEvent;
use leptos::task::spawn_local;
use protocol::view::ModelFacts;
use protocol::view::shell::NotSent;
use protocol::{Attachment, AttachmentId};
use std::mem::discriminant;

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
    OnTheWay(Upload, ArcRwSignal<u8>),
    There(Attachment),
    /// It can be sent again.
    Failed(Upload, String),
    Refused(String),
}

/// What is added to the message that is being written.
#[derive(Clone, Copy, Default)]
pub struct Attaching {
    added: RwSignal<Vec<Added>>,
    last_id: StoredValue<u64>,
    /// The person wants the message sent as soon as the hub has its files.
    is_wished: RwSignal<bool>,
    /// Of the model that answers it, or of one that was chosen before.
    pub(super) facts: RwSignal<Option<ModelFacts>>,
}

impl Attaching {
    /// How many of them the hub does not have yet.
    pub fn on_the_way(self) -> usize {
        self.added.with(|added| added.iter().filter(|file| matches!(file.state, State::OnTheWay(..))).count())
    }

    pub fn is_wished(self) -> bool {
        self.is_wished.get()
    }

    /// Notes the wish to send what waits for its files, or takes it back.
    pub fn wish(self, is_wished: bool) {
        if self.is_wished.get_untracked() != is_wished {
            self.is_wished.set(is_wished);
        }
    }

    /// No file that could be sent is here.
    pub fn is_empty(self) -> bool {
        self.added.with(|added| {
            let can_be_sent = |file: &Added| matches!(file.state, State::There(_) | State::OnTheWay(..));
            !added.iter().any(can_be_sent)
        })
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
                    State::OnTheWay(..) | State::Failed(..) | State::Refused(_) => None,
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
            Some(one_too_many(&name))
        } else if file.size() > MAX_BYTES {
            Some(say!("{name} is too large: a file can have 20 MB."))
        } else {
            None
        };
        if let Some(why) = refused {
            attaching.push(name, State::Refused(why));
            continue;
        }
        let upload = Upload::of(file);
        let sent = ArcRwSignal::default();
        let id = attaching.push(name, State::OnTheWay(upload, sent.clone()));
        send(context, id, upload, sent);
    }
}

fn send(context: ConversationContext, id: u64, upload: Upload, sent: ArcRwSignal<u8>) {
    spawn_local(async move {
        let state = match upload.send(move |percent| sent.set(percent)).await {
            Ok(attachment) => State::There(attachment),
            Err(NotSent { why, may_retry: true }) => State::Failed(upload, why),
            Err(NotSent { why, may_retry: false }) => {
                upload.forget();
                State::Refused(why)
            }
        };
        change(context, id, state);
    });
}

/// The page may be gone by then, or the file taken back.
fn change(context: ConversationContext, id: u64, state: State) {
    let attaching = context.attaching;
    let is_there = matches!(state, State::There(_));
    let failed = match &state {
        State::Failed(upload, _) => Some(*upload),
        State::OnTheWay(..) | State::There(_) | State::Refused(_) => None,
    };
    let changed = attaching.added.try_update(|added| {
        let file = added.iter_mut().find(|file| file.id == id)?;
        file.state = state;
        Some(())
    });
    let Some(Some(())) = changed else {
        // Nobody can have it sent again.
        if let Some(upload) = failed {
            upload.forget();
        }
        return;
    };
    if !is_there {
        // Its person did not mean the message without it.
        attaching.wish(false);
    }
    keep(context);
}

fn retry(context: ConversationContext, id: u64, upload: Upload) {
    let sent = ArcRwSignal::default();
    context.attaching.added.update(|added| {
        if let Some(file) = added.iter_mut().find(|file| file.id == id) {
            file.state = State::OnTheWay(upload, sent.clone());
        }
    });
    send(context, id, upload, sent);
}

/// Takes the files for the message that is sent. What was refused or did not get there stays, with the reason.
pub fn take(context: ConversationContext) -> Vec<Attachment> {
    let there = context.attaching.there();
    context.attaching.wish(false);
    context.attaching.added.update(|added| {
        added.retain(|file| !matches!(file.state, State::There(_)));
    });
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

/// Shows the files that the draft has, whichever device added them, and says of those that the hub did not take why.
pub fn show(context: ConversationContext, files: &[Attachment], refused: &[Attachment]) {
    let attaching = context.attaching;
    let shown = attaching.there();
    if shown.iter().any(|file| !is_in(files, &file.id)) {
        let is_full = files.len() >= MAX_FILES;
        attaching.added.update(|added| {
            for file in added.iter_mut() {
                if matches!(&file.state, State::There(there) if is_in(refused, &there.id)) {
                    let why = if is_full { one_too_many(&file.name) } else { gone(&file.name) };
                    file.state = State::Refused(why);
                }
            }
            added.retain(|file| !matches!(&file.state, State::There(there) if !is_in(files, &there.id)));
        });
    }
    for file in files.iter().filter(|file| !is_in(&shown, &file.id)) {
        attaching.push(file.name.clone(), State::There(file.clone()));
    }
}

fn is_in(files: &[Attachment], id: &AttachmentId) -> bool {
    files.iter().any(|file| file.id == *id)
}

fn one_too_many(name: &str) -> String {
    say!("{name} is one too many: a message can have {most} files.", most = MAX_FILES)
}

fn gone(name: &str) -> String {
    say!("{name} is not kept any more. Attach it again.")
}

/// They are a part of the draft; what is on its way comes to it when it is there.
fn keep(context: ConversationContext) {
    draft::note_files(context, context.attaching.there());
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

/// The buttons that open the device's own choice of files, and its camera where that is at hand.
#[component]
pub fn Attach(context: ConversationContext) -> impl IntoView {
    view! {
        <div class="composer-attaches">
            <label class="button composer-attach" data-kind="quiet" data-shape="icon" title="Attach pictures, documents or other files">
                <Icon name="attach"/>
                <input
                    class="sr-only"
                    type="file"
                    multiple
                    aria-label="Attach pictures, documents or other files"
                    accept="image/png,image/jpeg,image/webp,image/gif,.pdf,.docx,.pptx,.xlsx,.xlsm,.xls,.ods,text/*,.md,.csv,.json,.log,.toml,.yaml,.yml,.rs,.py,.js,.ts,.html,.css,.sql,.xml,.zip,.gz,.tar,.7z,.odt,.odp,.rtf,.doc,.ppt,.epub,.sqlite,.db,.parquet,.ipynb,.eml,.ics"
                    on:change=move |event| add(context, uploads::chosen(&event))
                />
            </label>
            <label class="button composer-attach composer-camera" data-kind="quiet" data-shape="icon" title="Take a picture">
                <Icon name="camera"/>
                <input
                    class="sr-only"
                    type="file"
                    capture="environment"
                    aria-label="Take a picture"
                    accept="image/*"
                    on:change=move |event| add(context, uploads::chosen(&event))
                />
            </label>
        </div>
    }
}

/// What was added, with a way to take each back.
#[component]
pub fn AddedFiles(context: ConversationContext) -> impl IntoView {
    let added = context.attaching.added;
    fate::look_up(context);
    view! {
        <Show when=move || added.with(|added| !added.is_empty())>
            <ul class="added" aria-label="Files of this message" aria-live="polite">
                <For each=move || added.get() key=|file| (file.id, discriminant(&file.state)) let(file)>
                    <Chip context file/>
                </For>
            </ul>
        </Show>
    }
}

#[component]
fn Chip(context: ConversationContext, file: Added) -> impl IntoView {
    let Added { id, name, state } = file;
    let upload = match state {
        State::OnTheWay(upload, _) | State::Failed(upload, _) => Some(upload),
        State::There(_) | State::Refused(_) => None,
    };
    let remove = move |_| {
        context.attaching.added.update(|added| added.retain(|file| file.id != id));
        if let Some(upload) = upload {
            upload.forget();
            context.attaching.wish(false);
        }
        keep(context);
        if let Some(field) = context.composer.get_untracked() {
            // Whoever uses the keyboard would be nowhere otherwise.
            let _ = field.focus();
        }
    };
    let label = say!("Remove {name}");
    let again = say!("Send {name} again");
    let (status, picture, shown, words, retried) = match state {
        State::OnTheWay(_, sent) => ("busy", None, name, Some(view! { <Progress sent/> }.into_any()), None),
        State::There(file) => {
            let picture = file.dimensions.map(|_| format!("/attachments/{}/thumbnail", file.id));
            let size = in_words(file.size);
            let words = view! { <small>{size}</small> <Fate context file/> };
            ("there", picture, name, Some(words.into_any()), None)
        }
        State::Failed(upload, why) => {
            ("failed", None, name, Some(view! { <small>{why}</small> }.into_any()), Some(upload))
        }
        // It names the file.
        State::Refused(why) => ("refused", None, why, None, None),
    };
    let icon = match status {
        "refused" | "failed" => "warn",
        _ => "file",
    };
    view! {
        <li class="added-file" data-status=status aria-busy=(status == "busy").then_some("true")>
            {match picture {
                Some(address) => view! { <img class="added-picture" src=address alt="" width="40" height="40"/> }.into_any(),
                None => view! { <Icon name=icon/> }.into_any(),
            }}
            <span class="added-words"><span class="added-name">{shown}</span> {words}</span>
            {retried.map(|upload| view! {
                <button class="button" data-kind="quiet" data-shape="icon" type="button" aria-label=again.clone() title=again on:click=move |_| retry(context, id, upload)>
                    <Icon name="retry" small=true/>
                </button>
            })}
            <button class="button" data-kind="quiet" data-shape="icon" type="button" aria-label=label.clone() title=label on:click=remove>
                <Icon name="close" small=true/>
            </button>
        </li>
    }
}

/// How far a file is; only that it is on its way is read aloud.
#[component]
fn Progress(sent: ArcRwSignal<u8>) -> impl IntoView {
    let percent = {
        let sent = sent.clone();
        move || format!("{} %", sent.get())
    };
    view! {
        <small>"Sending" " " <span class="num" aria-hidden="true">{percent}</span></small>
        <progress class="added-progress" max="100" value=move || sent.get() aria-hidden="true"></progress>
    }
}

/// Says that a message goes out as soon as its files are there, with a way to take that back.
#[component]
pub fn SendsLater(context: ConversationContext) -> impl IntoView {
    let attaching = context.attaching;
    let words = move || match attaching.on_the_way() {
        count if attaching.is_wished() && count > 0 => {
            plural!(count, "Sends when 1 file is there", "Sends when {count} files are there")
        }
        _ => String::new(),
    };
    view! {
        <div class="composer-later">
            <span role="status">{words}</span>
            <Show when=move || attaching.is_wished()>
                <button class="button" data-kind="quiet" type="button" on:click=move |_| attaching.wish(false)>"Do not send yet"</button>
            </Show>
        </div>
    }
}
