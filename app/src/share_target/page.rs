//! The page that an app's "Share" leads to. Nothing is sent from here: a press opens the agent, with the text
//! where its person writes.

use crate::AppError;
use crate::agents::api::list_agents;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::me;
use crate::together::together;
use crate::ui::{Field, Icon, PageTitle, Plant, TextArea};
use leptos_router::hooks::use_query_map;
use protocol::view::{AgentCard, Me};

#[component]
pub fn ShareTargetPage() -> impl IntoView {
    let query = use_query_map();
    let part = move |name: &str| query.with_untracked(|query| query.get(name)).unwrap_or_default();
    let shared = StoredValue::new(Shared {
        text: joined(&[part("title"), part("text"), part("url")]),
        files: query.with_untracked(|query| query.get_all("file")).unwrap_or_default(),
        is_missed: !part("missed").is_empty(),
    });
    let agents = PageResource::new(|| (), |()| load());
    view! {
        <Loaded resource=agents view=move |(me, agents)| view! {
            <PageTitle text="Share with an agent".to_owned()/>
            <Shell me>{choice(agents, shared.get_value())}</Shell>
        }/>
    }
}

#[derive(Clone)]
struct Shared {
    text: String,
    /// What they are called. The browser has them.
    files: Vec<String>,
    /// There was more, which did not arrive.
    is_missed: bool,
}

async fn load() -> Result<(Me, Vec<AgentCard>), AppError> {
    Ok(together!(me(), list_agents()))
}

fn choice(agents: Vec<AgentCard>, Shared { text, files, is_missed }: Shared) -> AnyView {
    if agents.is_empty() {
        return view! {
            <div class="settings">
                <div class="empty">
                    <Plant/>
                    <h1>"There is no agent to share with yet"</h1>
                    <p>"Make one, and share again."</p>
                    <a class="button" data-kind="primary" href="/agents/new">"New agent"</a>
                </div>
            </div>
        }
        .into_any();
    }
    let buttons = agents.into_iter().map(|AgentCard { id, name, colour, .. }| {
        let letter: String = name.chars().take(1).flat_map(char::to_uppercase).collect();
        view! {
            <li>
                <button class="share-agent own" style=format!("--own:{colour}") formaction=format!("/agents/{id}")>
                    <span class="avatar" aria-hidden="true">{letter}</span>
                    <span>{name}</span>
                </button>
            </li>
        }
    });
    view! {
        <div class="settings">
            <header class="section-head">
                <h1>"Share with an agent"</h1>
                <p>"The agent opens with this text where you write. Nothing is sent before you send it."</p>
            </header>
            {is_missed.then(|| view! {
                <div class="banner" data-kind="error" role="alert">
                    <Icon name="warn"/>
                    <p class="banner-text">
                        "Not all that was shared arrived. It does once the hub was opened as an app on this device, if there is room on it. Share it once more."
                    </p>
                </div>
            })}
            <form method="get">
                {(!files.is_empty()).then(|| view! { <Files names=files/> })}
                <Field id="shared-text" label="Text">
                    <TextArea text attr:class="input" attr:id="shared-text" attr:name="q" attr:rows="5"/>
                </Field>
                <ul class="share-agents" aria-label="Agents">{buttons.collect_view()}</ul>
            </form>
        </div>
    }
    .into_any()
}

/// They come along to whichever agent is pressed.
#[component]
fn Files(names: Vec<String>) -> impl IntoView {
    let files = names.into_iter().map(|name| {
        view! {
            <li class="added-file">
                <Icon name="file"/>
                <span class="added-words"><span class="added-name">{name}</span></span>
            </li>
        }
    });
    view! {
        <ul class="added" aria-label="Files that come along">{files.collect_view()}</ul>
        <input type="hidden" name="files" value="shared"/>
    }
}

/// What was shared, a part to a line. Apps put the address into the text, too.
fn joined(parts: &[String]) -> String {
    let mut text = String::new();
    for part in parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty()) {
        if text.contains(part) {
            continue;
        }
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(part);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn what_is_shared_twice_stands_there_once() {
        for (parts, expected) in [
            (["", "", ""], ""),
            (["Moss", "", "https://moss.example/"], "Moss\nhttps://moss.example/"),
            (
                ["Moss", "See https://moss.example/", "https://moss.example/"],
                "Moss\nSee https://moss.example/",
            ),
            (["", " Moss ", "Moss"], "Moss"),
        ] {
            assert_eq!(joined(&parts.map(str::to_owned)), expected);
        }
    }
}
