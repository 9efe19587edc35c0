//! The lines of the tree: folders and files as a table whose lines the arrow keys walk through, open and close.

use super::tree::{Row, RowKind, Tree, above, own_name};
use super::words::author;
use crate::files::api::DeleteChosen;
use crate::files::{address, download_address, folder_address, part_address, size};
use crate::prelude::*;
use crate::ui::{Icon, When};
use leptos::ev::{FocusEvent, KeyboardEvent, MouseEvent, SubmitEvent};
use leptos::server_fn::ServerFn;
use leptos::tachys::html::attribute::Attribute;
use leptos::tachys::html::attribute::custom::custom_attribute;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{Element, Event, HtmlElement};
use leptos_router::location::Url;
use std::collections::BTreeSet;

const COLUMNS: [&str; 4] = [key!("Name"), key!("Size"), key!("Written"), key!("By")];

#[component]
pub(super) fn Rows(tree: Tree) -> impl IntoView {
    let rows = Memo::new(move |_| tree.rows());
    let heads = COLUMNS.map(|name| view! { <th scope="col" role="columnheader">{t(name)}</th> });
    let focus = move |event: FocusEvent| {
        if let Some((name, _)) = line_of(&event) {
            tree.current.set(name);
        }
    };
    let key = move |event: KeyboardEvent| pressed(tree, rows, &event);
    // Tab leads to the line that the keyboard was at, or to the first.
    let stop = Memo::new(move |_| {
        let current = tree.current.get();
        rows.with(|rows| match rows.iter().any(|row| row.name == current) {
            true => current,
            false => rows.first().map(|first| first.name.clone()).unwrap_or_default(),
        })
    });
    view! {
        <table class="list file-tree" role="treegrid" aria-label="Files and folders" aria-multiselectable="true" on:focusin=focus on:keydown=key>
            <thead role="rowgroup">
                <tr role="row">
                    {heads}
                    <th scope="col" role="columnheader" class="list-end"><span class="sr-only">"Actions"</span></th>
                </tr>
            </thead>
            <tbody role="rowgroup">
                <For each=move || rows.get() key=Clone::clone children=move |row| line(tree, stop, row)/>
            </tbody>
        </table>
    }
}

fn line(tree: Tree, stop: Memo<String>, row: Row) -> AnyView {
    match row.kind {
        RowKind::More => view! { <MoreLine tree row/> }.into_any(),
        RowKind::Folder | RowKind::File => view! { <Line tree stop row/> }.into_any(),
    }
}

#[component]
fn Line(tree: Tree, stop: Memo<String>, row: Row) -> impl IntoView {
    let Row { name, depth, kind } = row;
    let is_folder = kind == RowKind::Folder;
    let path = StoredValue::new(name.trim_end_matches('/').to_owned());
    let name = StoredValue::new(name);
    let is_chosen = move || tree.chosen.with(|chosen| name.with_value(|name| chosen.contains(name)));
    let is_stop = move || name.with_value(|name| stop.with(|stop| stop == name));
    let is_open = move || is_folder.then(|| path.with_value(|path| tree.is_open(path)).to_string());
    let into = path.with_value(|path| if is_folder { path.clone() } else { above(path).to_owned() });
    let is_over = {
        let into = into.clone();
        move || {
            (is_folder && tree.over.with(|over| over.as_deref() == Some(into.as_str()))).then_some("files")
        }
    };
    let label = path.with_value(|path| say!("Choose {path}"));
    let choose = move |event: Event| name.with_value(|name| tree.choose(name, event_target_checked(&event)));
    let (named, facts) = match is_folder {
        true => (view! { <FolderName tree path/> }.into_any(), view! { <FolderFacts tree path/> }.into_any()),
        false => (view! { <FileName tree path/> }.into_any(), view! { <FileFacts tree path/> }.into_any()),
    };
    view! {
        <tr
            role="row"
            id=name.with_value(|name| id_of(name))
            data-name=name.get_value()
            data-into=into
            data-drop=is_over
            aria-expanded=is_open
            aria-selected=move || is_chosen().to_string()
            style=format!("--depth:{depth}")
            tabindex=move || if is_stop() { "0" } else { "-1" }
            draggable="true"
        >
            <td role="gridcell" class="file-name">
                <label class="file-choice">
                    <input type="checkbox" form="chosen" name="paths[]" value=name.get_value() aria-label=label prop:checked=is_chosen on:change=choose/>
                </label>
                {named}
            </td>
            {facts}
            <td role="gridcell" class="list-end"><LineActions tree name/></td>
        </tr>
    }
    .add_any_attr(level(depth))
}

