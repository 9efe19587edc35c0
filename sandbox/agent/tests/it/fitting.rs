//! A request fits into the context of its model, whatever the history holds; what was decided about
//! it stays decided; and a run that is resumed before any call makes the same one.

use crate::context::{assert_continues, assert_legal};
use crate::world::{World, spec, started};
use agent::context::request_tokens;
use agent::{Effect, Input, Run, RunSpec, tools};
use proptest::prelude::*;
use protocol::RunId;
use protocol::log::{EntryBody, Outcome, Sender, Summariser};
use protocol::model::Purpose;
use protocol::model::{Block, ModelEvent, ModelRequest, StopReason, ToolCall, ToolResult, Usage};
use serde_json::json;

/// The most bytes that count as one token.
const BYTES_PER_TOKEN: u64 = 4;
/// The same, before a provider has counted.
const UNCOUNTED: u64 = 3;

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_request_never_exceeds_the_context(
        context in 8_000_u32..40_000,
        story in prop::collection::vec(exchange(), 1..6),
        summaries in prop::bool::ANY,
        counts in prop::bool::ANY,
    ) {
        let spec = RunSpec { context_tokens: context, round_limit: 50, ..spec(50) };
        let mut place = Place { spec, world: World::default(), summaries, counts, sent: Vec::new() };
        for (number, exchange) in story.iter().enumerate() {
            place.play(&RunId(format!("run-{number}")), exchange);
        }
    }
}

/// What is said, and how much the result of each turn holds.
#[derive(Clone, Debug)]
struct Exchange {
    said: usize,
    results: Vec<usize>,
}

fn exchange() -> impl Strategy<Value = Exchange> {
    let size = prop_oneof![4 => 0_usize..600, 2 => 600_usize..9_000, 1 => 9_000_usize..60_000];
    (size.clone(), prop::collection::vec(size, 0..30)).prop_map(|(said, results)| Exchange { said, results })
}

#[test]
fn a_hundred_long_turns_fit_and_shrink_at_each_tier() {
    let spec = RunSpec { context_tokens: 32_000, tools: tools::specs(&["dom".to_owned()]), ..spec(50) };
    let mut place = Place { spec, world: World::default(), summaries: true, counts: true, sent: Vec::new() };
    for number in 0..4 {
        let exchange = Exchange { said: 300, results: vec![7_000; 25] };
        place.play(&RunId(format!("run-{number}")), &exchange);
    }
    assert!(place.sent.len() >= 100);
    let bodies: Vec<&EntryBody> = place.world.entries.iter().map(|entry| &entry.body).collect();
    let count = |wanted: fn(&EntryBody) -> bool| bodies.iter().filter(|body| wanted(body)).count();
    assert!(count(|body| matches!(body, EntryBody::Digested { .. })) >= 2, "results become digests");
    assert!(
        count(|body| matches!(body, EntryBody::Summary { by: Summariser::Model, .. })) >= 1,
        "a model summarises"
    );
    let starts = count(|body| {
        matches!(body, EntryBody::Digested { .. } | EntryBody::Summary { .. } | EntryBody::Clipped { .. })
    });
    assert!(starts <= place.sent.len() / 5, "{starts} new beginnings in {} calls", place.sent.len());
}

struct Place {
    spec: RunSpec,
    world: World,
    /// Whether a model gives summaries when it is asked.
    summaries: bool,
    /// Whether the provider counts tokens.
    counts: bool,
    sent: Vec<ModelRequest>,
}

