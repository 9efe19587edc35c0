//! Whatever a wire can say comes back as it was sent.

use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use protocol::agent::Ability;
use protocol::agent::Home;
use protocol::device::{DeviceAnswer, DeviceFile, DeviceProblem};
use protocol::hub::ClientFrame;
use protocol::log::{Driver, Entry, EntryBody, Mark, NoticeKind, Outcome, Sender, Summariser};
use protocol::model::Purpose;
use protocol::model::{
    Block, Effort, Media, ModelEvent, ModelFailure, ModelFailureKind, ModelMessage, ModelRequest, StopReason,
    ToolCall, ToolChoice, ToolResult, ToolSpec, Usage,
};
use protocol::page::{Listener, SkinDone, SkinPage};
use protocol::run::{Effect, RunAsk};
use protocol::schedule::{Author, ScheduleEvent};
use protocol::{
    AgentId, Attachment, AttachmentId, CallId, ContextSource, ConversationId, Dimensions, LimitOf, Micros,
    Permission, RunId, TabId,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::fmt::Debug;

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_entry_comes_back_as_it_was(entry in entry()) {
        check(&entry);
    }

    #[test]
    fn a_client_frame_comes_back_as_it_was(frame in client_frame()) {
        check(&frame);
    }

    #[test]
    fn a_damaged_frame_is_an_error_or_a_frame(
        frame in client_frame(),
        at in any::<prop::sample::Index>(),
        instead in prop::sample::select(vec!["", "\"", "{", "}", "[", ",", ":", "\\", "0", "-", "null", "\u{0}", "é"]),
    ) {
        let text = serde_json::to_string(&frame).unwrap();
        let starts: Vec<_> = text.char_indices().collect();
        let (start, damaged) = starts[at.index(starts.len())];
        let text = format!("{}{instead}{}", &text[..start], &text[start + damaged.len_utf8()..]);
        if let Ok(frame) = serde_json::from_str::<ClientFrame>(&text) {
            check(&frame);
        }
    }
}

fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let text = serde_json::to_string(value).unwrap();
    let back: T = serde_json::from_str(&text).unwrap();
    assert_eq!(&back, value, "{text}");
    assert_eq!(serde_json::to_string(&back).unwrap(), text);
}

fn client_frame() -> BoxedStrategy<ClientFrame> {
    let agent = || text().prop_map(AgentId);
    prop_oneof![
        (any::<u32>(), text().prop_map(TabId)).prop_map(|(version, tab)| ClientFrame::Hello { version, tab }),
        (agent(), any::<u64>()).prop_map(|(agent, after)| ClientFrame::Subscribe { agent, after }),
        agent().prop_map(|agent| ClientFrame::Unsubscribe { agent }),
        option::of(agent()).prop_map(|showing| ClientFrame::Active { showing }),
        (any::<u64>(), done()).prop_map(|(request, done)| ClientFrame::SkinDone { request, done }),
        (agent(), text(), json()).prop_map(|(agent, name, data)| ClientFrame::PageNotify {
            agent,
            name,
            data
        }),
        (agent(), any::<u64>(), text()).prop_map(|(agent, id, text)| ClientFrame::PageAsk {
            agent,
            id,
            text
        }),
        (agent(), text(), json()).prop_map(|(agent, key, value)| ClientFrame::SetState { agent, key, value }),
        (text().prop_map(RunId), text(), any::<u64>(), ask())
            .prop_map(|(run, token, received, ask)| { ClientFrame::Run { run, token, received, ask } }),
        (text().prop_map(RunId), text(), any::<u64>())
            .prop_map(|(run, token, received)| ClientFrame::Rejoin { run, token, received }),
        Just(ClientFrame::Leave),
        (vec(Just(Ability::Camera), 0..3), any::<bool>())
            .prop_map(|(abilities, visible)| ClientFrame::Able { abilities, visible }),
        any::<u64>().prop_map(|request| ClientFrame::SkinClaim { request }),
        (any::<u64>(), device_answer())
            .prop_map(|(request, answer)| ClientFrame::DeviceDone { request, answer }),
        Just(ClientFrame::Ping),
    ]
    .boxed()
}

