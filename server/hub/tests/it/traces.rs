//! What a collector of OpenTelemetry gets of a run: what happened and how much, and nothing of whoever it was for.

use crate::runs::trace::until_finished;
use crate::runs::{agent, open};
use crate::talk::a_moment;
use crate::world::{Collector, Endpoint, RealCollector, World, attribute, each_store, on_sqlite};
use hub::{Setup, TracePlan};
use opentelemetry_proto::tonic::metrics::v1::NumberDataPoint;
use opentelemetry_proto::tonic::metrics::v1::metric::Data;
use opentelemetry_proto::tonic::metrics::v1::number_data_point::Value as Number;
use opentelemetry_proto::tonic::trace::v1::Span;
use protocol::agent::{Home, ProviderKind};
use serde_json::json;
use std::net::TcpListener;
use std::time::Duration;

fn plan(collector: &str) -> TracePlan {
    TracePlan {
        collector: collector.to_owned(),
        headers: vec![("authorization".to_owned(), "Bearer canary".to_owned())],
        service: "hub of a test".to_owned(),
        has_traces: true,
        has_figures: true,
        patience: Duration::from_millis(200),
        spans_every: Duration::from_secs(5),
        figures_every: Duration::from_secs(60),
    }
}

/// A run that calls a tool of the hub's.
async fn run(world: &World, endpoint: &Endpoint) -> Vec<String> {
    let viewer = world.person("ada").await;
    let agent = agent(world, &viewer, endpoint, ProviderKind::Anthropic, Home::Hub).await;
    let mut tab = open(world, &viewer, "laptop");
    tab.follow(&agent.id, 0).await.unwrap();
    let turns = json!([[{ "tool": "datetime", "input": {} }], [{ "text": "A word-canary of the model's." }]]);
    let text = format!("turns: {turns}");
    world.hub.for_viewer(&viewer).runs().send_message(&agent.id, &text, None, None).await.unwrap();
    let entries = until_finished(&mut tab).await;
    let run = entries.iter().find_map(|entry| entry.run.clone()).expect("a run");
    vec![run.0, agent.id.0, agent.name, viewer.me.id.0]
}

fn named<'a>(spans: &'a [Span], name: &str) -> Vec<&'a Span> {
    spans.iter().filter(|span| span.name == name).collect()
}

#[tokio::test]
async fn a_run_is_a_tree_of_its_model_calls_and_their_tool_calls_with_names_and_tokens_and_no_words() {
    each_store(async |world: World| {
        let (endpoint, collector) = (Endpoint::start(), Collector::start());
        let traces = Some(plan(&collector.url));
        let world = world.with(|setup| Setup { traces, ..setup }).await;
        let private = run(&world, &endpoint).await;
        let chat = "chat claude-sonnet-4-5";
        let spans = loop {
            world.clock.advance(Duration::from_secs(61));
            let spans = collector.spans();
            if !named(&spans, "invoke_agent").is_empty() && named(&spans, chat).len() == 2 {
                break spans;
            }
            a_moment().await;
        };
        let (run, tool) = (named(&spans, "invoke_agent")[0], named(&spans, "execute_tool datetime")[0]);
        assert!(run.parent_span_id.is_empty() && run.trace_id.len() == 16 && run.span_id.len() == 8);
        let of = |span: &Span, key| attribute(&span.attributes, key);
        assert_eq!(of(run, "vivarium.outcome").as_deref(), Some("completed"));
        let calls = named(&spans, chat);
        assert!(calls.iter().all(|call| call.parent_span_id == run.span_id && call.trace_id == run.trace_id));
        let asked =
            calls.iter().find(|call| call.span_id == tool.parent_span_id).expect("who asked for the tool");
        for (span, key, expected) in [
            (run, "gen_ai.operation.name", "invoke_agent"),
            (asked, "gen_ai.operation.name", "chat"),
            (asked, "gen_ai.provider.name", "anthropic"),
            (asked, "gen_ai.request.model", "claude-sonnet-4-5"),
            (tool, "gen_ai.operation.name", "execute_tool"),
            (tool, "gen_ai.tool.name", "datetime"),
        ] {
            assert_eq!(of(span, key).as_deref(), Some(expected), "{key}");
        }
        assert!(of(asked, "gen_ai.response.finish_reasons").unwrap().contains("tool_use"));
        let tokens = |key| of(asked, key).unwrap().parse::<u64>().unwrap();
        assert!(tokens("gen_ai.usage.input_tokens") > 0 && tokens("gen_ai.usage.output_tokens") > 0);
        assert!(spans.iter().all(|span| span.start_time_unix_nano <= span.end_time_unix_nano));

        let metric = loop {
            world.clock.advance(Duration::from_secs(61));
            if let Some(metric) = collector.metric("gen_ai.client.token.usage") {
                break metric;
            }
            a_moment().await;
        };
        let Some(Data::Histogram(histogram)) = metric.data else { panic!("a histogram") };
        let points = &histogram.data_points;
        let input = points
            .iter()
            .find(|point| attribute(&point.attributes, "gen_ai.token.type").as_deref() == Some("input"));
        let input = input.expect("tokens that were read");
        assert_eq!((input.count, input.bucket_counts.iter().sum::<u64>()), (2, 2));
        // What the page of figures has is there as well, by the same names.
        let counted = |name: &str| collector.metric(name).and_then(|metric| metric.data);
        let Some(Data::Sum(messages)) = counted("vivarium.messages") else { panic!("a counter") };
        assert!(messages.is_monotonic && messages.data_points[0].start_time_unix_nano > 0);
        assert_eq!(messages.data_points[0].value, Some(Number::AsInt(1)));
        let Some(Data::Sum(ended)) = counted("vivarium.runs_ended") else { panic!("a counter") };
        let completed = |point: &&NumberDataPoint| {
            attribute(&point.attributes, "outcome").as_deref() == Some("completed")
        };
        let completed = ended.data_points.iter().find(completed).expect("one for each outcome");
        assert_eq!(completed.value, Some(Number::AsInt(1)));
        let Some(Data::Histogram(tools)) = counted("vivarium.tool_call") else { panic!("a histogram") };
        assert_eq!((tools.data_points[0].count, tools.data_points[0].explicit_bounds.len()), (1, 8));
        assert!(matches!(counted("vivarium.disk_free"), Some(Data::Gauge(_))));
        assert_eq!(collector.metric("vivarium.tabs").unwrap().unit, "", "it is no ratio");
        let heads = collector.heads();
        assert!(heads.iter().all(|head| head.to_lowercase().contains("authorization: bearer canary")));
        for private in private.iter().map(String::as_str).chain(["word-canary", "turns:"]) {
            assert!(!collector.has(private), "{private}");
        }
        assert!(world.hub.metrics().await.contains("vivarium_spans_total{outcome=\"dropped\"} 0"));
    })
    .await;
}