#[component]
fn FolderName(tree: Tree, path: StoredValue<String>) -> impl IntoView {
    let (own, within) = path.with_value(|path| {
        (own_name(path).to_owned(), tree.folder.with_value(|folder| part_address(folder, path)))
    });
    let toggle = move |event: MouseEvent| {
        event.prevent_default();
        path.with_value(|path| tree.toggle(path));
    };
    let is_open = move || path.with_value(|path| tree.is_open(path)).then_some("");
    let (shuts, opens) = (say!("Close {own}"), say!("Open {own}"));
    let label = move || if is_open().is_some() { shuts.clone() } else { opens.clone() };
    view! {
        <a class="file-toggle" href=within.clone() tabindex="-1" title=label data-open=is_open on:click=toggle><Icon name="chevron" small=true/></a>
        <a class="file-folder" href=within>{own}</a>
    }
}

#[component]
fn FolderFacts(tree: Tree, path: StoredValue<String>) -> impl IntoView {
    let now = Memo::new(move |_| path.with_value(|path| tree.sub_folder(path)));
    let files = move || {
        let count = now.get().map(|folder| folder.files).unwrap_or_default();
        plural!(count, "{count} file", "{count} files")
    };
    view! {
        <td role="gridcell" data-label="Size" class="num">{move || now.get().map(|folder| size(folder.size))}</td>
        <td role="gridcell" data-label="Written">{move || now.get().filter(|folder| folder.files > 0).map(|folder| view! { <When at=folder.at/> })}</td>
        <td role="gridcell" data-label="Has">{files}</td>
    }
}

#[component]
fn FileName(tree: Tree, path: StoredValue<String>) -> impl IntoView {
    let now = Memo::new(move |_| path.with_value(|path| tree.file(path)));
    let (shown, page) = path.with_value(|path| {
        let shown = if tree.is_found() { path.clone() } else { own_name(path).to_owned() };
        (shown, tree.folder.with_value(|folder| address(&folder.id, folder.kind, path)))
    });
    let mark = move || {
        now.get()
            .filter(|file| file.untrusted)
            .map(|_| view! { <span class="field-hint">"May hold words of strangers"</span> })
    };
    view! {
        <span class="file-path"><a href=page>{shown}</a> {mark}</span>
    }
}

#[component]
fn FileFacts(tree: Tree, path: StoredValue<String>) -> impl IntoView {
    let now = Memo::new(move |_| path.with_value(|path| tree.file(path)));
    let by =
        move || now.get().map(|file| tree.folder.with_value(|folder| author(file.author.as_ref(), folder)));
    view! {
        <td role="gridcell" data-label="Size" class="num">{move || now.get().map(|file| size(file.size))}</td>
        <td role="gridcell" data-label="Written">{move || now.get().map(|file| view! { <When at=file.at/> })}</td>
        <td role="gridcell" data-label="By">{by}</td>
    }
}

#[component]
fn LineActions(tree: Tree, name: StoredValue<String>) -> impl IntoView {
    let (name, id) = (name.get_value(), tree.id());
    let path = name.trim_end_matches('/');
    let (download, delete) = (say!("Download {path}"), say!("Delete {path}"));
    let address = download_address(&id, std::slice::from_ref(&name));
    let value = name.clone();
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        tree.delete(vec![name.clone()]);
    };
    view! {
        <div class="actions">
            <a class="button" data-kind="quiet" href=address download rel="external" aria-label=download>"Download"</a>
            <form method="post" action=DeleteChosen::url() on:submit=submit>
                <input type="hidden" name="folder" value=id.0/>
                <input type="hidden" name="paths[]" value=value/>
                <button type="submit" class="button" data-kind="quiet" aria-label=delete>"Delete"</button>
            </form>
        </div>
    }
}

#[component]
fn MoreLine(tree: Tree, row: Row) -> impl IntoView {
    let Row { name, depth, .. } = row;
    let label = say!("Show more of {name}");
    view! {
        <tr role="row" style=format!("--depth:{depth}")>
            <td role="gridcell" colspan="5" class="file-name">
                <button type="button" class="button" data-kind="quiet" aria-label=label on:click=move |_| tree.fetch(name.clone(), true)>"Show more"</button>
            </td>
        </tr>
    }
    .add_any_attr(level(depth))
}