fn device_answer() -> impl Strategy<Value = DeviceAnswer> {
    let file =
        (text(), any::<u64>(), any::<i64>()).prop_map(|(path, size, at)| DeviceFile { path, size, at });
    prop_oneof![
        text().prop_map(|text| DeviceAnswer::Clipboard { text }),
        vec(text(), 0..3).prop_map(|names| DeviceAnswer::Folders { names }),
        (vec(file, 0..3), any::<bool>()).prop_map(|(files, more)| DeviceAnswer::Files { files, more }),
        text().prop_map(|content| DeviceAnswer::Content { content }),
        Just(DeviceAnswer::Done),
        text().prop_map(|message| DeviceAnswer::Failed { why: DeviceProblem::Other, message }),
    ]
}

fn ask() -> BoxedStrategy<RunAsk> {
    let effect = prop_oneof![
        (any::<u32>(), request()).prop_map(|(turn, request)| Effect::CallModel { turn, request }),
        Just(Effect::AbortModel),
        (any::<u32>(), vec(call(), 0..3)).prop_map(|(turn, calls)| Effect::RunTools { turn, calls }),
        (any::<u32>(), vec(call(), 0..3), any::<u64>())
            .prop_map(|(turn, calls, deadline_ms)| { Effect::Prefetch { turn, calls, deadline_ms } }),
        Just(Effect::AbortTools),
        (any::<u32>(), any::<u64>(), any::<u64>()).prop_map(|(timer, least_ms, most_ms)| Effect::Arm {
            timer,
            least_ms,
            most_ms
        }),
        (any::<u32>(), request(), any::<u64>()).prop_map(|(turn, request, deadline_ms)| Effect::Aside {
            turn,
            purpose: Purpose::Summary,
            request,
            deadline_ms
        }),
        (any::<u32>(), body()).prop_map(|(ordinal, body)| Effect::Append { ordinal, body }),
        (any::<u32>(), outcome()).prop_map(|(ordinal, outcome)| Effect::Finish { ordinal, outcome }),
    ];
    prop_oneof![
        effect.prop_map(|effect| RunAsk::Effect { effect }),
        any::<u32>().prop_map(|count| RunAsk::Credit { count }),
        (any::<u32>(), any::<u32>(), text())
            .prop_map(|(turn, index, text)| RunAsk::Told { turn, event: ModelEvent::Delta { index, text } }),
        (any::<u32>(), option::of(usage())).prop_map(|(turn, usage)| RunAsk::AsideTold {
            turn,
            purpose: Purpose::Plan,
            usage
        }),
    ]
    .boxed()
}

fn request() -> BoxedStrategy<ModelRequest> {
    let message = prop_oneof![
        (text(), vec(media(), 0..2)).prop_map(|(text, media)| ModelMessage::User { text, media }),
        vec(block(), 0..3).prop_map(|blocks| ModelMessage::Assistant { blocks }),
        vec(result(), 0..3).prop_map(|results| ModelMessage::Tools { results }),
    ];
    let tool_choice = prop_oneof![Just(ToolChoice::Auto), Just(ToolChoice::None), Just(ToolChoice::Required)];
    let effort = option::of(prop_oneof![
        Just(Effort::Off),
        Just(Effort::Low),
        Just(Effort::Medium),
        Just(Effort::High),
    ]);
    (text(), text(), vec(tool(), 0..3), tool_choice, vec(message, 0..4), any::<u32>(), effort)
        .prop_map(|(model, system, tools, tool_choice, messages, max_output_tokens, effort)| ModelRequest {
            model,
            system,
            tools,
            tool_choice,
            messages: messages.into(),
            max_output_tokens,
            effort,
            sampling: Box::default(),
        })
        .boxed()
}

fn media() -> impl Strategy<Value = Media> {
    (text(), text(), option::of(text()), option::of(attachment())).prop_map(
        |(mime, data, name, attachment)| Media {
            mime,
            data,
            name,
            stored: attachment.and_then(|attachment| Media::from(&attachment).stored),
        },
    )
}

fn attachment() -> impl Strategy<Value = Attachment> {
    let dimensions = option::of((any::<u32>(), any::<u32>()));
    let of = (dimensions, option::of(text()));
    (text(), text(), text(), any::<u64>(), of).prop_map(|(id, name, mime, size, (dimensions, server))| {
        Attachment {
            id: AttachmentId(id),
            name,
            mime,
            size,
            dimensions: dimensions.map(|(width, height)| Dimensions { width, height }),
            server,
        }
    })
}