#[tokio::test]
async fn a_collector_that_others_made_takes_traces_and_figures_and_passes_them_on_as_they_were() {
    on_sqlite(async |world: World| {
        let (endpoint, behind) = (Endpoint::start(), Collector::start());
        let collector = RealCollector::start(&behind).await;
        let traces = Some(TracePlan { patience: Duration::from_secs(60), ..plan(&collector.url) });
        let world = world.with(|setup| Setup { traces, ..setup }).await;
        run(&world, &endpoint).await;
        let (spans, ended) = loop {
            world.clock.advance(Duration::from_secs(61));
            let (spans, ended) = (behind.spans(), behind.metric("vivarium.runs_ended"));
            let is_whole = [("invoke_agent", 1), ("chat claude-sonnet-4-5", 2), ("execute_tool datetime", 1)]
                .into_iter()
                .all(|(name, count)| named(&spans, name).len() == count);
            if let (true, Some(ended)) = (is_whole, ended) {
                break (spans, ended);
            }
            a_moment().await;
        };
        let (run, tool) = (named(&spans, "invoke_agent")[0], named(&spans, "execute_tool datetime")[0]);
        assert_eq!(attribute(&run.attributes, "vivarium.outcome").as_deref(), Some("completed"));
        assert!(run.parent_span_id.is_empty() && run.trace_id.len() == 16 && run.trace_id == tool.trace_id);
        assert!(spans.iter().any(|span| span.span_id == tool.parent_span_id), "{spans:?}");
        assert!(
            matches!(ended.data, Some(Data::Sum(sum)) if sum.is_monotonic && !sum.data_points.is_empty())
        );
        assert!(behind.has("hub of a test"), "whose they are goes along");
        assert!(world.hub.metrics().await.contains("vivarium_spans_total{outcome=\"dropped\"} 0"));
    })
    .await;
}

#[tokio::test]
async fn a_collector_that_is_silent_costs_a_run_nothing_and_what_it_does_not_take_is_counted() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let silent = TcpListener::bind("127.0.0.1:0").unwrap();
        let traces = Some(plan(&format!("http://{}", silent.local_addr().unwrap())));
        let world = world.with(|setup| Setup { traces, ..setup }).await;
        run(&world, &endpoint).await;
        loop {
            world.clock.advance(Duration::from_secs(6));
            let figures = world.hub.metrics().await;
            if !figures.contains("vivarium_spans_total{outcome=\"dropped\"} 0") {
                assert!(figures.contains("vivarium_spans_total{outcome=\"sent\"} 0"), "{figures}");
                break;
            }
            a_moment().await;
        }
    })
    .await;
}

#[tokio::test]
async fn without_a_collector_nothing_is_sent() {
    each_store(async |world: World| {
        let (endpoint, collector) = (Endpoint::start(), Collector::start());
        run(&world, &endpoint).await;
        world.clock.advance(Duration::from_secs(61));
        world.hub.close().await;
        assert_eq!(collector.heads(), [""; 0]);
        assert!(world.hub.metrics().await.contains("vivarium_spans_total{outcome=\"sent\"} 0"));
    })
    .await;
}
