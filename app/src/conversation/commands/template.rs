//! An address with parts in braces: each part is a field, for which the server suggests what it has.

use crate::mcp_servers::api::complete_mcp_argument;
use crate::prelude::*;
use crate::ui::Field;
use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::task::spawn_local;
use protocol::view::McpPromptValue;
use protocol::{AgentId, McpServerId};
use std::fmt::Write;
use std::time::Duration;

/// The server is asked once nothing was written for so long.
const PAUSE: Duration = Duration::from_millis(250);

/// The parts by their names, with what is written for each.
type Values = Vec<(String, RwSignal<String>)>;

/// Writes into `address` what they make of it.
#[component]
pub(super) fn TemplateFields(
    template: String,
    server: McpServerId,
    agent: AgentId,
    address: RwSignal<String>,
) -> impl IntoView {
    let values: Values =
        parts(&template).into_iter().map(|name| (name, RwSignal::new(String::new()))).collect();
    let all = StoredValue::new((server, agent, template, values.clone()));
    let fields = values.into_iter().enumerate().map(move |(place, (name, value))| {
        let id = format!("resource-part-{place}");
        let (list, suggested) = (format!("{id}-suggested"), RwSignal::new(Vec::<String>::new()));
        let waiting = StoredValue::new(None::<TimeoutHandle>);
        let named = StoredValue::new(name.clone());
        let suggest = move || {
            if let Some(before) = waiting.get_value() {
                before.clear();
            }
            let ask = move || {
                // The dialog may be gone by now.
                let asked = (all.try_get_value(), named.try_get_value(), value.try_get_untracked());
                if let (Some((server, agent, template, values)), Some(part), Some(written)) = asked {
                    ask((server, agent, template), &values, part, (value, written), suggested);
                }
            };
            waiting.set_value(set_timeout_with_handle(ask, PAUSE).ok());
        };
        let write = move |written: String| {
            value.set(written);
            all.with_value(|(_, _, template, values)| {
                let written = values.iter().map(|(name, value)| (name.as_str(), value.get_untracked()));
                address.set(filled(template, written));
            });
        };
        let options =
            move || suggested.get().into_iter().map(|value| view! { <option value=value/> }).collect_view();
        view! {
            <Field id=id.clone() label=name>
                <input
                    class="input"
                    id=id
                    autocomplete="off"
                    maxlength="1000"
                    list=list.clone()
                    prop:value=move || value.get()
                    on:focus=move |_| suggest()
                    on:input=move |event| {
                        write(event_target_value(&event));
                        suggest();
                    }
                />
                <datalist id=list>{options}</datalist>
            </Field>
        }
    });
    fields.collect_view()
}

/// A server that suggests nothing, or does not answer, leaves the field as it is.
fn ask(
    (server, agent, template): (McpServerId, AgentId, String),
    values: &Values,
    part: String,
    (value, written): (RwSignal<String>, String),
    suggested: RwSignal<Vec<String>>,
) {
    let others = values.iter().filter(|(name, _)| *name != part);
    let others = others.map(|(name, value)| McpPromptValue {
        name: name.clone(),
        value: value.try_get_untracked().unwrap_or_default(),
    });
    let others = others.collect();
    spawn_local(async move {
        let asked = written.clone();
        let answer =
            complete_mcp_argument(server, agent, String::new(), template, part, written, others).await;
        // What was suggested for what stood there before is late.
        if let Ok(values) = answer
            && value.try_get_untracked() == Some(asked)
        {
            suggested.try_set(values);
        }
    });
}

/// The names in braces. None where some are no plain names: such an address is written by hand.
fn parts(template: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for rest in template.split('{').skip(1) {
        let name = rest.split_once('}').map_or("", |(name, _)| name);
        let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'));
        if name.is_empty() || !is_plain {
            return Vec::new();
        }
        if !parts.iter().any(|known| known == name) {
            parts.push(name.to_owned());
        }
    }
    parts
}

/// The address with what is written so far; what is not stays in braces.
fn filled<'a>(template: &str, written: impl Iterator<Item = (&'a str, String)>) -> String {
    written.filter(|(_, value)| !value.is_empty()).fold(template.to_owned(), |address, (name, value)| {
        address.replace(&format!("{{{name}}}"), &encoded(&value))
    })
}

fn encoded(value: &str) -> String {
    let mut encoded = String::new();
    for byte in value.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => encoded.push(byte.into()),
            _ => {
                // A text takes whatever is written into it.
                let _ = write!(encoded, "%{byte:02X}");
            }
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_filled_in_part_by_part() {
        let template = "garden://{bed}/rows/{row}/{bed}";
        assert_eq!(parts(template), ["bed", "row"]);
        for (bed, row, expected) in [
            ("", "", template),
            ("north", "", "garden://north/rows/{row}/north"),
            ("a/b ü{row}", "2", "garden://a%2Fb%20%C3%BC%7Brow%7D/rows/2/a%2Fb%20%C3%BC%7Brow%7D"),
        ] {
            let written = [("bed", bed.to_owned()), ("row", row.to_owned())];
            assert_eq!(filled(template, written.into_iter()), expected);
        }
        for by_hand in
            ["garden://beds", "garden://{+path}", "garden://{bed}{?from,to}", "garden://{bed", "{}"]
        {
            assert_eq!(parts(by_hand), Vec::<String>::new(), "{by_hand}");
        }
    }
}
