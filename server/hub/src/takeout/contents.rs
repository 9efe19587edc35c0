//! What goes along, in which folders.

use super::names::Names;
use super::writer::{Source, ZipWriter};
use crate::access::Scoped;
use crate::conversations::ExportFormat;
use crate::error::{Error, Result};
use crate::files;
use crate::store::query;
use protocol::{AgentId, AttachmentId, ConversationId, SkillId};
use serde::Serialize;

const ABOUT: &str = "\
Everything of yours from this hub.

agents/NAME/*.flo.zip       an agent with its page, state, files, tools and schedules: bring it in under Gallery
agents/NAME/conversations   each conversation to read (.md), and every entry of its log (.json)
attachments                 what you attached to messages
workspaces                  the files that your agents share
memories.json               what your agents remember: bring it in under Memory
context.json                what your agents are told around what you say
skills                      the skills that your agents may be given
agents.yaml                 your roles, with the names of their agents: bring it in under Teams
pipelines                   pipelines with what came of their tasks
settings                    providers, MCP servers, peers, job services and where agents search, without keys
external-jobs.json          what your agents started elsewhere
usage.csv, tools.csv        what was used in the last year

Not in here: keys, passwords, passkeys and tokens, which nobody can read out of the hub; rules, limits and prices, and
the keys if you want them along, move sealed under Account, Move settings; former versions of files and pages; what is
in the bin; what others share with you.
";

/// Writes all of it. What cannot be written is named at the end, and is no reason to leave out the rest.
pub(super) async fn write(scoped: Scoped<'_>, zip: &mut ZipWriter) -> Result<()> {
    let mut left_out = Vec::new();
    write_agents(scoped, zip, &mut left_out).await?;
    write_attachments(scoped, zip).await?;
    write_workspaces(scoped, zip).await?;
    write_skills(scoped, zip).await?;
    write_pipelines(scoped, zip).await?;
    if let Some(roles) = scoped.teams().roles().await? {
        zip.add("agents.yaml", roles).await?;
    }
    zip.add("memories.json", json(&scoped.memories().export().await?)?).await?;
    zip.add("context.json", json(&scoped.person_context().show().await?)?).await?;
    zip.add("settings/providers.json", json(&scoped.providers().list().await?)?).await?;
    zip.add("settings/mcp-servers.json", json(&scoped.mcp_servers().list().await?)?).await?;
    zip.add("settings/peers.json", json(&scoped.peers().list().await?)?).await?;
    zip.add("settings/job-services.json", json(&scoped.job_services().list().await?)?).await?;
    zip.add("external-jobs.json", json(&scoped.external_jobs().list().await?)?).await?;
    zip.add("settings/web-search.json", json(&scoped.web_search().list().await?)?).await?;
    zip.add("settings/speech.json", json(&scoped.speech().choices().await?)?).await?;
    zip.add("usage.csv", scoped.ledger().usage_sheet().await?).await?;
    zip.add("tools.csv", scoped.ledger().tool_sheet().await?).await?;
    let mut about = ABOUT.to_owned();
    if !left_out.is_empty() {
        about.push_str(&format!("\nThese could not be written:\n\n{}\n", left_out.join("\n")));
    }
    zip.add("README.txt", about).await
}

async fn write_agents(scoped: Scoped<'_>, zip: &mut ZipWriter, left_out: &mut Vec<String>) -> Result<()> {
    let store = scoped.hub.store().read();
    let agents: Vec<(AgentId, String, bool)> = query(
        "SELECT id, name, CASE WHEN parent_id IS NULL THEN 0 ELSE 1 END FROM agents WHERE user_id = $1 ORDER BY id",
        (scoped.owner(),),
    )
    .fetch_all(store)
    .await?;
    let mut names = Names::default();
    for (agent, name, is_sub_agent) in agents {
        let folder = format!("agents/{}", names.unique(&name));
        if !is_sub_agent {
            match scoped.archives().export(&agent).await {
                Ok(export) => zip.add(&format!("{folder}/{}", export.file_name), export.bytes).await?,
                Err(error) => left_out.push(format!("{folder}: {}", error.into_failure().message)),
            }
        }
        let conversations: Vec<ConversationId> = query(
            "SELECT id FROM conversations WHERE agent_id = $1 AND deleted_at IS NULL ORDER BY id",
            (&agent,),
        )
        .fetch_all(store)
        .await?;
        let mut titles = Names::default();
        for conversation in &conversations {
            write_conversation(scoped, zip, &folder, &mut titles, conversation).await?;
        }
    }
    Ok(())
}

async fn write_conversation(
    scoped: Scoped<'_>,
    zip: &mut ZipWriter,
    folder: &str,
    titles: &mut Names,
    conversation: &ConversationId,
) -> Result<()> {
    let mut title = None;
    for (format, ending) in [(ExportFormat::Markdown, "md"), (ExportFormat::Json, "json")] {
        let export = match scoped.conversations().export_alone(conversation, format).await {
            Ok(export) => export,
            // It was deleted meanwhile.
            Err(Error::NotFound(_)) => return Ok(()),
            Err(error) => return Err(error),
        };
        let title = title.get_or_insert_with(|| {
            let name = export.file_name();
            titles.unique(name.strip_suffix(".md").unwrap_or(&name))
        });
        let path = format!("{folder}/conversations/{title}.{ending}");
        zip.add(&path, Source::Conversation(Box::new(export))).await?;
    }
    Ok(())
}

async fn write_attachments(scoped: Scoped<'_>, zip: &mut ZipWriter) -> Result<()> {
    let ids: Vec<AttachmentId> =
        query("SELECT id FROM attachments WHERE user_id = $1 ORDER BY at, id", (scoped.owner(),))
            .fetch_all(scoped.hub.store().read())
            .await?;
    let mut names = Names::default();
    for id in &ids {
        let file = match scoped.attachments().open(id).await {
            Ok(file) => file,
            Err(Error::NotFound(_)) => continue,
            Err(error) => return Err(error),
        };
        let (stem, ending) = match file.name.rsplit_once('.') {
            Some((stem, ending)) if ending.chars().all(char::is_alphanumeric) => (stem, format!(".{ending}")),
            Some(_) | None => (file.name.as_str(), String::new()),
        };
        zip.add(&format!("attachments/{}{ending}", names.unique(stem)), file.bytes).await?;
    }
    Ok(())
}

async fn write_workspaces(scoped: Scoped<'_>, zip: &mut ZipWriter) -> Result<()> {
    let mut names = Names::default();
    for workspace in scoped.workspaces().list().await? {
        let folder = format!("workspaces/{}", names.unique(&workspace.name));
        let files = files::stats(scoped.hub.store().read(), &workspace.id, None).await?;
        for file in files {
            match scoped.files().read(&workspace.id, &file.path).await {
                Ok(bytes) => zip.add(&format!("{folder}/{}", file.path), bytes).await?,
                // It was deleted meanwhile.
                Err(Error::NotFound(_)) => {}
                Err(error) => return Err(error),
            }
        }
    }
    Ok(())
}

async fn write_skills(scoped: Scoped<'_>, zip: &mut ZipWriter) -> Result<()> {
    let skills: Vec<(SkillId, String)> =
        query("SELECT id, name FROM skills WHERE user_id = $1 ORDER BY id", (scoped.owner(),))
            .fetch_all(scoped.hub.store().read())
            .await?;
    let mut names = Names::default();
    for (id, name) in &skills {
        let folder = format!("skills/{}", names.unique(name));
        for (path, bytes) in scoped.skills().accepted_files(id).await? {
            zip.add(&format!("{folder}/{path}"), bytes).await?;
        }
    }
    Ok(())
}

async fn write_pipelines(scoped: Scoped<'_>, zip: &mut ZipWriter) -> Result<()> {
    let mut names = Names::default();
    for card in scoped.pipelines().list().await? {
        let view = match scoped.pipelines().get(&card.id).await {
            Ok(view) => view,
            Err(Error::NotFound(_)) => continue,
            Err(error) => return Err(error),
        };
        zip.add(&format!("pipelines/{}.json", names.unique(&card.title)), json(&view)?).await?;
    }
    Ok(())
}

fn json(value: &impl Serialize) -> Result<String> {
    Ok(serde_json::to_string_pretty(value)?)
}
