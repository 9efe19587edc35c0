//! The page of groups.

use super::api::{DeleteGroup, SaveGroup, list_groups};
use super::people::PeopleChoices;
use crate::AppError;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::money::api::people_budgets;
use crate::prelude::*;
use crate::session::me;
use crate::together::together;
use crate::ui::{ActionFailure, ActionForm, Done, Field, FormAction, FormEnd, emptied_by, kept_each};
use leptos_meta::Title;
use protocol::view::{GroupView, Me, PersonBudget};
use serde::{Deserialize, Serialize};

/// All that the page shows.
#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    groups: Vec<GroupView>,
    people: Vec<PersonBudget>,
}

#[component]
pub fn GroupsPage() -> impl IntoView {
    let save = FormAction::<SaveGroup>::new();
    let delete = FormAction::<DeleteGroup>::new();
    let shown = PageResource::new(move || (save.version().get(), delete.version().get()), |_| load());
    view! {
        <Title text="Groups"/>
        <Loaded resource=shown view=move |shown| view! { <Sections shown save delete/> }/>
    }
}

#[component]
fn Sections(shown: PageData, save: FormAction<SaveGroup>, delete: FormAction<DeleteGroup>) -> impl IntoView {
    let PageData { me, groups, people } = shown;
    let new = people.clone();
    let none = groups.is_empty().then(|| {
        view! {
            <p class="empty" data-size="small">
                <span>"No group yet. Make one below, and providers, servers and skills can be shared with all who are in it."</span>
            </p>
        }
    });
    let groups = groups.into_iter().map(|group| (group, people.clone())).collect();
    let folds = kept_each(groups, move |(group, people)| view! { <Group group people save delete/> });
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
                {none}
                <div class="folds">{folds}</div>
                <section class="section" aria-labelledby="new">
                    <h2 id="new">"A new group"</h2>
                    <ActionForm action=save node_ref=emptied_by(save) attr:class="form">
                        <Name of="new".to_owned() name=String::new()/>
                        <PeopleChoices people=new chosen=Vec::new()/>
                        <FormEnd words="Make the group"/>
                    </ActionForm>
                </section>
            </div>
        </Shell>
    }
}

#[component]
fn Group(
    group: GroupView,
    people: Vec<PersonBudget>,
    save: FormAction<SaveGroup>,
    delete: FormAction<DeleteGroup>,
) -> impl IntoView {
    let GroupView { id, name, people: chosen } = group;
    let named = people.iter().filter(|person| chosen.contains(&person.id)).map(|person| person.name.as_str());
    let members = named.collect::<Vec<_>>().join(", ");
    let (save_label, delete_words) = (say!("Save {name}"), say!("Delete {name}"));
    let (of, saved, deleted) = (id.0.clone(), id.0.clone(), id.0);
    view! {
        <details class="fold">
            <summary>
                <span class="fold-title">{name.clone()}</span>
                <span class="fold-hint">{if members.is_empty() { t("Nobody").to_owned() } else { members }}</span>
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
        <Field id=id.clone() label="Name">
            <input class="input" id=id name="name" value=name required maxlength="60" autocomplete="off"/>
        </Field>
    }
}

async fn load() -> Result<PageData, AppError> {
    let (me, groups, people) = together!(me(), list_groups(), people_budgets());
    Ok(PageData { me, groups, people })
}
