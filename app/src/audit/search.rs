//! What is looked for, as a form that puts it into the page's address.

use super::words::done;
use crate::prelude::*;
use crate::ui::{Field, Select};
use leptos_router::hooks::use_query_map;
use protocol::view::AuditAction;

/// What the address asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageQuery {
    pub person: String,
    pub text: String,
    pub action: Option<AuditAction>,
    pub before: Option<u64>,
}

pub fn asked() -> Memo<PageQuery> {
    let query = use_query_map();
    Memo::new(move |_| {
        query.with(|query| PageQuery {
            person: query.get("person").unwrap_or_default(),
            text: query.get("text").unwrap_or_default(),
            action: query
                .get_str("action")
                .and_then(|word| AuditAction::ALL.into_iter().find(|action| self::word(*action) == word)),
            before: query.get_str("before").and_then(|before| before.parse().ok()),
        })
    })
}

/// The address of the lines before this one.
pub fn older(path: &str, asked: &PageQuery, before: u64) -> String {
    let mut address = format!("{path}?before={before}");
    for (name, value) in [
        ("person", asked.person.clone()),
        ("text", asked.text.clone()),
        ("action", asked.action.map(word).unwrap_or_default()),
    ] {
        if !value.is_empty() {
            address.push_str(&format!("&{name}={}", leptos_router::location::Url::escape(&value)));
        }
    }
    address
}

#[component]
pub fn SearchForm(path: &'static str, asked: PageQuery) -> impl IntoView {
    let PageQuery { person, text, action, .. } = asked;
    let actions = AuditAction::ALL
        .into_iter()
        .map(|each| {
            view! { <option value=word(each) selected=action == Some(each)>{done(each)}</option> }
        })
        .collect_view();
    view! {
        <form method="get" action=path class="form" role="search">
            {(!person.is_empty()).then(|| view! { <input type="hidden" name="person" value=person.clone()/> })}
            <Field id="audit-text" label="Name, thing or address">
                <input class="input" id="audit-text" name="text" type="search" maxlength="100" value=text/>
            </Field>
            <Select id="audit-action" name="action" label="Kind">
                <option value="" selected=action.is_none()>"Anything"</option>
                {actions}
            </Select>
            <div class="form-end"><button type="submit" class="button">"Search"</button></div>
        </form>
    }
}

/// The action as it is written in an address: as on the wire.
fn word(action: AuditAction) -> String {
    serde_json::to_value(action).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}
