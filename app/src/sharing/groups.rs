//! The page of groups.

use super::api::{DeleteGroup, SaveGroup, list_groups};
use super::people::PeopleChoices;
use crate::AppError;
use crate::account::api::me;
use crate::chrome::Shell;
use crate::money::api::people_budgets;
use crate::ui::{ActionFailure, Done, Loaded, emptied_by};
use leptos::form::ActionForm;
use leptos::prelude::*;
use leptos_meta::Title;
use protocol::view::{GroupView, Me, PersonBudget};
use protocol::{GroupId, UserId};
use serde::{Deserialize, Serialize};

/// All that the page shows.
#[derive(Clone, Serialize, Deserialize)]
struct Shown {
    me: Me,
    groups: Vec<GroupView>,
    people: Vec<PersonBudget>,
}

#[component]
pub fn GroupsPage() -> impl IntoView {
    let save = ServerAction::<SaveGroup>::new();
    let delete = ServerAction::<DeleteGroup>::new();
    let shown = Resource::new_blocking(move || (save.version().get(), delete.version().get()), |_| load());
    view! {
        <Title text="Groups"/>
        <Loaded resource=shown view=move |shown| view! { <Sections shown save delete/> }/>
    }
}

#[component]
fn Sections(shown: Shown, save: ServerAction<SaveGroup>, delete: ServerAction<DeleteGroup>) -> impl IntoView {
    let Shown { me, groups, people } = shown;
    let new = people.clone();
    view! {
        <Shell me>
            <div class="settings">
                <header class="section-head">
                    <h1>"Groups"</h1>
                    <p>"People whom you name together, to share a provider with all of them at once."</p>
                </header>
                <Done what="saved" words="The group is saved."/>
                <ActionFailure value=save.value()/>
                <ActionFailure value=delete.value()/>
                // By group and what is kept of it: what somebody typed for one is never shown for another.
                <div class="folds">
                    <For each=move || groups.clone() key=kept let:group>
                        <Group group people=people.clone() save delete/>
                    </For>
                </div>
                <section class="section" aria-labelledby="new">
                    <h2 id="new">"A new group"</h2>
                    <ActionForm action=save node_ref=emptied_by(save) attr:class="form">
                        <Name of="new".to_owned() name=String::new()/>
                        <PeopleChoices people=new chosen=Vec::new()/>
                        <div class="form-end">
                            <button type="submit" class="button" data-kind="primary">"Make the group"</button>
                        </div>
                    </ActionForm>
                </section>
            </div>
        </Shell>
    }
}

fn kept(group: &GroupView) -> (GroupId, String, Vec<UserId>) {
    (group.id.clone(), group.name.clone(), group.people.clone())
}

#[component]
fn Group(
    group: GroupView,
    people: Vec<PersonBudget>,
    save: ServerAction<SaveGroup>,
    delete: ServerAction<DeleteGroup>,
) -> impl IntoView {
    let GroupView { id, name, people: chosen } = group;
    let named = people.iter().filter(|person| chosen.contains(&person.id)).map(|person| person.name.as_str());
    let members = named.collect::<Vec<_>>().join(", ");
    let (save_label, delete_words) = (format!("Save {name}"), format!("Delete {name}"));
    let (of, saved, deleted) = (id.0.clone(), id.0.clone(), id.0);
    view! {
        <details class="fold">
            <summary>
                <span class="fold-title">{name.clone()}</span>
                <span class="fold-hint">{if members.is_empty() { "Nobody".to_owned() } else { members }}</span>
            </summary>
            <div class="fold-body">
                <ActionForm action=save attr:class="form">
                    <input type="hidden" name="id" value=saved/>
                    <Name of name/>
                    <PeopleChoices people chosen/>
                    <div class="form-end">
                        <button type="submit" class="button" aria-label=save_label>"Save"</button>
                    </div>
                </ActionForm>
                <ActionForm action=delete attr:class="actions">
                    <input type="hidden" name="id" value=deleted/>
                    <button type="submit" class="button" data-kind="danger">{delete_words}</button>
                </ActionForm>
            </div>
        </details>
    }
}

#[component]
fn Name(of: String, name: String) -> impl IntoView {
    let id = format!("group-{of}");
    view! {
        <div class="field">
            <label class="field-label" for=id.clone()>"Name"</label>
            <input class="input" id=id name="name" value=name required maxlength="60" autocomplete="off"/>
        </div>
    }
}

async fn load() -> Result<Shown, AppError> {
    Ok(Shown { me: me().await?, groups: list_groups().await?, people: people_budgets().await? })
}
