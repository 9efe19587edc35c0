//! Named sets of tools, for what an agent is to do. A set is a way to choose many at once: what an agent has is its
//! tools, one by one.

use super::{Tool, find};
use protocol::view::ToolSet;

/// What comes with the web is chosen with it, and the terminal by itself.
const PAGE: &[&str] = &[
    "dom",
    "runjs",
    "skins",
    "render_ui",
    "state",
    "storage",
    "capabilities",
    "datetime",
    "calc",
    "ask_user",
    "notify",
];
const RESEARCH: &[&str] = &[
    "read",
    "write",
    "edit",
    "document",
    "chart",
    "convert",
    "glob",
    "grep",
    "files",
    "datetime",
    "calc",
    "context_search",
    "memory",
    "list_skills",
    "get_skill",
    "todo",
    "ask_user",
    "render_ui",
];
const WRITING: &[&str] = &[
    "read",
    "write",
    "edit",
    "document",
    "convert",
    "glob",
    "grep",
    "files",
    "datetime",
    "context_search",
    "memory",
    "list_skills",
    "get_skill",
    "todo",
    "ask_user",
];
const CODE: &[&str] = &[
    "read",
    "write",
    "edit",
    "glob",
    "grep",
    "files",
    "diagnostics",
    "symbols",
    "convert",
    "calc",
    "context_search",
    "list_skills",
    "get_skill",
    "todo",
    "ask_user",
];
const LEADING: &[&str] = &[
    "agent_spawn",
    "agent_ask",
    "agent_wait",
    "agent_result",
    "agent_send",
    "agent_stop",
    "agent_list",
    "pipeline_create",
    "pipeline_status",
    "pipeline_cancel",
    "publish_topic",
    "subscribe_topic",
    "unsubscribe_topic",
    "list_topics",
    "read",
    "write",
    "edit",
    "glob",
    "grep",
    "files",
    "datetime",
    "context_search",
    "memory",
    "todo",
    "schedule",
    "ask_user",
    "notify",
];

const ALL: [ToolSet; 5] =
    [ToolSet::Page, ToolSet::Research, ToolSet::Writing, ToolSet::Code, ToolSet::Leading];

/// Those in which the tool is.
pub fn sets_of(tool: &Tool) -> Vec<ToolSet> {
    ALL.into_iter().filter(|set| names(*set).contains(&tool.name)).collect()
}

/// The tools of the set of this name, as a file writes it.
pub fn set_named(name: &str) -> Option<impl Iterator<Item = &'static Tool>> {
    let set = match name.trim() {
        "page" => ToolSet::Page,
        "research" => ToolSet::Research,
        "writing" => ToolSet::Writing,
        "code" => ToolSet::Code,
        "leading" => ToolSet::Leading,
        _ => return None,
    };
    Some(names(set).iter().filter_map(|name| find(name)))
}

fn names(set: ToolSet) -> &'static [&'static str] {
    match set {
        ToolSet::Page => PAGE,
        ToolSet::Research => RESEARCH,
        ToolSet::Writing => WRITING,
        ToolSet::Code => CODE,
        ToolSet::Leading => LEADING,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::{TERMINAL, all};

    #[test]
    fn a_set_holds_tools_that_there_are_and_none_that_is_chosen_otherwise() {
        for set in ALL {
            for name in names(set) {
                let tool = find(name).unwrap_or_else(|| panic!("{name} in {set:?}"));
                assert_eq!(tool.name, *name, "the name that it has here");
                assert!(!tool.is_of_the_web() && tool.name != TERMINAL, "{name} in {set:?}");
            }
            let name = serde_json::to_value(set).unwrap();
            assert_eq!(set_named(name.as_str().unwrap()).unwrap().count(), names(set).len());
            assert!(all().iter().all(|tool| name != tool.name), "{name} is a tool too");
        }
    }
}
