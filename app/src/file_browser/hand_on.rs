//! Handing a file on: into another folder, or by an address to somebody.

use super::file::fields;
use super::given::{Links, OfFile};
use crate::files::api::CopyFile;
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, FormAction, Section};
use protocol::FolderId;
use protocol::files::FolderView;
use serde::{Deserialize, Serialize};

/// How long an address may hold, in hours.
const TIMES: [(u64, &str); 4] = [
    (1, key!("For an hour")),
    (24, key!("For a day")),
    (72, key!("For three days")),
    (168, key!("For a week")),
];

/// Another folder of the person's.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Other {
    pub(super) id: FolderId,
    pub(super) name: String,
}

/// Which file is shown.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    pub(super) folder: FolderId,
    pub(super) path: String,
}

#[component]
pub(super) fn HandOn(
    folder: FolderView,
    path: String,
    others: Vec<Other>,
    links: Links,
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
    let times = TIMES.map(|(hours, words)| {
        view! { <option value=hours.to_string() selected={hours == 24}>{t(words)}</option> }
    });
    let given = fields(&folder.id, &path);
    let of = Shown { folder: folder.id, path };
    view! {
        <Section id="hand-on" title="Hand it on">
            <ActionFailure value=copy.value()/>
            {into}
            <ActionFailure value=links.share.value()/>
            <ActionFailure value=links.take_back.value()/>
            <ActionForm action=links.share attr:class="field-row">
                {given}
                <select class="input" name="hours" aria-label="How long an address holds">{times}</select>
                <button type="submit" class="button">"Make an address to give away"</button>
            </ActionForm>
            <OfFile of links/>
        </Section>
    }
}
