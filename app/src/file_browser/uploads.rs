//! What came with messages to an agent and what tools of MCP servers brought it: its folder `/uploads`, and a file of it.

use super::preview::Preview;
use super::tree::Tree;
use crate::AppError;
use crate::conversations::InConversation;
use crate::files::api::{list_uploads, view_upload};
use crate::files::size;
use crate::prelude::*;
use crate::ui::{ACTIONS, FailureBanner, Section, Table, When};
use leptos::task::spawn_local;
use leptos_router::location::Url;
use protocol::AgentId;
use protocol::files::{FileView, UploadContent, UploadView};
use serde::{Deserialize, Serialize};

/// What the page shows of them.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Uploads {
    agent: AgentId,
    all: Vec<UploadView>,
    opened: Option<Result<UploadContent, AppError>>,
}

impl Uploads {
    /// The one at `path` is opened, where the address names one.
    pub(super) async fn load(agent: AgentId, path: String) -> Result<Self, AppError> {
        let all = list_uploads(agent.clone()).await?;
        let opened = match path.is_empty() {
            true => None,
            false => Some(view_upload(agent.clone(), path).await),
        };
        Ok(Self { agent, all, opened })
    }
}

#[component]
pub(super) fn UploadedFiles(tree: Tree, uploads: Uploads) -> impl IntoView {
    let Uploads { agent, all, opened } = uploads;
    let all = RwSignal::new(all);
    follow(tree, agent.clone(), all);
    let opened = opened.map(|opened| match opened {
        Err(AppError(failure)) => view! { <FailureBanner failure/> }.into_any(),
        Ok(content) => shown(&agent, content),
    });
    view! {
        <Section
            id="uploads"
            title="Came with messages"
            lead="What you attached to messages, and what tools of MCP servers brought, as the folder /uploads. It reads and searches this as it came, and can change nothing there."
        >
            {move || list(&agent, all.get())}
            {opened}
        </Section>
    }
}

/// A run that ended may have brought some.
fn follow(tree: Tree, agent: AgentId, all: RwSignal<Vec<UploadView>>) {
    Effect::new(move |before: Option<u32>| {
        let looked = tree.looked.get();
        if before.is_some_and(|before| before != looked) {
            let agent = agent.clone();
            spawn_local(async move {
                if let Ok(fresh) = list_uploads(agent).await {
                    let _ = all.try_set(fresh);
                }
            });
        }
        looked
    });
}

fn list(agent: &AgentId, all: Vec<UploadView>) -> AnyView {
    if all.is_empty() {
        return view! { <p class="empty" data-size="small"><span>"Nothing so far. Attach a file to a message, and it lies here too."</span></p> }
            .into_any();
    }
    let rows = all.into_iter().map(|file| row(agent, file)).collect_view();
    view! { <Table columns=["File", "Size", "Came", "From", ACTIONS] rows=rows.into_any()/> }.into_any()
}

fn row(agent: &AgentId, file: UploadView) -> AnyView {
    let from = from(&file);
    let UploadView { id, path, size: bytes, at, .. } = file;
    let (page, save) = (address(agent, &path), say!("Download {path}"));
    let name = own_name(&path).to_owned();
    view! {
        <tr>
            <td class="file-path"><a href=page>{path}</a></td>
            <td data-label="Size" class="num">{size(bytes)}</td>
            <td data-label="Came"><When at/></td>
            <td data-label="From">{from}</td>
            <td class="list-end">
                <a class="button" data-kind="quiet" href=format!("/attachments/{id}") download=name rel="external" aria-label=save>"Download"</a>
            </td>
        </tr>
    }
    .into_any()
}

fn shown(agent: &AgentId, content: UploadContent) -> AnyView {
    let UploadContent { file, preview, conversation } = content;
    let from = from(&file);
    let UploadView { id, path, size, at, server, .. } = file;
    let (title, url, name) =
        (format!("/uploads/{path}"), format!("/attachments/{id}"), own_name(&path).to_owned());
    let save = url.clone();
    let untrusted = server.is_some();
    let file = FileView { path, size, at, version: 0, author: None, untrusted, url };
    let close = format!("/agents/{agent}/files#uploads");
    view! {
        <Section id="upload" title=title>
            <p>{from} <InConversation conversation/></p>
            <Preview file preview/>
            <p class="actions">
                <a class="button" data-kind="primary" href=save download=name rel="external">"Download"</a>
                <a class="button" data-kind="quiet" href=close>"Close it"</a>
            </p>
        </Section>
    }
    .into_any()
}

/// What it came with.
fn from(file: &UploadView) -> String {
    match (file.server.clone(), file.by_tool) {
        (None, false) => t("With a message").to_owned(),
        (Some(server), false) => say!("With a message, from the MCP server {server}"),
        (Some(server), true) => say!("Brought by a tool of the MCP server {server}"),
        (None, true) => t("Brought by a tool").to_owned(),
    }
}

/// The page on which it is opened.
fn address(agent: &AgentId, path: &str) -> String {
    format!("/agents/{agent}/files?upload={}#upload", Url::escape(path))
}

/// Without the folder that tells equal names apart.
fn own_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_stays_one_in_its_address_and_is_saved_under_its_own_name() {
        let page = address(&AgentId("a".to_owned()), "1f/a&b#c.md");
        assert!(page.starts_with("/agents/a/files?upload=1f"), "{page}");
        assert!(page.ends_with("#upload") && !page.contains("a&b") && !page.contains("#c"), "{page}");
        assert_eq!(own_name("1f/a&b#c.md"), "a&b#c.md");
    }
}
