//! What each day cost, split by what it was spent on: the largest few parts, and the others together.

use super::read::Read;
use crate::error::Result;
use crate::store::name_of;
use protocol::Micros;
use protocol::view::{PartOfUsage, UsageBy, UsagePart};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Parts that a picture can tell apart.
const MAX_PARTS: usize = 6;

/// What the days of one picture are split into so far.
pub(super) struct Split {
    by: UsageBy,
    /// By what the ledger calls them.
    parts: BTreeMap<String, Part>,
}

struct Part {
    of: PartOfUsage,
    days: BTreeMap<String, Micros>,
}

impl Split {
    pub(super) fn new(by: UsageBy) -> Self {
        Self { by, parts: BTreeMap::new() }
    }

    pub(super) fn add(&mut self, row: &Read) -> Result<()> {
        if row.line.cost == Micros(0) {
            return Ok(());
        }
        let kind = name_of(&row.kind)?;
        let named = |name: &str| PartOfUsage::Named { name: name.to_owned() };
        let (key, of) = match self.by {
            UsageBy::Agent if row.id.is_empty() => ("", PartOfUsage::Programs),
            UsageBy::Agent => (row.id.as_str(), named(&row.name)),
            UsageBy::Model => (row.model.as_str(), named(&row.model)),
            UsageBy::Provider => (row.provider_id.as_str(), named(&row.provider)),
            UsageBy::Kind => (kind.as_str(), PartOfUsage::Kind { kind: row.kind }),
        };
        let part = self.parts.entry(key.to_owned()).or_insert_with(|| Part { of, days: BTreeMap::new() });
        part.days.entry(row.day.clone()).or_default().0 += row.line.cost.0;
        Ok(())
    }

    /// The parts on these days, the most expensive first, and the others last.
    pub(super) fn on(self, days: &[&str]) -> Vec<UsagePart> {
        let mut parts: Vec<_> = self
            .parts
            .into_values()
            .map(|Part { of, days: costs }| UsagePart {
                of,
                cost: Micros(costs.values().map(|cost| cost.0).sum()),
                days: days.iter().map(|day| costs.get(*day).copied().unwrap_or_default()).collect(),
            })
            .collect();
        parts.sort_by_key(|part| Reverse(part.cost));
        if parts.len() > MAX_PARTS {
            let rest = parts.split_off(MAX_PARTS - 1);
            parts.push(together(&rest, days.len()));
        }
        parts
    }
}

fn together(parts: &[UsagePart], days: usize) -> UsagePart {
    let on = |day: usize| Micros(parts.iter().map(|part| part.days[day].0).sum());
    UsagePart {
        of: PartOfUsage::Others { count: parts.len() as u64 },
        cost: Micros(parts.iter().map(|part| part.cost.0).sum()),
        days: (0..days).map(on).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::view::{CallKind, UsageLine};

    fn row(day: &str, model: &str, cost: i64) -> Read {
        Read {
            day: day.to_owned(),
            id: String::new(),
            name: String::new(),
            model: model.to_owned(),
            kind: CallKind::Reply,
            token_id: String::new(),
            token: String::new(),
            provider_id: String::new(),
            provider: String::new(),
            line: UsageLine { cost: Micros(cost), ..UsageLine::default() },
        }
    }

    fn told(rows: &[Read]) -> String {
        let mut split = Split::new(UsageBy::Model);
        for row in rows {
            split.add(row).unwrap();
        }
        let parts = split.on(&["1", "2"]).into_iter().map(|part| {
            let name = match part.of {
                PartOfUsage::Named { name } => name,
                PartOfUsage::Programs => "programs".to_owned(),
                PartOfUsage::Kind { kind } => name_of(&kind).unwrap(),
                PartOfUsage::Others { count } => format!("{count} others"),
            };
            format!("{name} {} = {}+{}", part.cost.0, part.days[0].0, part.days[1].0)
        });
        parts.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn the_parts_of_a_day_are_the_whole_day_however_many_there_are() {
        let many = |count: i64| (0..count).map(|n| row("2", &format!("m{n}"), 10 + n)).collect::<Vec<_>>();
        for (rows, expected) in [
            (vec![], ""),
            (vec![row("1", "free", 0)], ""),
            (vec![row("1", "a", 1), row("2", "b", 5), row("2", "a", 2)], "b 5 = 0+5, a 3 = 1+2"),
            (many(6), "m5 15 = 0+15, m4 14 = 0+14, m3 13 = 0+13, m2 12 = 0+12, m1 11 = 0+11, m0 10 = 0+10"),
            (
                many(8),
                "m7 17 = 0+17, m6 16 = 0+16, m5 15 = 0+15, m4 14 = 0+14, m3 13 = 0+13, 3 others 33 = 0+33",
            ),
        ] {
            assert_eq!(told(&rows), expected);
        }
    }
}
