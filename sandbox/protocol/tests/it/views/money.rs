//! Budgets, usage and prices.

use crate::golden::{Section, every, section};
use protocol::view::{
    CallKind, CalledTool, LimitWarning, ModelPrice, OwnPrice, PartOfUsage, PersonBudget, Spent, ToolUsage,
    UsageDay, UsageLine, UsageOfKind, UsagePart, UsageView, WantedPrice,
};
use protocol::{Budget, Caps, LimitOf, Micros, SpentSoFar};

pub fn budgets() -> Vec<Section> {
    vec![section("Budget", &[budget(), Budget::default()])]
}

pub fn usage_and_calls() -> Vec<Section> {
    vec![
        section(
            "PersonBudget",
            &[PersonBudget { id: "user-1".into(), name: "Ada".to_owned(), budget: budget() }],
        ),
        section("UsageView", &[usage()]),
        every!(CallKind {
            CallKind::Reply => [CallKind::Reply],
            CallKind::Unfinished => [CallKind::Unfinished],
            CallKind::Summary => [CallKind::Summary],
            CallKind::Plan => [CallKind::Plan],
            CallKind::Title => [CallKind::Title],
            CallKind::Memories => [CallKind::Memories],
            CallKind::Search => [CallKind::Search],
            CallKind::Speech => [CallKind::Speech],
            CallKind::Meaning => [CallKind::Meaning],
            CallKind::Proposal => [CallKind::Proposal],
            CallKind::Program => [CallKind::Program],
        }),
    ]
}

pub fn warnings_and_prices() -> Vec<Section> {
    vec![
        section(
            "LimitWarning",
            &[
                LimitWarning {
                    message: "It may spend $1.00 a day.".to_owned(),
                    of: LimitOf::Person,
                    agent: None,
                },
                LimitWarning {
                    message: "It may spend $1.00 a day.".to_owned(),
                    of: LimitOf::Schedule,
                    agent: Some("agent-1".into()),
                },
            ],
        ),
        section("OwnPrice", &[OwnPrice { model: "model-1".to_owned(), price: price() }]),
        section(
            "WantedPrice",
            &[WantedPrice { model: "model-1".to_owned(), people: vec!["ada".to_owned()] }],
        ),
    ]
}

pub fn spent(cost: Option<Micros>) -> Spent {
    Spent { input_tokens: 2110, output_tokens: 80, cost }
}

pub fn budget() -> Budget {
    let caps = Caps {
        per_call: Some(Micros(100_000)),
        per_run: Some(Micros(500_000)),
        per_day: Some(Micros(1_000_000)),
        per_month: Some(Micros(20_000_000)),
        ever: Some(Micros(100_000_000)),
    };
    let spent = SpentSoFar { day: Micros(120_000), month: Micros(4_000_000), ever: Micros(9_000_000) };
    Budget { caps, spent }
}

pub fn price() -> ModelPrice {
    ModelPrice { input: Micros(250_000), output: Micros(2_000_000) }
}

pub fn usage() -> UsageView {
    let line = |name: &str| UsageLine {
        name: name.to_owned(),
        calls: 3,
        unpriced: 1,
        input_tokens: 2110,
        output_tokens: 80,
        cost: Micros(4321),
    };
    UsageView {
        days: vec![UsageDay { day: "2026-11-22".to_owned(), cost: Micros(4321) }],
        agents: vec![line("Fern")],
        models: vec![line("model-1")],
        programs: vec![line("script")],
        providers: vec![line("Mine")],
        kinds: vec![UsageOfKind { kind: CallKind::Reply, line: line("") }],
        tools: [
            CalledTool::BuiltIn { name: "dom".to_owned() },
            CalledTool::Made { name: "water".to_owned() },
            CalledTool::Nothing,
        ]
        .map(|tool| ToolUsage {
            calls: 4,
            of_pages: 1,
            done: 2,
            refused: 2,
            took_ms: 310,
            ..ToolUsage::of(tool)
        })
        .to_vec(),
        parts: [
            PartOfUsage::Named { name: "Fern".to_owned() },
            PartOfUsage::Programs,
            PartOfUsage::Kind { kind: CallKind::Summary },
            PartOfUsage::Others { count: 3 },
        ]
        .map(|of| UsagePart { of, cost: Micros(1080), days: vec![Micros(1080)] })
        .to_vec(),
    }
}
