//! Saved pages and files on the page where an agent is changed, and the way out as an archive.

use super::api::{DeleteSkin, LoadSkin, SaveSkin, get_folder, list_skins};
use crate::AppError;
use crate::prelude::*;
use crate::together::together;
use crate::ui::{ActionFailure, ActionForm, FormAction, Section, When};
use leptos::task::spawn_local;
use protocol::archive::SavedSkin;
use protocol::{AgentId, FolderId};
use serde::{Deserialize, Serialize};

/// Everything that an agent keeps as a file.
#[derive(Clone, Serialize, Deserialize)]
pub struct AgentFiles {
    skins: Vec<SavedSkin>,
    /// How many there are.
    files: u64,
}

impl AgentFiles {
    pub async fn load(agent: AgentId) -> Result<Self, AppError> {
        let folder = get_folder(FolderId::from(&agent).into());
        let (skins, folder) = together!(list_skins(agent), folder);
        Ok(Self { skins, files: folder.files })
    }
}

#[component]
pub fn KeptSection(agent: AgentId, kept: AgentFiles, not_archived: Vec<String>) -> impl IntoView {
    let (save, load, delete) =
        (FormAction::<SaveSkin>::new(), FormAction::<LoadSkin>::new(), FormAction::<DeleteSkin>::new());
    let kept = RwSignal::new(kept);
    let owner = agent.clone();
    // The rest of the page is a form that somebody may be filling in, so only this part is fetched anew.
    Effect::new(move |before: Option<_>| {
        let answered = (save.version().get(), delete.version().get());
        if before.is_some_and(|before| before != answered) {
            let agent = owner.clone();
            spawn_local(async move {
                if let Ok(fresh) = AgentFiles::load(agent).await {
                    kept.try_set(fresh);
                }
            });
        }
        answered
    });
    let id = agent.0.clone();
    let address = format!("/archives/{agent}");
    let (all_files, files) = (format!("/agents/{agent}/files"), kept.with_untracked(|kept| kept.files));
    let rows = move || {
        let skins = kept.with(|kept| kept.skins.clone());
        skins.into_iter().map(|skin| view! { <SkinRow agent=agent.clone() skin load delete/> }).collect_view()
    };
    let files = plural!(
        files,
        ": {count} file, with what they were before.",
        ": {count} files, with what they were before.",
        count = files
    );
    view! {
        <Section
            id="kept"
            title="Saved pages and files"
            lead="A page that is put aside is a copy of how it looks now. Show it again whenever you like."
        >
            <ActionFailure value=save.value()/>
            <ActionFailure value=load.value()/>
            <ActionFailure value=delete.value()/>
            <ActionForm action=save attr:class="field-row">
                <input type="hidden" name="agent" value=id/>
                <input class="input" name="name" required maxlength="60" autocomplete="off" aria-label="Name of the page that is put aside" placeholder="Evening"/>
                <button type="submit" class="button">"Put the page aside"</button>
            </ActionForm>
            <table class="list"><tbody>{rows}</tbody></table>
            <p><a href=all_files>"All its files"</a> {files}</p>
            <StaysHere lead="This does not go along into an archive:" parts=not_archived/>
            <div class="actions">
                <a class="button" href=address.clone() download rel="external">"Download as an archive"</a>
                <a class="button" data-kind="quiet" href=format!("{address}?conversations=1") download rel="external">"With its conversations"</a>
            </div>
        </Section>
    }
}

/// What a person would miss elsewhere.
#[component]
pub fn StaysHere(lead: &'static str, parts: Vec<String>) -> impl IntoView {
    (!parts.is_empty()).then(|| {
        view! {
            <div class="stays-here">
                <p>{lead}</p>
                <ul>{parts.into_iter().map(|part| view! { <li>{part}</li> }).collect_view()}</ul>
            </div>
        }
    })
}

#[component]
fn SkinRow(
    agent: AgentId,
    skin: SavedSkin,
    load: FormAction<LoadSkin>,
    delete: FormAction<DeleteSkin>,
) -> impl IntoView {
    let SavedSkin { name, at } = skin;
    let (shown, deleted) = (fields(&agent, &name), fields(&agent, &name));
    let (show_words, delete_words) = (say!("Show {name}"), say!("Delete {name}"));
    view! {
        <tr>
            <td>{name}</td>
            <td data-label="Saved"><When at/></td>
            <td class="list-end">
                <div class="actions">
                    <ActionForm action=load>
                        {shown}
                        <button type="submit" class="button" data-kind="quiet" aria-label=show_words>"Show"</button>
                    </ActionForm>
                    <ActionForm action=delete>
                        {deleted}
                        <button type="submit" class="button" data-kind="quiet" aria-label=delete_words>"Delete"</button>
                    </ActionForm>
                </div>
            </td>
        </tr>
    }
}

/// Which saved page a form is about.
fn fields(agent: &AgentId, name: &str) -> impl IntoView + use<> {
    view! {
        <input type="hidden" name="agent" value=agent.0.clone()/>
        <input type="hidden" name="name" value=name.to_owned()/>
    }
}
