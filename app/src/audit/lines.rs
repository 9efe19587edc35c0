//! Events as a table.

use super::words::{what, who};
use crate::prelude::*;
use crate::ui::{Table, When};
use protocol::view::{AuditLine, AuditOutcome};

#[component]
pub fn AuditLines(lines: Vec<AuditLine>) -> impl IntoView {
    if lines.is_empty() {
        return view! { <p class="empty" data-size="small">"Nothing like that happened."</p> }.into_any();
    }
    let rows = lines.into_iter().map(|line| view! { <Row line/> }).collect_view().into_any();
    view! {
        <Table columns=["What", "Who", "From", "When"] rows/>
    }
    .into_any()
}

#[component]
fn Row(line: AuditLine) -> impl IntoView {
    let refused = line.outcome == AuditOutcome::Refused;
    let about = (!line.person.is_empty() && line.person != line.actor)
        .then(|| view! { " " <span class="soft">{say!("for {person}", person = line.person)}</span> });
    let from = if line.address.is_empty() {
        view! { <span class="faint">"–"</span> }.into_any()
    } else {
        view! { <code>{line.address.clone()}</code> }.into_any()
    };
    view! {
        <tr>
            <td>
                {what(&line)} {about}
                {refused.then(|| view! { <span class="chip" data-kind="refused">"Refused"</span> })}
            </td>
            <td data-label="Who">{who(&line)}</td>
            <td data-label="From">{from}</td>
            <td data-label="When"><When at=line.at/></td>
        </tr>
    }
}
