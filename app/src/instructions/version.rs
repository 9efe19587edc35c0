//! One version: what it says and changed, and its row among the others.

use super::api::RestoreInstructions;
use crate::prelude::*;
use crate::ui::{ActionForm, Diff, FormAction, Section, When};
use protocol::view::{InstructionsAuthor, InstructionsText, InstructionsVersion};
use protocol::{AgentId, ConversationId};

/// The difference to the version before, and the whole.
#[component]
pub(super) fn VersionText(shown: InstructionsText) -> impl IntoView {
    let InstructionsText { version, text, difference } = shown;
    let whole = match text.is_empty() {
        true => view! { <p class="empty" data-size="small"><span>"No instructions."</span></p> }.into_any(),
        false => view! { <pre class="file-text" tabindex="0">{text}</pre> }.into_any(),
    };
    let (lead, body) = match difference {
        Some(difference) => (
            t("What changed, line by line."),
            view! {
                <Diff text=difference wraps=true/>
                <details class="fold">
                    <summary><span class="fold-title">"All of it"</span></summary>
                    <div class="fold-body">{whole}</div>
                </details>
            }
            .into_any(),
        ),
        None if version == 1 => (t("The first that is known."), whole),
        None => (t("What stood there before is not kept any more."), whole),
    };
    view! { <Section id="text" title={say!("Version {version}")} lead=lead>{body}</Section> }
}

#[component]
pub(super) fn Version(
    agent: AgentId,
    name: String,
    version: InstructionsVersion,
    is_newest: bool,
    restore: FormAction<RestoreInstructions>,
) -> impl IntoView {
    let InstructionsVersion { version, at, author, conversation } = version;
    let address = format!("/agents/{agent}/instructions?version={version}");
    let when = match author {
        Some(_) => view! { <When at/> }.into_any(),
        None => t("Before versions were kept").into_any(),
    };
    let by = written_by(author, conversation, &agent, name);
    let end = match is_newest {
        true => view! { <span class="chip" data-kind="here">"Now"</span> }.into_any(),
        false => view! {
            <ActionForm action=restore>
                <input type="hidden" name="agent" value=agent.0/>
                <input type="hidden" name="version" value=version.to_string()/>
                <button type="submit" class="button" data-kind="quiet" aria-label={say!("Restore version {version}")}>"Restore"</button>
            </ActionForm>
        }
        .into_any(),
    };
    view! {
        <tr>
            <td><a href=address>"Version " <span class="num">{version.to_string()}</span></a></td>
            <td data-label="When">{when}</td>
            <td data-label="By">{by}</td>
            <td class="list-end">{end}</td>
        </tr>
    }
}

/// Who wrote it, of an agent of this name.
fn written_by(
    author: Option<InstructionsAuthor>,
    conversation: Option<ConversationId>,
    agent: &AgentId,
    name: String,
) -> AnyView {
    let place = conversation.map(|conversation| format!("/agents/{agent}/conversations/{conversation}"));
    match (author, place) {
        (Some(InstructionsAuthor::Person), _) => t("You").into_any(),
        (Some(InstructionsAuthor::Agent), Some(place)) => {
            view! { {name} ", in " <a href=place>"a conversation"</a> }.into_any()
        }
        (Some(InstructionsAuthor::Agent), None) => name.into_any(),
        (Some(InstructionsAuthor::Copy), _) => t("Came along").into_any(),
        (None, _) => t("Not known").into_any(),
    }
}
