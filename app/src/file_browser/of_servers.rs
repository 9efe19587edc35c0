//! What MCP servers have to read, as folders of an agent: which are mounted, and what is in one of them.

use super::preview::Preview;
use crate::AppError;
use crate::files::size;
use crate::mcp_servers::api::{
    MountMcpServer, UnmountMcpServer, list_mcp_mounted_files, list_mcp_mounts, read_mcp_mounted_file,
};
use crate::prelude::*;
use crate::ui::{
    ACTIONS, ActionFailure, ActionForm, Done, FailureBanner, FormAction, Section, Table, kept_each,
};
use leptos_router::location::Url;
use protocol::files::{FilePreview, FileView, McpMount, McpMountedContent, McpMountedFile, McpMountedFiles};
use protocol::{AgentId, McpServerId};
use serde::{Deserialize, Serialize};

/// What the page shows of them.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Mounts {
    agent: AgentId,
    all: Vec<McpMount>,
    looked: Option<Looked>,
}

/// A mount that is looked into.
#[derive(Clone, Serialize, Deserialize)]
struct Looked {
    server: McpServerId,
    name: String,
    files: Result<McpMountedFiles, AppError>,
    read: Option<Result<McpMountedContent, AppError>>,
}

impl Mounts {
    /// `server` is looked into and `file` of it read, where the address names them.
    pub(super) async fn load(agent: AgentId, server: &str, file: String) -> Result<Self, AppError> {
        let all = list_mcp_mounts(agent.clone()).await?;
        let looked = match all.iter().find(|mount| mount.is_mounted && mount.server.0 == server) {
            Some(McpMount { server, name, .. }) => {
                let (server, name) = (server.clone(), name.clone());
                let files = list_mcp_mounted_files(server.clone(), agent.0.clone()).await;
                let read = match file.is_empty() {
                    true => None,
                    false => Some(read_mcp_mounted_file(server.clone(), agent.0.clone(), file).await),
                };
                Some(Looked { server, name, files, read })
            }
            None => None,
        };
        Ok(Self { agent, all, looked })
    }
}

#[component]
pub(super) fn OfServers(
    mounts: Mounts,
    mount: FormAction<MountMcpServer>,
    unmount: FormAction<UnmountMcpServer>,
) -> impl IntoView {
    let Mounts { agent, all, looked } = mounts;
    let list = if all.is_empty() {
        view! { <p class="empty" data-size="small"><span>"None of your servers has anything to read. Each says so when it is added or looked at again."</span></p> }
            .into_any()
    } else {
        let agent = agent.clone();
        let rows = kept_each(all, move |each| row(&agent, each, mount, unmount));
        view! { <Table columns=["Folder", ACTIONS] rows/> }.into_any()
    };
    let looked = looked.map(|looked| looked_into(&agent, looked));
    view! {
        <Section
            id="mcp"
            title="From MCP servers"
            lead="What servers of yours have to read, as folders under /mcp. It reads and searches them like its files and can change nothing there. Each look asks the server, with your access to it; none of its tools come along."
        >
            <Done what="mounted" words="It has the folder now."/>
            <Done what="unmounted" words="The folder was taken away."/>
            <ActionFailure value=mount.value()/>
            <ActionFailure value=unmount.value()/>
            {list}
            <p class="actions"><a class="button" data-kind="quiet" href="/mcp-servers">"Your MCP servers"</a></p>
            {looked}
        </Section>
    }
}

fn row(
    agent: &AgentId,
    each: McpMount,
    mount: FormAction<MountMcpServer>,
    unmount: FormAction<UnmountMcpServer>,
) -> AnyView {
    let McpMount { server, name, is_mounted, has_resources } = each;
    let (folder, owner) = (format!("/mcp/{name}"), agent.0.clone());
    let hint = (!has_resources)
        .then(|| view! { <p class="field-hint">"Its server has nothing to read at the moment."</p> });
    let actions = if is_mounted {
        let (look, label) = (say!("Look into {folder}"), say!("Take away {folder}"));
        let address = address(agent, &server, "");
        view! {
            <a class="button" data-kind="quiet" href=address aria-label=look>"Look into"</a>
            <ActionForm action=unmount>
                <input type="hidden" name="id" value=server.0/>
                <input type="hidden" name="agent" value=owner/>
                <button type="submit" class="button" data-kind="quiet" aria-label=label>"Take away"</button>
            </ActionForm>
        }
        .into_any()
    } else {
        let label = say!("Mount {folder}");
        view! {
            <ActionForm action=mount>
                <input type="hidden" name="id" value=server.0/>
                <input type="hidden" name="agent" value=owner/>
                <button type="submit" class="button" data-kind="quiet" aria-label=label>"Mount"</button>
            </ActionForm>
        }
        .into_any()
    };
    view! {
        <tr>
            <td class="file-path"><code>{folder}</code> {hint}</td>
            <td class="list-end"><div class="actions">{actions}</div></td>
        </tr>
    }
    .into_any()
}

