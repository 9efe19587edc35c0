//! An address of which nobody knows what answers there.

use super::api::SaveProvider;
use super::local::FoundList;
use crate::prelude::*;
use crate::ui::{Field, FormAction, Section};
use protocol::view::FoundServers;

#[component]
pub(super) fn FindOut(
    asked: String,
    found: Option<FoundServers>,
    save: FormAction<SaveProvider>,
) -> impl IntoView {
    view! {
        <Section
            id="find-out"
            title="Find out what is at an address"
            lead="A host, with or without port and path. It is asked for its models, without a key."
        >
            <form method="get" action="/providers" class="form">
                <Field id="find-at" label="Address">
                    <input
                        class="input input-code"
                        id="find-at"
                        name="at"
                        value=asked
                        required
                        maxlength="300"
                        autocapitalize="none"
                        spellcheck="false"
                        placeholder={"localhost:11434"}
                    />
                </Field>
                <div class="form-end"><button type="submit" class="button">"Find out"</button></div>
            </form>
            {found.map(|FoundServers { found, summary }| {
                let lines = summary.lines().map(|line| view! { <li>{told(line)}</li> }).collect_view();
                let list = (!found.is_empty()).then(|| view! { <FoundList found save/> });
                view! {
                    <ul role="status">{lines}</ul>
                    {list}
                }
            })}
        </Section>
    }
}

/// A line of the summary: who may be at which address, and what came of asking.
fn told(line: &str) -> String {
    let parts = line.split_once(" at ").and_then(|(name, rest)| {
        let (address, said) = rest.split_once(": ")?;
        Some((name, address, said))
    });
    match parts {
        Some((name, address, said)) => {
            say!("{name} at {address}: {said}", said = language::sentence(said))
        }
        None => language::sentence(line).into_owned(),
    }
}