fn entry() -> impl Strategy<Value = Entry> {
    let place = (text().prop_map(AgentId), option::of(text()), option::of(text()));
    (place, any::<u64>(), any::<i64>(), body()).prop_map(|((agent, conversation, run), seq, at, body)| {
        Entry { agent, seq, at, conversation: conversation.map(ConversationId), run: run.map(RunId), body }
    })
}

fn body() -> BoxedStrategy<EntryBody> {
    let turn = any::<u32>;
    let sender = prop_oneof![
        Just(Sender::Person),
        (text(), any::<bool>()).prop_map(|(name, relays)| Sender::Program { name, relays }),
        text().prop_map(|name| Sender::PageNotify { name }),
        (text(), any::<bool>(), any::<bool>()).prop_map(|(name, untrusted, private)| Sender::Agent {
            agent: "agent".into(),
            name,
            delegation: "delegation".into(),
            untrusted,
            private,
        }),
        Just(Sender::PageAsk),
        text().prop_map(|name| Sender::PageEmit { name }),
        Just(Sender::PageErrors),
        text().prop_map(|key| Sender::Rule { key }),
        Just(Sender::Devices),
        Just(Sender::Todo),
        Just(Sender::Rating),
        any::<bool>().prop_map(|untrusted| Sender::Context { source: ContextSource::Keys, untrusted }),
        (text(), text()).prop_map(|(id, name)| Sender::Schedule {
            schedule: id.into(),
            name,
            by: Author::Agent
        }),
        (text(), text()).prop_map(|(id, name)| Sender::Job { job: id.into(), name }),
        (text(), text()).prop_map(|(id, name)| Sender::Trigger { schedule: id.into(), name }),
    ];
    prop_oneof![
        (sender, text(), vec(attachment(), 0..3)).prop_map(|(from, text, attachments)| EntryBody::Message {
            from,
            text,
            attachments
        }),
        (home(), option::of(text()), option::of(any::<u32>()), driver(), any::<bool>()).prop_map(
            |(home, model, rounds, driver, unverified)| EntryBody::RunStarted {
                home,
                model,
                rounds,
                driver,
                unverified
            }
        ),
        (text(), any::<i64>()).prop_map(|(name, due)| EntryBody::Schedule {
            schedule: "schedule-1".into(),
            name,
            news: ScheduleEvent::Missed { due }
        }),
        (home(), driver(), any::<bool>()).prop_map(|(home, driver, only_run)| EntryBody::Moved {
            home,
            driver,
            only_run
        }),
        (turn(), turn(), block()).prop_map(|(turn, index, block)| EntryBody::Block { turn, index, block }),
        turn().prop_map(|turn| EntryBody::TurnFinished { turn, stop: StopReason::EndTurn }),
        (turn(), call()).prop_map(|(turn, call)| EntryBody::ToolStarted { turn, call }),
        (turn(), result(), any::<u64>(), any::<bool>()).prop_map(|(turn, result, millis, denied)| {
            EntryBody::ToolFinished { turn, result, millis, denied }
        }),
        (turn(), text(), text()).prop_map(|(turn, call, text)| EntryBody::NotRun {
            turn,
            call: CallId(call),
            why: NoticeKind::Disabled,
            text
        }),
        (turn(), text()).prop_map(|(turn, text)| EntryBody::Notice { turn, kind: NoticeKind::Hint, text }),
        (turn(), any::<u64>()).prop_map(|(turn, seq)| EntryBody::Steered { turn, seq }),
        (turn(), failure()).prop_map(|(turn, failure)| EntryBody::Retrying { turn, failure }),
        (turn(), mark()).prop_map(|(turn, upto)| EntryBody::Digested { turn, upto }),
        (turn(), any::<u32>()).prop_map(|(turn, longest)| EntryBody::Clipped { turn, longest }),
        (turn(), mark(), text()).prop_map(|(turn, upto, text)| EntryBody::Summary {
            turn,
            by: Summariser::Model,
            upto,
            text
        }),
        (
            turn(),
            text(),
            usage(),
            option::of(any::<i64>().prop_map(Micros)),
            option::of(Just(Purpose::Summary))
        )
            .prop_map(|(turn, model, usage, cost, aside)| EntryBody::Used {
                turn,
                model,
                usage,
                cost,
                aside
            }),
        (outcome(), option::of(prop::sample::select(&LimitOf::ALL[..])))
            .prop_map(|(outcome, stopped_by)| EntryBody::RunFinished { outcome, stopped_by }),
        (any::<u64>(), option::of(text().prop_map(TabId)))
            .prop_map(|(version, by)| EntryBody::Skin { version, by }),
        (text(), json(), any::<bool>()).prop_map(|(key, value, superseded)| EntryBody::State {
            key,
            value,
            superseded
        }),
        (any::<u32>(), tool(), text()).prop_map(|(version, spec, code)| EntryBody::ToolCreated {
            version,
            spec,
            code
        }),
        text().prop_map(|name| EntryBody::ToolDeleted { name }),
        (option::of(text()), option::of(any::<bool>())).prop_map(|(host, allowed)| EntryBody::Permission {
            permission: Permission::Links,
            host,
            allowed
        }),
        text().prop_map(|text| EntryBody::PageErrors { text }),
        (text(), vec(text(), 0..3)).prop_map(|(name, notes)| EntryBody::Imported { name, notes }),
    ]
    .boxed()
}