impl Place {
    fn play(&mut self, id: &RunId, exchange: &Exchange) {
        self.write(None, EntryBody::said(Sender::Person, words("said", exchange.said)));
        self.write(Some(id), started(&self.spec));
        let mut run = self.world.resume(id, &self.spec);
        let mut results = exchange.results.iter();
        let mut was_compacted = false;
        let mut inputs = vec![Input::Resumed];
        while let Some(input) = inputs.pop() {
            for effect in run.handle(input) {
                self.world.perform(id, &effect);
                match effect {
                    Effect::CallModel { turn, request } => {
                        self.check(id, &request, was_compacted);
                        was_compacted = false;
                        let bytes = bytes(&request);
                        self.sent.push(request);
                        inputs.extend(self.reply(turn, results.len() > 0, bytes));
                        inputs.reverse();
                    }
                    Effect::RunTools { turn, calls } => {
                        let size = *results.next().expect("a call for each result");
                        for call in calls {
                            let result = result(call, size);
                            self.world.write_result(id, turn, &result, false);
                            inputs.push(Input::Tool { turn, result, denied: false });
                        }
                    }
                    Effect::Aside { turn, purpose, request, .. } => {
                        assert_eq!(purpose, Purpose::Summary);
                        assert!(bytes(&request) <= self.most(), "the request for a summary fits");
                        let text = self.summaries.then(|| words("in short", 400));
                        inputs.push(Input::Aside { turn, purpose, text });
                    }
                    Effect::Append { body, .. } => {
                        was_compacted |= matches!(
                            body,
                            EntryBody::Digested { .. }
                                | EntryBody::Summary { .. }
                                | EntryBody::Clipped { .. }
                        );
                    }
                    Effect::Finish { outcome, .. } => assert_eq!(outcome, Outcome::Completed),
                    Effect::AbortModel
                    | Effect::AbortTools
                    | Effect::Arm { .. }
                    | Effect::Prefetch { .. } => {
                        unreachable!("nothing fails here")
                    }
                }
            }
        }
        assert!(run.is_finished());
    }

    /// One call while there are results to come, then words; the inputs last first.
    fn reply(&mut self, turn: u32, calls: bool, bytes: usize) -> Vec<Input> {
        let number = self.sent.len();
        let block = if calls {
            let input = json!({ "action": "query", "selector": format!("#n{number}") });
            Block::ToolUse(ToolCall { id: format!("call-{number}").into(), name: "dom".to_owned(), input })
        } else {
            Block::Text { text: "Done.".to_owned() }
        };
        let usage = Usage { input: bytes as u64 * 10 / 35, output: 10, ..Usage::default() };
        let mut events = vec![ModelEvent::BlockFinished { index: 0, block }];
        if self.counts {
            let run = self.world.entries.last().and_then(|entry| entry.run.clone());
            self.write(
                run.as_ref(),
                EntryBody::Used { turn, model: "m".to_owned(), usage, cost: None, aside: None },
            );
            events.push(ModelEvent::Usage { usage });
        }
        events.push(ModelEvent::Stopped { reason: StopReason::EndTurn });
        events.into_iter().map(|event| Input::Model { turn, event }).collect()
    }

    fn check(&self, id: &RunId, request: &ModelRequest, was_compacted: bool) {
        assert_legal(&request.messages);
        assert!(bytes(request) <= self.most(), "{} of {} bytes", bytes(request), self.most());
        if let Some(former) = self.sent.last()
            && !was_compacted
        {
            assert_continues(former, request);
        }
        let mut resumed: Run = self.world.resume(id, &self.spec);
        let effects = resumed.handle(Input::Resumed);
        let [Effect::CallModel { request: again, .. }] = effects.as_slice() else {
            panic!("a resumed run decides anew: {effects:?}");
        };
        assert_eq!(again, request);
    }

    fn most(&self) -> usize {
        let each = if self.counts { BYTES_PER_TOKEN } else { UNCOUNTED };
        usize::try_from(request_tokens(&self.spec) * each).expect("it is small")
    }

    fn write(&mut self, run: Option<&RunId>, body: EntryBody) {
        self.world.write(run, body);
    }
}

/// What the codec is given, apart from the settings.
fn bytes(request: &ModelRequest) -> usize {
    let json = |value: serde_json::Value| value.to_string().len();
    json(json!(request.system)) + json(json!(request.tools)) + json(json!(request.messages))
}

fn result(call: ToolCall, size: usize) -> ToolResult {
    ToolResult {
        call: call.id,
        name: call.name,
        content: words("a \"result\"\nof it.", size),
        media: Vec::new(),
        is_error: false,
    }
}

/// Words of about so many bytes.
fn words(word: &str, bytes: usize) -> String {
    format!("{word} ").repeat(bytes / (word.len() + 1) + 1)
}
