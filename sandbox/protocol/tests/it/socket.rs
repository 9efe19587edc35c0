//! The hub's socket.

use crate::golden::{check, every, section};
use crate::samples::{
    AT, agent, attachment, call, done, entry, grant, message, page, problem, request, result, run, spec,
};
use protocol::agent::{Ability, HookAction, HookEvent, Mode};
use protocol::device::{
    DeviceAnswer, DeviceAsk, DeviceFile, DeviceLocation, DeviceMount, DevicePath, DeviceProblem, FileDigest,
};
use protocol::hub::{AskedProgress, CallProgress, ClientFrame, HubFrame, Noun};
use protocol::log::{EntryBody, Outcome, Sender};
use protocol::model::Purpose;
use protocol::model::{Block, BlockKind, ModelEvent, StopReason, Usage};
use protocol::page::{Answer, ScriptContext, SkinCommand};
use protocol::run::{Effect, KeyLack, RunAsk, RunReply};
use protocol::view::{DelegationKind, DelegationState, DeviceView};
use protocol::{ConversationId, DelegationId, Failure, FailureKind, VERSION};
use serde_json::{Value, json};

#[test]
fn every_frame_of_the_socket_is_as_it_was() {
    let text = || "Hello".to_owned();
    check(
        "socket",
        &[
            every!(ClientFrame {
                ClientFrame::Hello { .. } => [ClientFrame::Hello { version: VERSION, tab: "tab-1".into() }],
                ClientFrame::Subscribe { .. } => [ClientFrame::Subscribe { agent: agent(), after: 41 }],
                ClientFrame::Unsubscribe { .. } => [ClientFrame::Unsubscribe { agent: agent() }],
                ClientFrame::Active { .. } => [
                    ClientFrame::Active { showing: Some(agent()) },
                    ClientFrame::Active { showing: None },
                ],
                ClientFrame::Able { .. } => [ClientFrame::Able {
                    abilities: vec![Ability::Screen, Ability::Touch],
                    visible: true,
                }],
                ClientFrame::SkinClaim { .. } => [ClientFrame::SkinClaim { request: 7 }],
                ClientFrame::SkinDone { .. } => [ClientFrame::SkinDone { request: 7, done: done() }],
                ClientFrame::DeviceDone { .. } => [ClientFrame::DeviceDone { request: 7, answer: DeviceAnswer::Done }],
                ClientFrame::PageNotify { .. } => [
                    ClientFrame::PageNotify { agent: agent(), name: "pressed".to_owned(), data: json!({ "times": 3 }) },
                    ClientFrame::PageNotify { agent: agent(), name: "ready".to_owned(), data: Value::Null },
                ],
                ClientFrame::PageAsk { .. } => [ClientFrame::PageAsk { agent: agent(), id: 3, text: text() }],
                ClientFrame::SetState { .. } => [
                    ClientFrame::SetState { agent: agent(), key: "score".to_owned(), value: json!(12) },
                    ClientFrame::SetState { agent: agent(), key: "score".to_owned(), value: Value::Null },
                ],
                ClientFrame::PageProblems { .. } => [
                    ClientFrame::PageProblems { agent: agent(), problems: vec![problem()] },
                ],
                ClientFrame::PageCall { .. } => [ClientFrame::PageCall {
                    agent: agent(),
                    id: 4,
                    name: "state".to_owned(),
                    input: json!({ "action": "list" }),
                }],
                ClientFrame::AppCall { .. } => [ClientFrame::AppCall {
                    agent: agent(),
                    id: 5,
                    app: "mcp_garden_show".to_owned(),
                    name: "water".to_owned(),
                    input: json!({ "litres": 2 }),
                }],
                ClientFrame::PageFile { .. } => [
                    ClientFrame::PageFile { agent: agent(), id: 4, path: "/agent/fern.png".to_owned() },
                ],
                ClientFrame::PageSnapshot { .. } => [
                    ClientFrame::PageSnapshot { agent: agent(), version: 3, page: page() },
                ],
                ClientFrame::PageEmit { .. } => [
                    ClientFrame::PageEmit { agent: agent(), name: "moved".to_owned(), data: json!([3, 4]) },
                ],
                ClientFrame::Run { .. } => [ClientFrame::Run {
                    run: run(),
                    token: "lease-1".to_owned(),
                    received: 20,
                    ask: RunAsk::Credit { count: 16 },
                }],
                ClientFrame::Rejoin { .. } => [ClientFrame::Rejoin {
                    run: run(),
                    token: "lease-1".to_owned(),
                    received: 20,
                }],
                ClientFrame::Leave => [ClientFrame::Leave],
                ClientFrame::Ping => [ClientFrame::Ping],
            }),
            every!(HubFrame {
                HubFrame::Welcome { .. } => [HubFrame::Welcome { version: VERSION, device: device() }],
                HubFrame::Subscribed { .. } => [HubFrame::Subscribed { agent: agent(), after: 41 }],
                HubFrame::Entry { .. } => [HubFrame::Entry { entry: entry(42, None, message()) }],
                HubFrame::CaughtUp { .. } => [HubFrame::CaughtUp { agent: agent(), seq: 42 }],
                HubFrame::Changed { .. } => [HubFrame::Changed { agent: agent() }],
                HubFrame::PersonChanged => [HubFrame::PersonChanged],
                HubFrame::NounChanged { .. } => [HubFrame::NounChanged { noun: Noun::Memories }],
                HubFrame::DraftChanged { .. } => [HubFrame::DraftChanged {
                    agent: agent(),
                    conversation: "conversation-1".into(),
                    version: 3,
                }],
                HubFrame::Partial { .. } => [HubFrame::Partial {
                    agent: agent(),
                    run: run(),
                    turn: 0,
                    index: 1,
                    kind: BlockKind::Text,
                    text: text(),
                }],
                HubFrame::Delta { .. } => [HubFrame::Delta {
                    agent: agent(),
                    run: run(),
                    turn: 0,
                    index: 1,
                    offset: 5,
                    text: ", you".to_owned(),
                }],
                HubFrame::Void { .. } => [HubFrame::Void { agent: agent(), run: run(), turn: 0 }],
                HubFrame::Progress { .. } => [
                    progress(Some(3.0), "Digging", None),
                    progress(None, "", None),
                    progress(Some(3.0), "", Some("Digging")),
                    progress(Some(3.0), "", Some("")),
                ],
                HubFrame::SkinCall { .. } => [skin_call(false), skin_call(true)],
                HubFrame::DeviceCall { .. } => [device_call(false), device_call(true)],
                HubFrame::SkinGo { .. } => [HubFrame::SkinGo { request: 7 }],
                HubFrame::Answered { .. } => [
                    HubFrame::Answered { id: 3, answer: Answer::Text { text: text() } },
                    HubFrame::Answered { id: 4, answer: file() },
                ],
                HubFrame::Granted { .. } => [HubFrame::Granted { token: "lease-1".to_owned(), grant: grant() }],
                HubFrame::Run { .. } => [HubFrame::Run { run: run(), taken: 3, reply: RunReply::Stop }],
                HubFrame::Rejoined { .. } => [HubFrame::Rejoined { run: run(), taken: 3 }],
                HubFrame::Refused { .. } => [HubFrame::Refused {
                    failure: Failure::new(FailureKind::NotFound, "There is no such agent."),
                }],
                HubFrame::SignedOut => [HubFrame::SignedOut],
                HubFrame::Pong => [HubFrame::Pong],
            }),
            every!(Noun {
                Noun::Agents => [Noun::Agents],
                Noun::Delegations => [Noun::Delegations],
                Noun::Pipelines => [Noun::Pipelines],
                Noun::Topics => [Noun::Topics],
                Noun::Memories => [Noun::Memories],
                Noun::TerminalJobs => [Noun::TerminalJobs],
                Noun::ExternalJobs => [Noun::ExternalJobs],
                Noun::PersonContext => [Noun::PersonContext],
                Noun::Skills => [Noun::Skills],
                Noun::McpServers => [Noun::McpServers],
                Noun::Peers => [Noun::Peers],
                Noun::Providers => [Noun::Providers],
            }),
            every!(DeviceAsk {
                DeviceAsk::Location { .. } => [
                    DeviceAsk::Location { precise: false },
                    DeviceAsk::Location { precise: true },
                ],
                DeviceAsk::ReadClipboard => [DeviceAsk::ReadClipboard],
                DeviceAsk::WriteClipboard { .. } => [DeviceAsk::WriteClipboard { text: text() }],
                DeviceAsk::Folders => [DeviceAsk::Folders],
                DeviceAsk::List { .. } => [DeviceAsk::List { at: on_device(DeviceMount::Opfs, "") }],
                DeviceAsk::Read { .. } => [DeviceAsk::Read { at: note() }],
                DeviceAsk::Write { .. } => [
                    DeviceAsk::Write { at: note(), content: "SGVsbG8=".to_owned(), was: None },
                    DeviceAsk::Write { at: note(), content: String::new(), was: Some(digest()) },
                ],
                DeviceAsk::Delete { .. } => [DeviceAsk::Delete { at: note(), was: digest() }],
            }),
            every!(DeviceAnswer {
                DeviceAnswer::Location(_) => [
                    DeviceAnswer::Location(DeviceLocation {
                        latitude: 52.52,
                        longitude: 13.41,
                        accuracy: 30.0,
                        altitude: None,
                        heading: None,
                        speed: None,
                        at: AT,
                    }),
                    DeviceAnswer::Location(DeviceLocation {
                        latitude: 52.52,
                        longitude: 13.41,
                        accuracy: 5.0,
                        altitude: Some(34.0),
                        heading: Some(90.0),
                        speed: Some(1.5),
                        at: AT,
                    }),
                ],
                DeviceAnswer::Clipboard { .. } => [DeviceAnswer::Clipboard { text: text() }],
                DeviceAnswer::Folders { .. } => [DeviceAnswer::Folders { names: vec!["notes".to_owned()] }],
                DeviceAnswer::Files { .. } => [
                    DeviceAnswer::Files {
                        files: vec![DeviceFile { path: "moss/plan.md".to_owned(), size: 5, at: AT }],
                        more: false,
                    },
                    DeviceAnswer::Files { files: Vec::new(), more: true },
                ],
                DeviceAnswer::Content { .. } => [DeviceAnswer::Content { content: "SGVsbG8=".to_owned() }],
                DeviceAnswer::Done => [DeviceAnswer::Done],
                DeviceAnswer::Failed { .. } => [
                    DeviceAnswer::Failed { why: DeviceProblem::Missing, message: String::new() },
                    DeviceAnswer::Failed { why: DeviceProblem::Other, message: text() },
                ],
            }),
            every!(DeviceProblem {
                DeviceProblem::NoFolder => [DeviceProblem::NoFolder],
                DeviceProblem::Missing => [DeviceProblem::Missing],
                DeviceProblem::Exists => [DeviceProblem::Exists],
                DeviceProblem::Changed => [DeviceProblem::Changed],
                DeviceProblem::TooLarge => [DeviceProblem::TooLarge],
                DeviceProblem::NotAllowed => [DeviceProblem::NotAllowed],
                DeviceProblem::Unsupported => [DeviceProblem::Unsupported],
                DeviceProblem::Other => [DeviceProblem::Other],
            }),
            every!(Effect {
                Effect::CallModel { .. } => [Effect::CallModel { turn: 0, request: request() }],
                Effect::AbortModel => [Effect::AbortModel],
                Effect::RunTools { .. } => [Effect::RunTools { turn: 0, calls: vec![call()] }],
                Effect::Prefetch { .. } => [Effect::Prefetch { turn: 0, calls: vec![call()], deadline_ms: 1400 }],
                Effect::AbortTools => [Effect::AbortTools],
                Effect::Arm { .. } => [Effect::Arm { timer: 1, least_ms: 500, most_ms: 1000 }],
                Effect::Aside { .. } => [Effect::Aside {
                    turn: 1,
                    purpose: Purpose::Summary,
                    request: request(),
                    deadline_ms: 60_000,
                }],
                Effect::Append { .. } => [Effect::Append {
                    ordinal: 1,
                    body: EntryBody::TurnFinished { turn: 0, stop: StopReason::EndTurn },
                }],
                Effect::Finish { .. } => [Effect::Finish { ordinal: 2, outcome: Outcome::Completed }],
            }),
            every!(RunAsk {
                RunAsk::Effect { .. } => [RunAsk::Effect { effect: Effect::AbortModel }],
                RunAsk::Credit { .. } => [RunAsk::Credit { count: 16 }],
                RunAsk::Told { .. } => [RunAsk::Told {
                    turn: 0,
                    event: ModelEvent::Delta { index: 0, text: text() },
                }],
                RunAsk::AsideTold { .. } => [
                    RunAsk::AsideTold { turn: 1, purpose: Purpose::Summary, usage: Some(Usage::default()) },
                    RunAsk::AsideTold { turn: 0, purpose: Purpose::Plan, usage: None },
                ],
                RunAsk::Hold { .. } => [
                    RunAsk::Hold { call: 1, tokens: 900, aside: false },
                    RunAsk::Hold { call: 2, tokens: 40, aside: true },
                ],
                RunAsk::KeyWanted { .. } => [RunAsk::KeyWanted { lack: KeyLack::Locked }],
            }),
            every!(RunReply {
                RunReply::Model { .. } => [RunReply::Model {
                    turn: 0,
                    event: ModelEvent::BlockFinished { index: 0, block: Block::Text { text: text() } },
                }],
                RunReply::Tool { .. } => [
                    RunReply::Tool { turn: 0, result: result(), denied: false },
                    RunReply::Tool { turn: 0, result: result(), denied: true },
                ],
                RunReply::Prefetched { .. } => [RunReply::Prefetched { turn: 0, results: vec![result()] }],
                RunReply::Steer { .. } => [
                    RunReply::Steer { seq: 4, from: Sender::Person, text: text(), attachments: Vec::new() },
                    RunReply::Steer { seq: 5, from: Sender::Devices, text: text(), attachments: Vec::new() },
                    RunReply::Steer { seq: 6, from: Sender::Person, text: text(), attachments: vec![attachment()] },
                ],
                RunReply::Timer { .. } => [RunReply::Timer { timer: 1 }],
                RunReply::Aside { .. } => [
                    RunReply::Aside { turn: 1, purpose: Purpose::Summary, text: Some(text()) },
                    RunReply::Aside { turn: 0, purpose: Purpose::Plan, text: None },
                ],
                RunReply::Held { .. } => [
                    RunReply::Held { call: 1, refused: None },
                    RunReply::Held { call: 2, refused: Some(text()) },
                ],
                RunReply::Stop => [RunReply::Stop],
                RunReply::Lost => [RunReply::Lost],
            }),
            every!(KeyLack {
                KeyLack::Locked => [KeyLack::Locked],
                KeyLack::Missing => [KeyLack::Missing],
            }),
            every!(FailureKind {
                FailureKind::Unauthenticated => [FailureKind::Unauthenticated],
                FailureKind::Forbidden => [FailureKind::Forbidden],
                FailureKind::NotFound => [FailureKind::NotFound],
                FailureKind::Conflict => [FailureKind::Conflict],
                FailureKind::Invalid => [FailureKind::Invalid],
                FailureKind::Limit => [FailureKind::Limit],
                FailureKind::Upstream => [FailureKind::Upstream],
                FailureKind::Unavailable => [FailureKind::Unavailable],
                FailureKind::Internal => [FailureKind::Internal],
            }),
            section(
                "Failure",
                &[
                    Failure::new(FailureKind::Limit, "The message is longer than 256 KB."),
                    Failure {
                        kind: FailureKind::Internal,
                        message: "Something went wrong in the hub.".to_owned(),
                        id: Some("failure-1".to_owned()),
                    },
                ],
            ),
            section("RunGrant", &[grant()]),
            section("RunSpec", &[spec()]),
            every!(Ability {
                Ability::Screen => [Ability::Screen],
                Ability::Touch => [Ability::Touch],
                Ability::Camera => [Ability::Camera],
                Ability::Microphone => [Ability::Microphone],
                Ability::Location => [Ability::Location],
                Ability::Clipboard => [Ability::Clipboard],
                Ability::Listen => [Ability::Listen],
                Ability::Speak => [Ability::Speak],
            }),
            every!(Purpose {
                Purpose::Summary => [Purpose::Summary],
                Purpose::Plan => [Purpose::Plan],
                Purpose::Title => [Purpose::Title],
                Purpose::Memories => [Purpose::Memories],
                Purpose::Search => [Purpose::Search],
            }),
            every!(Mode {
                Mode::Answering => [Mode::Answering],
                Mode::Autonomous { .. } => [Mode::Autonomous { turns: 3, done: "[DONE]".to_owned() }],
                Mode::Ambient => [Mode::Ambient],
            }),
            every!(HookEvent {
                HookEvent::PreToolUse => [HookEvent::PreToolUse],
                HookEvent::PostToolUse => [HookEvent::PostToolUse],
                HookEvent::UserPromptSubmit => [HookEvent::UserPromptSubmit],
                HookEvent::Stop => [HookEvent::Stop],
                HookEvent::AgentStart => [HookEvent::AgentStart],
                HookEvent::AgentEnd => [HookEvent::AgentEnd],
            }),
            every!(HookAction {
                HookAction::Deny { .. } => [HookAction::Deny { reason: "No network.".to_owned() }],
                HookAction::AddContext { .. } => [HookAction::AddContext { text: text() }],
                HookAction::Continue { .. } => [HookAction::Continue { text: text() }],
            }),
        ],
    );
}

