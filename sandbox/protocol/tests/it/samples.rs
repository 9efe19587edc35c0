//! Values that several wires carry.

use protocol::agent::{Home, ProviderKind, ToolRisk};
use protocol::agent::{Hook, HookAction, HookEvent, Mode};
use protocol::approval::{Approval, ApprovalReason, Asker};
use protocol::log::{Driver, Entry, EntryBody, Mark, Sender};
use protocol::model::{
    Block, Effort, Media, ModelFailure, ModelFailureKind, ModelMessage, ModelRequest, Sampling, ToolCall,
    ToolChoice, ToolResult, ToolSpec,
};
use protocol::page::{Listener, PageError, PageErrorKind, SkinDone, SkinPage};
use protocol::question::{Answer, Field, Question, QuestionOption, Wanted};
use protocol::run::{KeySlot, ListedSkill, OnDevice, PromptSkill, RunGrant, RunSpec};
use protocol::{AgentId, Attachment, ConversationId, Dimensions, RunId};
use serde_json::json;
use std::collections::BTreeMap;

/// 21 November 2026, 9:00:00 UTC.
pub const AT: i64 = 1_795_251_600_000;

pub fn agent() -> AgentId {
    "agent-1".into()
}

pub fn conversation() -> ConversationId {
    "conversation-1".into()
}

pub fn run() -> RunId {
    "run-1".into()
}

pub fn call() -> ToolCall {
    ToolCall { id: "call-1".into(), name: "runjs".to_owned(), input: json!({ "code": "return 1" }) }
}

pub fn approval() -> Approval {
    Approval {
        id: "approval-1".into(),
        asker: Asker::Model,
        page_of: None,
        turn: Some(2),
        call: call(),
        about: Some("example.org".to_owned()),
        risk: ToolRisk::High,
        why: ApprovalReason::Risk,
        once: false,
        strangers: false,
        reaches: Vec::new(),
        question: None,
        hash: "5e884898".to_owned(),
        expires_at: AT,
    }
}

pub fn options() -> Vec<QuestionOption> {
    vec![
        QuestionOption { label: "Moss".to_owned(), description: Some("It needs no light.".to_owned()) },
        QuestionOption { label: "Fern".to_owned(), description: None },
    ]
}

pub fn question() -> Question {
    Question {
        server: None,
        text: "What grows there?".to_owned(),
        wanted: Wanted::Choice { options: options(), other: true },
        default: Some(Answer::Chosen { labels: vec!["Moss".to_owned()], other: None }),
        wait_minutes: 60,
    }
}

pub fn form() -> Wanted {
    let number = |number: u32| Answer::Number { number: number.into() };
    let fields = vec![
        Field {
            name: "days".to_owned(),
            label: "Days".to_owned(),
            description: Some("How long to stay.".to_owned()),
            wanted: Wanted::Number { least: Some(1.into()), most: None, whole: true },
            required: true,
            suggested: Some(number(2)),
        },
        Field {
            name: "where".to_owned(),
            label: "Where".to_owned(),
            description: None,
            wanted: Wanted::Choice { options: options(), other: false },
            required: false,
            suggested: None,
        },
    ];
    Wanted::Form { fields }
}

pub fn result() -> ToolResult {
    ToolResult {
        call: "call-1".into(),
        name: "runjs".to_owned(),
        content: r#"{"value":1}"#.to_owned(),
        media: vec![media(), stored_media()],
        is_error: false,
    }
}

pub fn problem() -> PageError {
    PageError {
        kind: PageErrorKind::Exception,
        message: "ReferenceError: grow is not defined".to_owned(),
        source: Some("the page".to_owned()),
        line: Some(12),
        count: 2,
    }
}

pub fn media() -> Media {
    Media {
        mime: "image/png".to_owned(),
        data: "iVBORw0=".to_owned(),
        name: Some("a.png".to_owned()),
        stored: None,
    }
}

/// A file in the hub's keeping, which the hub gives the model.
pub fn stored_media() -> Media {
    Media::from(&attachment())
}

pub fn attachment() -> Attachment {
    Attachment {
        id: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08".into(),
        name: "fern.jpg".to_owned(),
        mime: "image/jpeg".to_owned(),
        size: 240_113,
        dimensions: Some(Dimensions { width: 1568, height: 1176 }),
        server: None,
    }
}

pub fn tool() -> ToolSpec {
    ToolSpec {
        name: "runjs".to_owned(),
        description: "Runs JavaScript in the page.".to_owned(),
        input_schema: json!({ "properties": { "code": { "type": "string" } }, "type": "object" }),
        strict: false,
    }
}

