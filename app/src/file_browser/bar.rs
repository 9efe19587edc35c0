//! What is done with several files and folders together, and with none: move, copy, rename, delete, download, and a
//! new folder. Without script the form takes the boxes that are ticked.

use super::hand_on::Other;
use super::tree::{Told, Tree, above, own_name};
use crate::files::api::{CopyChosen, DeleteChosen, MakeFolder, MoveChosen, UndoChange};
use crate::files::download_address;
use crate::prelude::*;
use crate::ui::{ActionFailure, FailureBanner, FormAction, Icon, close_on_escape};
use leptos::ev::{Event, KeyboardEvent, MouseEvent, SubmitEvent};
use leptos::html::{Details, Input};
use leptos::server_fn::ServerFn;
use protocol::FolderId;
use protocol::files::FilesChange;

#[component]
pub(super) fn Bar(tree: Tree, others: Vec<Other>) -> impl IntoView {
    let count = move || tree.chosen.with(|chosen| chosen.len());
    let words = move || match count() {
        0 => String::new(),
        count => plural!(count, "{count} is chosen", "{count} are chosen"),
    };
    // Before there is script, boxes may be ticked that nobody has told of.
    let has_script = RwSignal::new(false);
    Effect::new(move |_| has_script.set(true));
    let is_idle = move || has_script.get() && count() == 0;
    let download = format!("/folders/{}/download", tree.id());
    // Of what is chosen, not everything has to be a line of the page.
    let save = move |event: MouseEvent| {
        event.prevent_default();
        let address = download_address(&tree.id(), &tree.chosen_now());
        if let Err(error) = window().location().set_href(&address) {
            leptos::logging::warn!("The browser did not go to {address}: {error:?}");
        }
    };
    let delete = move |event: MouseEvent| {
        event.prevent_default();
        tree.delete(tree.chosen_now());
    };
    let clear = move |_| tree.chosen.update(|chosen| chosen.clear());
    view! {
        <div class="file-bar">
            <form id="chosen" method="post" action=DeleteChosen::url() class="actions" aria-label="What is chosen">
                <input type="hidden" name="folder" value=tree.id().0/>
                // Enter at a box of the form presses its first button, and this one does nothing.
                <button type="submit" disabled hidden></button>
                <MoveOrCopy tree others is_idle=Signal::derive(is_idle)/>
                <button type="submit" class="button" formmethod="get" formaction=download disabled=is_idle on:click=save>"Download"</button>
                <button type="submit" class="button" disabled=is_idle on:click=delete>"Delete"</button>
                <label class="field-hint" hidden=move || has_script.get()><input type="checkbox" name="sure" value="true"/> " Also where what was deleted before leaves the bin for good"</label>
                <span class="field-hint" role="status">{words}</span>
                <Show when=move || { count() > 0 }>
                    <button type="button" class="button" data-kind="quiet" on:click=clear>"Choose none"</button>
                </Show>
            </form>
            <NewFolder tree/>
        </div>
    }
}

#[component]
fn MoveOrCopy(tree: Tree, others: Vec<Other>, is_idle: Signal<bool>) -> impl IntoView {
    let into = RwSignal::new(tree.base.get_value());
    let (name, to) = (RwSignal::new(String::new()), RwSignal::new(tree.id().0));
    // What is chosen alone is renamed where it is.
    Effect::new(move |_| {
        tree.chosen.with(|chosen| {
            let one = chosen.first().filter(|_| chosen.len() == 1);
            into.set(one.map_or_else(|| tree.base.get_value(), |one| above(one).to_owned()));
            name.set(one.map(|one| own_name(one).to_owned()).unwrap_or_default());
        });
    });
    let (panel, name_field) = (NodeRef::<Details>::new(), NodeRef::<Input>::new());
    Effect::watch(
        move || tree.renaming.get(),
        move |(), _, _| {
            let Some((panel, field)) = panel.get_untracked().zip(name_field.get_untracked()) else { return };
            // What is chosen is in the field a moment later.
            request_animation_frame(move || {
                if panel.set_attribute("open", "").is_err() || field.focus().is_err() {
                    leptos::logging::warn!("A field for a name did not open.");
                }
                field.select();
            });
        },
        false,
    );
    let close = move || {
        let shown = panel.get_untracked();
        if shown.is_some_and(|panel| panel.remove_attribute("open").is_err()) {
            leptos::logging::warn!("A menu did not close.");
        }
    };
    let folders =
        move || tree.known().into_iter().map(|path| view! { <option value=path></option> }).collect_view();
    let names = StoredValue::new(others);
    let options = names.with_value(|others| {
        let option = |other: &Other| view! { <option value=other.id.0.clone()>{other.name.clone()}</option> };
        others.iter().map(option).collect_view()
    });
    let bring = move || {
        let names = tree.chosen_now();
        if names.is_empty() {
            return;
        }
        let is_alone = names.len() == 1;
        let same = names.first().map(|one| own_name(one).to_owned());
        let called = Some(name.get_untracked()).filter(|name| is_alone && Some(name) != same.as_ref());
        tree.bring(names, trimmed(&into.get_untracked()), called.unwrap_or_default());
        close();
    };
    let press = move |event: MouseEvent| {
        event.prevent_default();
        bring();
    };
    let enter = move |event: KeyboardEvent| {
        // It may also choose how a letter is written.
        if event.key() == "Enter" && !event.is_composing() {
            event.prevent_default();
            bring();
        }
    };
    let copy = move |event: MouseEvent| {
        event.prevent_default();
        let chosen = tree.chosen_now();
        if chosen.is_empty() {
            return;
        }
        let to = to.get_untracked();
        let whose = names.with_value(|others| {
            others.iter().find(|other| other.id.0 == to).map(|other| other.name.clone())
        });
        tree.copy(chosen, FolderId(to), trimmed(&into.get_untracked()), whose.unwrap_or_default());
        close();
    };
    view! {
        <details class="file-do" node_ref=panel on:keydown=close_on_escape>
            <summary class="button" aria-disabled=move || is_idle.get().then_some("true")>"Move, copy, rename"</summary>
            <div class="file-do-body">
                <label class="field">
                    <span class="field-label">"Into the folder"</span>
                    <input class="input" name="into" maxlength="512" autocomplete="off" list="known-folders" placeholder="The outermost" prop:value=into value=into.get_untracked() on:input=move |event| into.set(event_target_value(&event)) on:keydown=enter/>
                </label>
                <datalist id="known-folders">{folders}</datalist>
                <label class="field">
                    <span class="field-label">"Name, of one alone"</span>
                    <input class="input" node_ref=name_field name="name" maxlength="255" autocomplete="off" placeholder="As it is" prop:value=name on:input=move |event| name.set(event_target_value(&event)) on:keydown=enter/>
                </label>
                <div class="actions">
                    <button type="submit" class="button" data-kind="primary" formaction=MoveChosen::url() disabled=move || is_idle.get() on:click=press>"Move or rename"</button>
                </div>
                <label class="field">
                    <span class="field-label">"A copy goes to"</span>
                    <select class="input" name="to" prop:value=to on:change=move |event: Event| to.set(event_target_value(&event))>{options}</select>
                </label>
                <div class="actions">
                    <button type="submit" class="button" formaction=CopyChosen::url() disabled=move || is_idle.get() on:click=copy>"Copy"</button>
                </div>
            </div>
        </details>
    }
}

