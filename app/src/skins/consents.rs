//! What the page may do without asking, and the way to take it back.

use super::api::ForgetConsent;
use crate::ui::ActionFailure;
use leptos::form::ActionForm;
use leptos::prelude::*;
use protocol::AgentId;

#[component]
pub fn Consents(agent: AgentId, tools: Vec<String>, forget: ServerAction<ForgetConsent>) -> impl IntoView {
    let rows = tools
        .into_iter()
        .map(|tool| {
            let (agent, label) = (agent.0.clone(), format!("Ask again before {tool}"));
            view! {
                <tr>
                    <td><code>{tool.clone()}</code></td>
                    <td class="list-end">
                        <ActionForm action=forget>
                            <input type="hidden" name="id" value=agent/>
                            <input type="hidden" name="tool" value=tool/>
                            <button type="submit" class="button" data-kind="quiet" aria-label=label>"Ask again"</button>
                        </ActionForm>
                    </td>
                </tr>
            }
        })
        .collect::<Vec<_>>();
    (!rows.is_empty()).then(|| {
        view! {
            <section class="section" aria-labelledby="consents">
                <div class="section-head">
                    <h2 id="consents">"Tools that the page may use"</h2>
                    <p>"You said Always. The page calls them without asking you."</p>
                </div>
                <ActionFailure value=forget.value()/>
                <table class="list"><tbody>{rows}</tbody></table>
            </section>
        }
    })
}
