//! Everybody with an account.

use crate::money::in_short;
use crate::prelude::*;
use crate::ui::{Section, Table, When, dollars};
use protocol::view::{PersonView, Role};

#[component]
pub(super) fn PeopleSection(people: Vec<PersonView>) -> impl IntoView {
    let rows = people.into_iter().map(|person| view! { <Row person/> }).collect_view().into_any();
    view! {
        <Section id="people" title="People" lead="Open one to change their role or limits, or to shut them out.">
            <Table columns=["Name", "Role", "Last seen", "This month", "Limit"] rows/>
        </Section>
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