fn looked_into(agent: &AgentId, looked: Looked) -> AnyView {
    let Looked { server, name, files, read } = looked;
    let folder = format!("/mcp/{name}");
    let close = format!("/agents/{agent}/files#mcp");
    let list = match files {
        Err(AppError(failure)) => view! { <FailureBanner failure/> }.into_any(),
        Ok(McpMountedFiles { files, .. }) if files.is_empty() => {
            view! { <p class="empty" data-size="small"><span>"Nothing is in it."</span></p> }.into_any()
        }
        Ok(McpMountedFiles { files, more }) => {
            let lines = files.into_iter().map(|file| line(agent, &server, file)).collect_view();
            let rest =
                more.then(|| view! { <p class="field-hint">"The server has more than is listed here."</p> });
            view! { <Table columns=["File", "Size"] rows=lines.into_any()/> {rest} }.into_any()
        }
    };
    let read = read.map(|read| match read {
        Err(AppError(failure)) => view! { <FailureBanner failure/> }.into_any(),
        Ok(content) => shown(address(agent, &server, ""), content),
    });
    view! {
        <h3 class="file-part">"In " <code>{folder}</code></h3>
        <p class="actions"><a class="button" data-kind="quiet" href=close>"Close the list"</a></p>
        {list}
        {read}
    }
    .into_any()
}

fn line(agent: &AgentId, server: &McpServerId, file: McpMountedFile) -> AnyView {
    let McpMountedFile { path, size: bytes } = file;
    let address = address(agent, server, &path);
    view! {
        <tr>
            <td class="file-path"><a href=address>{path}</a></td>
            <td data-label="Size" class="num">{bytes.map(size)}</td>
        </tr>
    }
    .into_any()
}

fn shown(close: String, content: McpMountedContent) -> AnyView {
    let McpMountedContent { path, size, preview } = content;
    let (preview, is_all) = match preview {
        FilePreview::Text { text, whole } => (Some(FilePreview::Text { text, whole: true }), whole),
        FilePreview::Document { parts, whole, .. } => {
            (Some(FilePreview::Document { parts, whole: true, pages: 0 }), whole)
        }
        FilePreview::Unread { why } => (Some(FilePreview::Unread { why }), true),
        FilePreview::Picture | FilePreview::Other => (None, true),
    };
    let title = path.clone();
    let file = FileView { path, size, at: 0, version: 0, author: None, untrusted: true, url: String::new() };
    let preview = match preview {
        Some(preview) => view! { <Preview file preview/> }.into_any(),
        None => {
            view! { <p class="empty" data-size="small"><span>"It is no text and no document that can be shown here."</span></p> }
                .into_any()
        }
    };
    let rest = (!is_all)
        .then(|| view! { <p class="field-hint">"Shown is the beginning. The agent can read all of it."</p> });
    view! {
        <Section id="mcp-file" title=title>
            {preview}
            {rest}
            <p class="actions"><a class="button" data-kind="quiet" href=close>"Close it"</a></p>
        </Section>
    }
    .into_any()
}

/// The page on which the mount is looked into, and a file of it read.
fn address(agent: &AgentId, server: &McpServerId, file: &str) -> String {
    let page = format!("/agents/{agent}/files?mount={}", Url::escape(&server.0));
    match file {
        "" => format!("{page}#mcp"),
        file => format!("{page}&file={}#mcp-file", Url::escape(file)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_a_server_stays_one_in_its_address() {
        let (agent, server) = (AgentId("a".to_owned()), McpServerId("s".to_owned()));
        assert_eq!(address(&agent, &server, ""), "/agents/a/files?mount=s#mcp");
        let file = address(&agent, &server, "beds/a&b.md");
        assert!(file.ends_with("#mcp-file") && !file.contains("a&b"), "{file}");
    }
}
