//! An address of which nobody knows what answers there.

use super::api::SaveProvider;
use super::local::FoundList;
use leptos::prelude::*;
use protocol::view::FoundServers;

#[component]
pub(super) fn FindOut(
    asked: String,
    found: Option<FoundServers>,
    save: ServerAction<SaveProvider>,
) -> impl IntoView {
    view! {
        <section class="section" aria-labelledby="find-out">
            <div class="section-head">
                <h2 id="find-out">"Find out what is at an address"</h2>
                <p>"A host, with or without port and path. It is asked for its models, without a key."</p>
            </div>
            <form method="get" action="/providers" class="form">
                <div class="field">
                    <label class="field-label" for="find-at">"Address"</label>
                    <input
                        class="input input-code"
                        id="find-at"
                        name="at"
                        value=asked
                        required
                        maxlength="300"
                        autocapitalize="none"
                        spellcheck="false"
                        placeholder="localhost:11434"
                    />
                </div>
                <div class="form-end"><button type="submit" class="button">"Find out"</button></div>
            </form>
            {found.map(|FoundServers { found, summary }| {
                let lines = summary.lines().map(|line| view! { <li>{line.to_owned()}</li> }).collect_view();
                let list = (!found.is_empty()).then(|| view! { <FoundList found save/> });
                view! {
                    <ul role="status">{lines}</ul>
                    {list}
                }
            })}
        </section>
    }
}
