//! Those with an account, some at a time.

use crate::money::in_short;
use crate::prelude::*;
use crate::ui::{Section, Table, When, dollars};
use leptos_router::hooks::use_query_map;
use leptos_router::location::Url;
use protocol::view::{PEOPLE_AT_ONCE, PersonView, Role};
use serde::{Deserialize, Serialize};

/// What the address asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PeopleQuery {
    /// The name before the first that is shown.
    pub(super) after: String,
    /// What is in the names that are shown.
    pub(super) text: String,
}

pub(super) fn asked() -> Memo<PeopleQuery> {
    let query = use_query_map();
    Memo::new(move |_| {
        query.with(|query| PeopleQuery {
            after: query.get("after").unwrap_or_default(),
            text: query.get("people").unwrap_or_default(),
        })
    })
}

#[component]
pub(super) fn PeopleSection(people: Vec<PersonView>, asked: PeopleQuery) -> impl IntoView {
    let last = people.get(PEOPLE_AT_ONCE - 1).map(|last| last.name.clone());
    let search = (last.is_some() || asked != PeopleQuery::default())
        .then(|| view! { <PeopleSearch text=asked.text.clone()/> });
    let more = last.map(|last| {
        let address =
            format!("/admin?people={}&after={}#people", Url::escape(&asked.text), Url::escape(&last));
        view! { <p class="actions"><a class="button" href=address>"More people"</a></p> }
    });
    let none = people
        .is_empty()
        .then(|| view! { <p class="empty" data-size="small">"Nobody here is called so."</p> });
    let rows = people.into_iter().map(|person| view! { <Row person/> }).collect_view().into_any();
    view! {
        <Section id="people" title="People" lead="Open one to change their role or limits, or to shut them out.">
            {search}
            <Table columns=["Name", "Role", "Last seen", "This month", "Limit"] rows/>
            {none}
            {more}
        </Section>
    }
}

#[component]
fn PeopleSearch(text: String) -> impl IntoView {
    view! {
        <form method="get" action="/admin#people" class="search-field" role="search">
            <input
                class="input"
                type="search"
                name="people"
                value=text
                maxlength="40"
                placeholder="Part of a name"
                aria-label="Search people"
                autocomplete="off"
            />
            <button type="submit" class="button">"Search"</button>
        </form>
    }
}

#[component]
fn Row(person: PersonView) -> impl IntoView {
    let PersonView { id, name, role, disabled, last_seen_at, budget, .. } = person;
    view! {
        <tr>
            <td>
                <a href=format!("/admin/people/{id}")>{name}</a>
                {disabled.then(|| view! { <span class="chip">"Disabled"</span> })}
            </td>
            <td data-label="Role">{role_words(role)}</td>
            <td data-label="Last seen"><Seen at=last_seen_at/></td>
            <td data-label="This month" class="num">{dollars(budget.spent.month)}</td>
            <td data-label="Limit" class="num">{in_short(budget)}</td>
        </tr>
    }
}

#[component]
fn Seen(at: Option<i64>) -> impl IntoView {
    match at {
        Some(at) => view! { <When at/> }.into_any(),
        None => view! { <span class="faint">"Never"</span> }.into_any(),
    }
}

pub(super) fn role_words(role: Role) -> &'static str {
    t(match role {
        Role::Admin => "Administrator",
        Role::Member => "Member",
        Role::Guest => "Guest",
    })
}
