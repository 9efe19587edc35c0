//! What is looked for, as a form that puts it into the page's address.

use super::words::done;
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;
use protocol::view::AuditAction;

/// What the address asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    pub person: String,
    pub text: String,
    pub action: Option<AuditAction>,
    pub before: Option<u64>,
}

pub fn asked() -> Memo<Asked> {
    let query = use_query_map();
    Memo::new(move |_| {
        query.with(|query| Asked {
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
pub fn older(path: &str, asked: &Asked, before: u64) -> String {
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
pub fn SearchForm(path: &'static str, asked: Asked) -> impl IntoView {
    let Asked { person, text, action, .. } = asked;
    let actions = AuditAction::ALL
        .into_iter()
        .map(|each| {
            view! { <option value=word(each) selected=action == Some(each)>{done(each)}</option> }
        })
        .collect_view();
    view! {
        <form method="get" action=path class="form" role="search">
            {(!person.is_empty()).then(|| view! { <input type="hidden" name="person" value=person.clone()/> })}
            <div class="field">
                <label class="field-label" for="audit-text">"Name, thing or address"</label>
                <input class="input" id="audit-text" name="text" type="search" maxlength="100" value=text/>
            </div>
            <div class="field">
                <label class="field-label" for="audit-action">"Kind"</label>
                <select class="input" id="audit-action" name="action">
                    <option value="" selected=action.is_none()>"Anything"</option>
                    {actions}
                </select>
            </div>
            <div class="form-end"><button type="submit" class="button">"Search"</button></div>
        </form>
    }
}

/// The action as it is written in an address: as on the wire.
fn word(action: AuditAction) -> String {
    serde_json::to_value(action).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}
