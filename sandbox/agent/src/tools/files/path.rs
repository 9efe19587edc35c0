//! Paths in calls: a model may leave the mount of its own files away, and everybody behind reads the whole path.

use crate::tools::ToolId;
use serde_json::Value;

/// The mount of what belongs to the agent alone.
pub const OWN_FILES: &str = "/agent";

/// The mount of what it shares with other agents.
pub const WORKSPACE: &str = "/workspace";

/// The mount of what the browser of a device keeps for the agent.
pub const DEVICE_FILES: &str = "/opfs";

/// The mount of the folders of a device that its person opened for the agent.
pub const LOCAL_FILES: &str = "/local";

/// The mount of what MCP servers have to read.
pub const SERVER_FILES: &str = "/mcp";

/// Arguments that hold paths.
const PATHS: [&str; 2] = ["path", "to"];

/// The input with whole paths, if it has others.
pub fn with_whole_paths(tool: ToolId, input: &Value) -> Option<Value> {
    with_paths(tool, input, whole_path)
}

/// The input with its paths in another spelling, if it has others.
pub fn with_paths(tool: ToolId, input: &Value, spelled: impl Fn(&str) -> String) -> Option<Value> {
    if !takes_paths(tool) {
        return None;
    }
    let mut whole = None;
    for argument in PATHS {
        let Some(path) = input.get(argument).and_then(Value::as_str) else { continue };
        let written = spelled(path);
        if written != path {
            whole.get_or_insert_with(|| input.clone())[argument] = Value::from(written);
        }
    }
    whole
}

fn takes_paths(tool: ToolId) -> bool {
    match tool {
        ToolId::Read
        | ToolId::Write
        | ToolId::Edit
        | ToolId::Document
        | ToolId::Convert
        | ToolId::Chart
        | ToolId::Diagnostics
        | ToolId::Glob
        | ToolId::Grep
        | ToolId::Files
        | ToolId::Symbols
        | ToolId::Terminal => true,
        ToolId::AgentAsk
        | ToolId::AgentList
        | ToolId::AgentRespond
        | ToolId::AgentResult
        | ToolId::AgentSend
        | ToolId::AgentSpawn
        | ToolId::AgentStop
        | ToolId::AgentWait
        | ToolId::PipelineCancel
        | ToolId::PipelineCreate
        | ToolId::PipelineStatus
        | ToolId::PublishTopic
        | ToolId::SubscribeTopic
        | ToolId::UnsubscribeTopic
        | ToolId::ListTopics
        | ToolId::AskUser
        | ToolId::AuditLog
        | ToolId::Calc
        | ToolId::Capabilities
        | ToolId::Clipboard
        | ToolId::ContextSearch
        | ToolId::CreateTool
        | ToolId::Datetime
        | ToolId::DeleteTool
        | ToolId::Dom
        | ToolId::ExchangeRates
        | ToolId::ExternalJob
        | ToolId::Fetch
        | ToolId::GetSkill
        | ToolId::ListSkills
        | ToolId::ListTools
        | ToolId::Location
        | ToolId::RenderUi
        | ToolId::ResearchTopic
        | ToolId::RunJs
        | ToolId::Schedule
        | ToolId::SetContext
        | ToolId::SkillWrite
        | ToolId::Skins
        | ToolId::State
        | ToolId::Storage
        | ToolId::Todo
        | ToolId::ToolSearch
        | ToolId::Memory
        | ToolId::Notify
        | ToolId::UpdateSelf
        | ToolId::ViewState
        | ToolId::Weather
        | ToolId::WebSearch => false,
    }
}

/// Whether what is there is on a device, by whichever name it has there.
pub fn is_on_a_device(path: &str) -> bool {
    let below = |mount| path.strip_prefix(mount).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    [DEVICE_FILES, LOCAL_FILES].into_iter().any(below)
}

/// From the root, and without a slash at its end.
pub fn whole_path(path: &str) -> String {
    let path = path.trim_start_matches("./");
    let whole = match path {
        "" | "." => OWN_FILES.to_owned(),
        path if path.starts_with('/') => path.to_owned(),
        path => format!("{OWN_FILES}/{path}"),
    };
    match whole.trim_end_matches('/') {
        "" => "/".to_owned(),
        trimmed => trimmed.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_path_has_one_spelling() {
        for (written, whole) in [
            ("notes.md", "/agent/notes.md"),
            ("./a/b.txt", "/agent/a/b.txt"),
            ("././a", "/agent/a"),
            ("/agent/notes.md", "/agent/notes.md"),
            ("/agent/notes/", "/agent/notes"),
            ("/uploads/a.pdf", "/uploads/a.pdf"),
            (".", "/agent"),
            ("", "/agent"),
            ("/", "/"),
            (".hidden", "/agent/.hidden"),
            ("../a", "/agent/../a"),
        ] {
            assert_eq!(whole_path(written), whole, "{written}");
            assert_eq!(whole_path(whole), whole, "{whole}");
        }
    }

    #[test]
    fn only_paths_are_written_out() {
        let input = json!({ "path": "a", "to": "/agent/b", "content": "./c" });
        let whole = json!({ "path": "/agent/a", "to": "/agent/b", "content": "./c" });
        assert_eq!(with_whole_paths(ToolId::Write, &input), Some(whole.clone()));
        assert_eq!(with_whole_paths(ToolId::Write, &whole), None);
        assert_eq!(with_whole_paths(ToolId::Fetch, &input), None);
        assert_eq!(with_whole_paths(ToolId::Read, &json!("{broken")), None);
    }
}
