//! What was spent and which tools were called, for people to look at and for spreadsheets.

mod read;
mod sheet;
mod split;
mod tools;

use super::day;
use crate::Hub;
use crate::error::Result;
use crate::ledger::{OwnLedger, WholeLedger};
use crate::store::query;
use protocol::Micros;
use protocol::view::{CallKind, ToolUsage, UsageBy, UsageDay, UsageLine, UsageOfKind, UsageView};
use read::Read;
use split::Split;
use std::collections::BTreeMap;

/// Days that a usage page looks back, today included.
const DAYS: i64 = 30;

impl OwnLedger<'_> {
    /// Of the last thirty days, what the person's agents used.
    pub async fn usage(self) -> Result<UsageView> {
        self.usage_by(None).await
    }

    /// The same with the days split, if `by` says by what.
    pub async fn usage_by(self, by: Option<UsageBy>) -> Result<UsageView> {
        let since = day::before(self.scoped.hub.now(), DAYS - 1);
        let rows = query(
            "SELECT s.day, s.model, s.kind, s.provider_id, COALESCE(p.name, '') AS provider,
                    COALESCE(a.name, '') AS name, s.agent_id AS id, s.token_id,
                    COALESCE(t.name, '') AS token,
                    s.calls, s.unpriced, s.input_tokens, s.output_tokens, s.cost
             FROM spending s LEFT JOIN agents a ON a.id = s.agent_id
                             LEFT JOIN tokens t ON t.id = s.token_id
                             LEFT JOIN providers p ON p.id = s.provider_id
             WHERE s.user_id = $1 AND s.day >= $2",
            (self.scoped.owner(), &since),
        )
        .fetch_all(self.scoped.hub.store().read())
        .await?;
        view(self.scoped.hub, rows, by, tools::of_person(self.scoped.hub, self.scoped.owner(), DAYS).await?)
    }
}

impl WholeLedger<'_> {
    /// The same for everybody; the lines of `agents` are people. What people call providers of their own is
    /// theirs: only those that are shared have a name here.
    pub async fn usage(self) -> Result<UsageView> {
        self.usage_by(None).await
    }

    /// The same with the days split, if `by` says by what.
    pub async fn usage_by(self, by: Option<UsageBy>) -> Result<UsageView> {
        let since = day::before(self.hub.now(), DAYS - 1);
        let rows = query(
            "SELECT s.day, s.model, s.kind, COALESCE(p.id, '') AS provider_id,
                    COALESCE(p.name, '') AS provider, u.name,
                    s.user_id AS id, '' AS token_id, '' AS token, s.calls, s.unpriced, s.input_tokens,
                    s.output_tokens, s.cost
             FROM spending s JOIN users u ON u.id = s.user_id
                             LEFT JOIN shared_providers h ON h.provider_id = s.provider_id
                             LEFT JOIN providers p ON p.id = h.provider_id WHERE s.day >= $1",
            (&since,),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        view(self.hub, rows, by, tools::of_everybody(self.hub, DAYS).await?)
    }
}

fn view(hub: &Hub, rows: Vec<Read>, by: Option<UsageBy>, tools: Vec<ToolUsage>) -> Result<UsageView> {
    let mut days: BTreeMap<String, Micros> =
        (0..DAYS).map(|back| (day::before(hub.now(), back), Micros(0))).collect();
    let mut whose: BTreeMap<String, UsageLine> = BTreeMap::new();
    let mut programs: BTreeMap<String, UsageLine> = BTreeMap::new();
    let mut models: BTreeMap<String, UsageLine> = BTreeMap::new();
    let mut providers: BTreeMap<String, UsageLine> = BTreeMap::new();
    let mut kinds: BTreeMap<CallKind, UsageLine> = BTreeMap::new();
    let mut split = by.map(Split::new);
    for row in rows {
        if let Some(split) = &mut split {
            split.add(&row)?;
        }
        let Read { day, id, name, model, kind, token_id, token, provider_id, provider, line } = row;
        days.entry(day).or_default().0 += line.cost.0;
        if !id.is_empty() {
            add(whose.entry(id).or_insert_with(|| named(&name)), &line);
        }
        if !token_id.is_empty() {
            add(programs.entry(token_id).or_insert_with(|| named(&token)), &line);
        }
        add(providers.entry(provider_id).or_insert_with(|| named(&provider)), &line);
        add(kinds.entry(kind).or_default(), &line);
        add(models.entry(model.clone()).or_insert_with(|| named(&model)), &line);
    }
    let parts = split.map(|split| split.on(&days.keys().map(String::as_str).collect::<Vec<_>>()));
    Ok(UsageView {
        parts: parts.unwrap_or_default(),
        days: days.into_iter().map(|(day, cost)| UsageDay { day, cost }).collect(),
        agents: most_first(whose),
        programs: most_first(programs),
        models: most_first(models),
        providers: most_first(providers),
        kinds: kinds.into_iter().map(|(kind, line)| UsageOfKind { kind, line }).collect(),
        tools,
    })
}

fn named(name: &str) -> UsageLine {
    UsageLine { name: name.to_owned(), ..UsageLine::default() }
}

fn add(to: &mut UsageLine, line: &UsageLine) {
    to.calls += line.calls;
    to.unpriced += line.unpriced;
    to.input_tokens += line.input_tokens;
    to.output_tokens += line.output_tokens;
    to.cost.0 += line.cost.0;
}

fn most_first(lines: BTreeMap<String, UsageLine>) -> Vec<UsageLine> {
    let mut lines: Vec<_> = lines.into_values().collect();
    lines.sort_by_key(|line| (std::cmp::Reverse(line.cost), std::cmp::Reverse(line.calls)));
    lines
}
