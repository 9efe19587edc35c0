//! One version: its picture, who made it, and the way back to it.

use super::api::RestoreSkin;
use crate::conversations::InConversation;
use crate::prelude::*;
use crate::ui::{ActionForm, FormAction, Icon, When};
use leptos::attr::custom::custom_attribute;
use protocol::AgentId;
use protocol::view::{SkinOrigin, SkinVersion};

#[component]
pub fn Version(
    agent: AgentId,
    version: SkinVersion,
    is_newest: bool,
    restore: FormAction<RestoreSkin>,
) -> impl IntoView {
    let SkinVersion { version, at, origin, device, conversation } = version;
    let place = device.map(|device| format!(", {device}"));
    let still = format!("/sandbox/still/{agent}?version={version}");
    let end = if is_newest {
        view! { <span class="chip" data-kind="here">"Shown now"</span> }.into_any()
    } else {
        view! {
            <ActionForm action=restore>
                <input type="hidden" name="id" value=agent.0/>
                <input type="hidden" name="version" value=version.to_string()/>
                <button type="submit" class="button" aria-label={say!("Restore version {version}")}>
                    <Icon name="retry" small=true/>
                    "Restore"
                </button>
            </ActionForm>
        }
        .into_any()
    };
    view! {
        <li class="version">
            <div class="version-view">
                <iframe
                    src=still
                    title=""
                    tabindex="-1"
                    aria-hidden="true"
                    inert
                    sandbox=""
                    {..custom_attribute("loading", "lazy")}
                ></iframe>
            </div>
            <div class="version-head">
                <h3>"Version " <span class="num">{version.to_string()}</span></h3>
                {end}
            </div>
            <p class="version-by">{words(origin)} {place} <InConversation conversation/> ", " <When at/></p>
        </li>
    }
}

fn words(origin: SkinOrigin) -> &'static str {
    t(match origin {
        SkinOrigin::Run => "Drawn by the agent",
        SkinOrigin::Page => "Changed by the page itself",
        SkinOrigin::Person => "Restored by you",
        SkinOrigin::Copy => "Copied with the agent",
    })
}