fn trimmed(folder: &str) -> String {
    folder.trim().trim_matches('/').to_owned()
}

/// A folder with nothing in it, in the one that is shown.
#[component]
fn NewFolder(tree: Tree) -> impl IntoView {
    let base = tree.base.get_value();
    view! {
        <details class="file-do" on:keydown=close_on_escape>
            <summary class="button"><Icon name="plus" small=true/> "New folder"</summary>
            <form method="post" action=MakeFolder::url() class="file-do-body">
                <input type="hidden" name="folder" value=tree.id().0/>
                <input type="hidden" name="within" value=base/>
                <label class="field">
                    <span class="field-label">"Name of the new folder"</span>
                    <input class="input" name="name" required maxlength="100" autocomplete="off"/>
                </label>
                <div class="actions"><button type="submit" class="button" data-kind="primary">"Make and open it"</button></div>
            </form>
        </details>
    }
}

/// What was done last, and one press to take it back.
#[component]
pub(super) fn ToldLast(tree: Tree) -> impl IntoView {
    // What was refused where there is no script.
    let (moved, copied) = (FormAction::<MoveChosen>::new(), FormAction::<CopyChosen>::new());
    let (deleted, undone) = (FormAction::<DeleteChosen>::new(), FormAction::<UndoChange>::new());
    let made = FormAction::<MakeFolder>::new();
    view! {
        <ActionFailure value=made.value()/>
        <ActionFailure value=moved.value()/>
        <ActionFailure value=copied.value()/>
        <ActionFailure value=deleted.value()/>
        <ActionFailure value=undone.value()/>
        {move || tree.told.get().map(|told| said(tree, told))}
    }
}

fn said(tree: Tree, told: Told) -> AnyView {
    match told {
        Told::Going(words) => view! { <p class="field-hint" role="status">{words}</p> }.into_any(),
        Told::Asks(words, names) => {
            let surely = move |_| tree.delete_surely(names.clone(), true);
            let leave = move |_| tree.told.set(None);
            view! {
                <div class="banner" role="alert">
                    <Icon name="warn"/>
                    <p class="banner-text">{words}</p>
                </div>
                <div class="actions">
                    <button type="button" class="button" data-kind="danger" on:click=surely>"Delete all the same"</button>
                    <button type="button" class="button" data-kind="quiet" on:click=leave>"Keep them"</button>
                </div>
            }
            .into_any()
        }
        Told::Failed(failure) => view! { <FailureBanner failure/> }.into_any(),
        Told::Done(words, change) => {
            let undo = change.map(|change| view! { <Undo tree change/> });
            view! {
                <div class="banner" data-kind="done" role="status">
                    <Icon name="check"/>
                    <p class="banner-text">{words}</p>
                    {undo}
                </div>
            }
            .into_any()
        }
    }
}

#[component]
fn Undo(tree: Tree, change: FilesChange) -> impl IntoView {
    let (folder, at) = (change.folder.0.clone(), change.at.to_string());
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        tree.undo(change.clone());
    };
    view! {
        <form method="post" action=UndoChange::url() on:submit=submit>
            <input type="hidden" name="folder" value=folder/>
            <input type="hidden" name="at" value=at/>
            <button type="submit" class="button" data-kind="quiet">"Undo"</button>
        </form>
    }
}