fn home() -> impl Strategy<Value = Home> {
    prop_oneof![Just(Home::Hub), Just(Home::Browser)]
}

fn driver() -> impl Strategy<Value = Option<Driver>> {
    option::of((text().prop_map(TabId), text()).prop_map(|(tab, device)| Driver { tab, device }))
}

fn mark() -> impl Strategy<Value = Mark> {
    (text(), any::<u32>()).prop_map(|(run, turn)| Mark { run: RunId(run), turn })
}

fn failure() -> impl Strategy<Value = ModelFailure> {
    (text(), option::of(any::<u64>())).prop_map(|(message, retry_after_ms)| ModelFailure {
        kind: ModelFailureKind::Server,
        message,
        retry_after_ms,
    })
}

fn tool() -> impl Strategy<Value = ToolSpec> {
    (text(), text(), json(), any::<bool>()).prop_map(|(name, description, input_schema, strict)| ToolSpec {
        name,
        description,
        input_schema,
        strict,
    })
}

fn outcome() -> impl Strategy<Value = Outcome> {
    prop_oneof![
        Just(Outcome::Completed),
        Just(Outcome::Stopped),
        Just(Outcome::RoundLimit),
        failure().prop_map(|failure| Outcome::Failed { failure }),
        text().prop_map(|why| Outcome::Interrupted { why }),
    ]
}

fn block() -> BoxedStrategy<Block> {
    prop_oneof![
        text().prop_map(|text| Block::Text { text }),
        (text(), option::of(text())).prop_map(|(text, signature)| Block::Reasoning { text, signature }),
        call().prop_map(Block::ToolUse),
    ]
    .boxed()
}

fn call() -> impl Strategy<Value = ToolCall> {
    (text(), text(), json()).prop_map(|(id, name, input)| ToolCall { id: CallId(id), name, input })
}

fn result() -> impl Strategy<Value = ToolResult> {
    (text(), text(), text(), vec(media(), 0..2), any::<bool>()).prop_map(
        |(call, name, content, media, is_error)| ToolResult {
            call: CallId(call),
            name,
            content,
            media,
            is_error,
        },
    )
}

fn usage() -> impl Strategy<Value = Usage> {
    any::<[u64; 5]>().prop_map(|[input, output, cache_read, cache_write, reasoning]| Usage {
        input,
        output,
        cache_read,
        cache_write,
        reasoning,
    })
}

fn done() -> impl Strategy<Value = SkinDone> {
    (json(), any::<bool>(), page()).prop_map(|(result, is_error, page)| SkinDone { result, is_error, page })
}

fn page() -> BoxedStrategy<SkinPage> {
    let attributes = || btree_map(text(), text(), 0..3);
    let listener = (text(), text()).prop_map(|(selector, event)| Listener { selector, event });
    (text(), text(), attributes(), attributes(), vec(listener, 0..3))
        .prop_map(|(head, body, html_attributes, body_attributes, listeners)| SkinPage {
            head,
            body,
            html_attributes,
            body_attributes,
            listeners,
        })
        .boxed()
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z_]{0,8}", any::<String>()]
}

fn json() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>()
            .prop_filter("JSON has no such number", |number| number.is_finite())
            .prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            btree_map(text(), inner, 0..4)
                .prop_map(|members| Value::from(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
    .boxed()
}
