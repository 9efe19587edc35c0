//! Tools: made ones, and how all are grouped.

use crate::golden::{Section, every, section};
use crate::samples::AT;
use protocol::agent::ToolRisk;
use protocol::view::{
    MadeToolView, OfferedTool, RefusedTool, ToolAuthor, ToolGroup, ToolReach, ToolSet, ToolView,
};

pub fn tools() -> Vec<Section> {
    vec![
        section("MadeToolView", &[made_tool(Some(AT)), made_tool(None), brought_tool(), offered_tool()]),
        section(
            "RefusedTool",
            &[RefusedTool {
                name: "water".to_owned(),
                description: "Waters a bed.".to_owned(),
                input_schema: "{".to_owned(),
                code: "return 1".to_owned(),
                page: false,
                reads: "beds".to_owned(),
                writes: String::new(),
            }],
        ),
        every!(ToolAuthor {
            ToolAuthor::Agent => [ToolAuthor::Agent],
            ToolAuthor::Person => [ToolAuthor::Person],
            ToolAuthor::File => [ToolAuthor::File],
        }),
        section(
            "ToolView",
            &[ToolView {
                name: "runjs".to_owned(),
                summary: "Run scripts in its page".to_owned(),
                group: ToolGroup::Page,
                risk: ToolRisk::Medium,
                usual: true,
                sets: vec![ToolSet::Page],
            }],
        ),
        every!(ToolSet {
            ToolSet::Page => [ToolSet::Page],
            ToolSet::Research => [ToolSet::Research],
            ToolSet::Writing => [ToolSet::Writing],
            ToolSet::Code => [ToolSet::Code],
            ToolSet::Leading => [ToolSet::Leading],
        }),
    ]
}

pub fn groups() -> Vec<Section> {
    vec![every!(ToolGroup {
        ToolGroup::Page => [ToolGroup::Page],
        ToolGroup::Files => [ToolGroup::Files],
        ToolGroup::Memory => [ToolGroup::Memory],
        ToolGroup::Agents => [ToolGroup::Agents],
        ToolGroup::Tools => [ToolGroup::Tools],
    })]
}

pub fn risks() -> Vec<Section> {
    vec![every!(ToolRisk {
        ToolRisk::None => [ToolRisk::None],
        ToolRisk::Low => [ToolRisk::Low],
        ToolRisk::Medium => [ToolRisk::Medium],
        ToolRisk::High => [ToolRisk::High],
    })]
}

pub fn made_tool(made_at: Option<i64>) -> MadeToolView {
    MadeToolView {
        name: "water".to_owned(),
        description: "Waters a bed.".to_owned(),
        version: 2,
        made_at,
        input_schema: serde_json::json!({ "type": "object" }),
        code: "return input.bed;".to_owned(),
        author: ToolAuthor::Agent,
        reach: ToolReach::page(),
        waiting: false,
        offered: None,
    }
}

/// One that came in a file and waits.
fn brought_tool() -> MadeToolView {
    let reach = ToolReach {
        page: false,
        reads: vec!["beds".to_owned()],
        writes: vec!["log".to_owned(), "last".to_owned()],
    };
    MadeToolView { author: ToolAuthor::File, reach, waiting: true, ..made_tool(Some(AT)) }
}

/// One of which a newer file waits.
fn offered_tool() -> MadeToolView {
    let offered = OfferedTool {
        digest: "1f2e".to_owned(),
        description: "Waters a bed.".to_owned(),
        input_schema: serde_json::json!({ "type": "object" }),
        code: "return input.beds;".to_owned(),
        reach: ToolReach::default(),
        changes: "-return input.bed;\n+return input.beds;\n".to_owned(),
    };
    MadeToolView { offered: Some(offered), ..made_tool(Some(AT)) }
}
