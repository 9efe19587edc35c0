//! The page that asks once more before an agent is gone.

use super::agent_in_path;
use super::api::{DeleteAgent, count_messages, get_agent};
use crate::AppError;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::me;
use crate::together::together;
use crate::ui::{ActionFailure, ActionForm, FormAction, PageTitle};
use protocol::AgentId;
use protocol::view::{AgentView, Me};

#[component]
pub fn DeleteAgentPage() -> impl IntoView {
    let id = agent_in_path();
    let delete = FormAction::<DeleteAgent>::new();
    let doomed = PageResource::new(move || id.get(), load);
    view! {
        <Loaded resource=doomed view=move |(me, agent, messages)| {
            let AgentView { id, name, .. } = agent;
            let what = what_goes(&name, messages);
            view! {
                <PageTitle text=say!("Delete {name}")/>
                <Shell me>
                    <div class="settings">
                        <h1>{say!("Delete {name}")}</h1>
                        <p>"Its definition, conversation, page and everything it kept are deleted. This cannot be undone."</p>
                        <ActionFailure value=delete.value()/>
                        <ActionForm action=delete attr:class="actions">
                            <input type="hidden" name="id" value=id.0.clone()/>
                            <button type="submit" class="button" data-kind="danger">{what}</button>
                            <a class="button" data-kind="quiet" href=format!("/agents/{id}")>{say!("Keep {name}")}</a>
                        </ActionForm>
                    </div>
                </Shell>
            }
        }/>
    }
}

fn what_goes(name: &str, messages: u64) -> String {
    match messages {
        0 => say!("Delete {name}"),
        _ => {
            plural!(messages, "Delete {name} and its 1 message", "Delete {name} and its {messages} messages")
        }
    }
}

async fn load(id: AgentId) -> Result<(Me, AgentView, u64), AppError> {
    Ok(together!(me(), get_agent(id.clone()), count_messages(id)))
}

#[cfg(test)]
mod tests {
    use super::what_goes;

    #[test]
    fn the_button_says_what_goes() {
        assert_eq!(what_goes("Ada", 0), "Delete Ada");
        assert_eq!(what_goes("Ada", 1), "Delete Ada and its 1 message");
        assert_eq!(what_goes("Ada", 42), "Delete Ada and its 42 messages");
    }
}
