//! Whose thing the path of a page names.

use crate::routes::filled;

/// Whose thing a path names.
pub enum Whose {
    Agent,
    /// Under an address that is signed.
    File,
    /// Under its agent.
    OfAgent,
    Archive,
    /// A picture.
    Attachment,
    Conversation,
    Share,
    Import,
    Provider,
    Skill,
    Workspace,
    Person,
    McpServer,
    Peer,
    JobService,
    ExternalJob,
    Pipeline,
    TeamFile,
    /// A code that somebody brings along, a function, a file of the build, a model by its public name, or where
    /// deliveries go.
    Nobody,
}

pub fn whose(path: &str) -> Whose {
    let (before, _) = path.split_once([':', '{']).unwrap();
    match before {
        "/sandbox/app/" => Whose::OfAgent,
        // Files are posted there, and nothing is read.
        "/tools/" if path == "/tools/{agent}" => Whose::Nobody,
        "/tools/" => Whose::OfAgent,
        "/agents/"
            if ["/schedules/", "/conversations/", "/files/"].iter().any(|part| path.contains(part)) =>
        {
            Whose::OfAgent
        }
        // A file is named besides, and there is none.
        "/folders/" if path == "/folders/{folder}/page" => Whose::OfAgent,
        "/agents/" | "/sandbox/still/" | "/archives/" | "/api/agents/" | "/a2a/" | "/folders/" => {
            Whose::Agent
        }
        "/files/" => Whose::File,
        "/gallery/" | "/sandbox/still/archive/" => Whose::Archive,
        "/attachments/" => Whose::Attachment,
        "/conversations/" => Whose::Conversation,
        "/shared/" => Whose::Share,
        "/import/" => Whose::Import,
        "/providers/" => Whose::Provider,
        "/skills/" => Whose::Skill,
        "/workspaces/" => Whose::Workspace,
        "/admin/people/" => Whose::Person,
        "/mcp-servers/" => Whose::McpServer,
        "/peers/" => Whose::Peer,
        "/job-services/" => Whose::JobService,
        "/external-jobs/" => Whose::ExternalJob,
        "/pipelines/" => Whose::Pipeline,
        "/teams/files/" => Whose::TeamFile,
        "/setup/" | "/reset/" | "/api/" | "/v1/models/" | "/v1/" | "/b/" | "/hooks/" | "/unsubscribe/"
        | "/app-icons/" => Whose::Nobody,
        before => panic!("say whose thing {before} names"),
    }
}

/// The path with this thing, and with a signature where one is looked for.
pub fn address(path: &str, id: &str) -> String {
    let signature = if path.starts_with("/files/") { "?until=1&mac=x" } else { "" };
    format!("{}{signature}", filled(path, id))
}