pub fn request() -> ModelRequest {
    ModelRequest {
        model: "model-1".to_owned(),
        system: "You are Fern.".to_owned(),
        tools: vec![tool()],
        messages: vec![
            ModelMessage::User { text: "Count.".to_owned(), media: Vec::new() },
            ModelMessage::Assistant { blocks: vec![Block::ToolUse(call())] },
            ModelMessage::Tools { results: vec![result()] },
        ]
        .into(),
        tool_choice: ToolChoice::None,
        max_output_tokens: 4096,
        effort: Some(Effort::Low),
        sampling: Box::default(),
    }
}

pub fn prompt_skill() -> PromptSkill {
    PromptSkill {
        name: "moss-care".to_owned(),
        text: "Water it.".to_owned(),
        foreign: true,
        allowed_tools: Some(vec!["read".to_owned()]),
        hosts: Some(vec!["moss.example".to_owned()]),
        mounts: Some(vec!["/agent/moss".to_owned()]),
    }
}

pub fn listed_skill() -> ListedSkill {
    ListedSkill { name: "fern-care".to_owned(), about: "Knows ferns.".to_owned(), foreign: true }
}

pub fn spec() -> RunSpec {
    RunSpec {
        name: "Fern".to_owned(),
        instructions: "Be brief.".to_owned(),
        agents_md: "Use tabs.".to_owned(),
        workspace_md: "Plans are in plan.md.".to_owned(),
        memories: "- [2026-11-02] Likes moss.".to_owned(),
        model: "model-1".to_owned(),
        tools: vec![tool()],
        max_output_tokens: 4096,
        deferred: vec![tool()],
        round_limit: 25,
        context_tokens: 200_000,
        native_tools: true,
        plan: true,
        effort: Some(Effort::Low),
        sampling: Box::new(Sampling { temperature: Some(0.5), ..Sampling::default() }),
        skills: vec![prompt_skill()],
        listed_skills: vec![listed_skill()],
        hooks: vec![hook()],
        mode: Mode::Autonomous { turns: 3, done: "[DONE]".to_owned() },
        clear_after_ms: Some(1_200_000),
        on_device: Some(OnDevice {
            kind: ProviderKind::Ollama,
            address: "http://localhost:11434/api/chat".to_owned(),
            key: Some(Box::new(key_slot())),
            sees: true,
        }),
    }
}

pub fn key_slot() -> KeySlot {
    KeySlot {
        provider: "provider-1".into(),
        name: "Mine".to_owned(),
        place: "http://localhost:11434".to_owned(),
        header: "authorization".to_owned(),
        before: "Bearer ".to_owned(),
        headers: vec![("accept".to_owned(), "text/event-stream".to_owned())],
    }
}

pub fn started() -> EntryBody {
    EntryBody::RunStarted {
        home: Home::Browser,
        model: Some("model-1".to_owned()),
        rounds: Some(25),
        driver: Some(driver()),
        unverified: true,
    }
}

pub fn driver() -> Driver {
    Driver { tab: "tab-1".into(), device: "Firefox on Linux".to_owned() }
}

pub fn failure() -> ModelFailure {
    ModelFailure {
        kind: ModelFailureKind::RateLimited,
        message: "The provider asks to wait.".to_owned(),
        retry_after_ms: Some(2000),
    }
}

pub fn mark() -> Mark {
    Mark { run: run(), turn: 3 }
}

pub fn hook() -> Hook {
    Hook {
        event: HookEvent::PreToolUse,
        tool: Some("run*".to_owned()),
        holds: Some("fetch(".to_owned()),
        action: HookAction::Deny { reason: "No network.".to_owned() },
    }
}

pub fn message() -> EntryBody {
    EntryBody::said(Sender::Person, "Hello, “Fern” 🌱\n".to_owned())
}

pub fn entry(seq: u64, run: Option<RunId>, body: EntryBody) -> Entry {
    Entry { agent: agent(), seq, at: AT, conversation: Some(conversation()), run, body }
}

pub fn grant() -> RunGrant {
    RunGrant {
        agent: agent(),
        conversation: conversation(),
        run: run(),
        spec: spec(),
        past: Some("{}".to_owned()),
        transcript: vec![entry(1, None, message()), entry(2, Some(run()), started())],
    }
}

pub fn page() -> SkinPage {
    let attributes = |name: &str, value: &str| BTreeMap::from([(name.to_owned(), value.to_owned())]);
    SkinPage {
        head: "<title>Garden</title>".to_owned(),
        body: r#"<button id="go">Go</button>"#.to_owned(),
        html_attributes: attributes("lang", "en"),
        body_attributes: attributes("class", "dark"),
        listeners: vec![Listener { selector: "#go".to_owned(), event: "click".to_owned() }],
    }
}

pub fn done() -> SkinDone {
    SkinDone { result: json!({ "millis": 2, "value": 1 }), is_error: false, page: page() }
}
