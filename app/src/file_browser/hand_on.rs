//! Handing a file on: into another folder, or by an address to somebody.

use super::file::fields;
use crate::files::api::CopyFile;
use crate::files::folder_address;
use crate::ui::{ActionFailure, ActionForm, Copy, FormAction, Section};
use leptos::prelude::*;
use protocol::FolderId;
use protocol::files::FolderView;
use serde::{Deserialize, Serialize};

/// How long an address may hold, in hours.
const TIMES: [(u64, &str); 4] = [(1, "an hour"), (24, "a day"), (72, "three days"), (168, "a week")];

/// Another folder of the person's.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Other {
    pub(super) id: FolderId,
    pub(super) name: String,
}

/// An address that was asked for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Shared {
    pub(super) address: String,
    pub(super) hours: u64,
}

#[component]
pub(super) fn HandOn(
    folder: FolderView,
    path: String,
    others: Vec<Other>,
    shared: Option<Shared>,
    copy: FormAction<CopyFile>,
) -> impl IntoView {
    let options = others
        .iter()
        .map(|Other { id, name }| view! { <option value=id.0.clone()>{name.clone()}</option> })
        .collect_view();
    let copied = fields(&folder.id, &path);
    let into = (!others.is_empty()).then(|| {
        view! {
            <ActionForm action=copy attr:class="field-row">
                {copied}
                <select class="input" name="to" aria-label="Whose files it goes into">{options}</select>
                <button type="submit" class="button">"Copy into these files"</button>
            </ActionForm>
        }
    });
    let chosen = shared.as_ref().map_or(24, |shared| shared.hours);
    let times = TIMES.map(|(hours, words)| {
        view! { <option value=hours.to_string() selected=hours == chosen>"For " {words}</option> }
    });
    let made = shared.map(|Shared { address, hours }| {
        let words = TIMES.iter().find(|(of, _)| *of == hours).map_or("a while", |(_, words)| words);
        view! {
            <p>"Whoever has this address can open the file for " {words} ", without signing in. It ends before that when the file is changed, moved or deleted."</p>
            <p class="field-row">
                <input class="input" readonly aria-label="Address of the file" value=address.clone()/>
                <Copy what="the address of the file" text=address/>
            </p>
        }
    });
    view! {
        <Section id="hand-on" title="Hand it on">
            <ActionFailure value=copy.value()/>
            {into}
            <form method="get" action=format!("{}/view#hand-on", folder_address(&folder)) class="field-row">
                <input type="hidden" name="path" value=path/>
                <select class="input" name="hours" aria-label="How long an address holds">{times}</select>
                <button type="submit" class="button">"Make an address to give away"</button>
            </form>
            {made}
        </Section>
    }
}