/// How deep in folders a line is, which views have no name for.
fn level(depth: usize) -> impl Attribute {
    custom_attribute("aria-level", (depth + 1).to_string())
}

/// What a key does at a line, as in a tree of files anywhere. Keys that are pressed in a field are that field's.
fn pressed(tree: Tree, rows: Memo<Vec<Row>>, event: &KeyboardEvent) {
    let Some((name, true)) = line_of(event) else { return };
    if event.alt_key() || event.ctrl_key() || event.meta_key() {
        return;
    }
    let rows: Vec<Row> = rows.get_untracked().into_iter().filter(|row| row.kind != RowKind::More).collect();
    let Some(at) = rows.iter().position(|row| row.name == name) else { return };
    let path = name.trim_end_matches('/');
    let is_folder = name.ends_with('/');
    let is_open = is_folder && tree.open_now(path);
    let go = |to: usize| rows.get(to).map(|row| row.name.clone());
    let to = match event.key().as_str() {
        "ArrowDown" => go(at + 1),
        "ArrowUp" => at.checked_sub(1).and_then(go),
        "Home" => go(0),
        "End" => go(rows.len() - 1),
        "ArrowRight" if is_folder && !is_open => {
            tree.toggle(path);
            None
        }
        "ArrowRight" if is_open => go(at + 1),
        "ArrowLeft" if is_open => {
            tree.toggle(path);
            None
        }
        "ArrowLeft" => Some(format!("{}/", above(path))),
        "Enter" if is_folder => {
            tree.toggle(path);
            None
        }
        "Enter" => {
            press_link(event);
            None
        }
        " " => {
            let is_chosen = tree.chosen.with_untracked(|chosen| chosen.contains(&name));
            tree.choose(&name, !is_chosen);
            None
        }
        "F2" => {
            tree.chosen.set(BTreeSet::from([name.clone()]));
            tree.renaming.set(());
            None
        }
        "Delete" => {
            let left = go(at + 1).or_else(|| at.checked_sub(1).and_then(go));
            tree.delete(tree.meant());
            left
        }
        _ => return,
    };
    event.prevent_default();
    if let Some(to) = to {
        focus(&to);
    }
}

fn press_link(event: &KeyboardEvent) {
    let link = element(event).and_then(|line| line.query_selector(".file-path a").ok().flatten());
    if let Some(link) = link.and_then(|link| link.dyn_into::<HtmlElement>().ok()) {
        link.click();
    }
}

/// Gives a line the focus, if it is there.
pub(super) fn focus(name: &str) {
    let line = document().get_element_by_id(&id_of(name));
    if let Some(line) = line.and_then(|line| line.dyn_into::<HtmlElement>().ok())
        && line.focus().is_err()
    {
        leptos::logging::warn!("A line of the tree did not take the focus.");
    }
}

/// The line in which something happened, and whether it was the line itself.
fn line_of(event: &Event) -> Option<(String, bool)> {
    let element = element(event)?;
    let line = element.closest("tr[data-name]").ok().flatten()?;
    let is_itself = element.has_attribute("data-name");
    Some((line.get_attribute("data-name")?, is_itself))
}

fn element(event: &Event) -> Option<Element> {
    event.target()?.dyn_into().ok()
}

/// In hexadecimal: an id has no spaces, and is the same however a part of the page spells addresses.
fn id_of(name: &str) -> String {
    let spelled: String = name.bytes().map(|byte| format!("{byte:02x}")).collect();
    format!("file-{spelled}")
}

/// Where more of the outermost folder, or of what was found, is shown.
#[component]
pub(super) fn More(tree: Tree) -> impl IntoView {
    let base = tree.base.get_value();
    let address = {
        let base = base.clone();
        move || {
            let find = tree.find.get_value();
            let list = tree.folder.with_value(|folder| match base.as_str() {
                _ if !find.is_empty() => format!("{}?find={}&", folder_address(folder), Url::escape(&find)),
                "" => format!("{}?", folder_address(folder)),
                base => format!("{}&", part_address(folder, base)),
            });
            format!("{list}after={}", Url::escape(&tree.next().unwrap_or_default()))
        }
    };
    let fetch = move |event: MouseEvent| {
        event.prevent_default();
        tree.fetch(base.clone(), true);
    };
    let is_more = move || tree.next().is_some();
    view! {
        <Show when=is_more>
            <p class="actions"><a class="button" href=address.clone() on:click=fetch.clone()>"Show more files"</a></p>
        </Show>
    }
}