/// With somebody who is asked, where it is said what that one says.
fn progress(total: Option<f64>, words: &str, latest: Option<&str>) -> HubFrame {
    let asked = latest.map(|latest| AskedProgress {
        id: DelegationId::from("d"),
        kind: DelegationKind::SubAgent,
        name: "Ada › Moss".to_owned(),
        agent: agent(),
        conversation: ConversationId::from("c"),
        state: DelegationState::Running,
        latest: latest.to_owned(),
    });
    let asked = asked.into_iter().collect();
    let progress = CallProgress { done: 2.0, total, words: words.to_owned(), asked };
    HubFrame::Progress { agent: agent(), run: run(), call: call().id, progress }
}

fn skin_call(claim: bool) -> HubFrame {
    HubFrame::SkinCall {
        request: 7,
        agent: agent(),
        command: SkinCommand::RunJs {
            code: "return 1".to_owned(),
            timeout_ms: 5000,
            context: ScriptContext::Page,
        },
        claim,
    }
}

fn on_device(mount: DeviceMount, path: &str) -> DevicePath {
    DevicePath { mount, path: path.to_owned() }
}

fn note() -> DevicePath {
    on_device(DeviceMount::Local("notes".to_owned()), "moss/plan.md")
}

fn digest() -> FileDigest {
    FileDigest("5e884898".to_owned())
}

fn device_call(claim: bool) -> HubFrame {
    HubFrame::DeviceCall { request: 7, agent: agent(), ask: DeviceAsk::ReadClipboard, claim }
}

#[test]
fn an_ability_has_one_name() {
    for ability in Ability::ALL {
        assert_eq!(serde_json::to_value(ability).unwrap(), json!(ability.name()));
    }
}

fn device() -> DeviceView {
    DeviceView {
        id: "device-1".into(),
        name: "Firefox on Linux".to_owned(),
        created_at: AT,
        last_seen_at: AT,
        current: true,
    }
}

fn file() -> Answer {
    Answer::File {
        address: "/files/agent-1/fern.png?until=1&mac=a".to_owned(),
        media_type: "image/png".to_owned(),
    }
}
