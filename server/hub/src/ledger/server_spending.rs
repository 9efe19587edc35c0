//! What an administrator's providers cost, all people together, which a limit of the whole hub is compared with.

use super::spending::{Growth, MOST_A_LINE, SpendingRecord};
use crate::error::Result;
use crate::store::{Transaction, query};
use std::collections::BTreeMap;

/// Raises the sums of these lines' days, in one order. It comes after everything else in a transaction that others
/// may wait for, as many share a sum: the lines themselves, and the row of the agent.
pub(super) async fn meter<'a>(
    tx: &mut Transaction,
    lines: impl IntoIterator<Item = (&'a SpendingRecord<'a>, &'a Growth)>,
) -> Result<()> {
    let mut sums: BTreeMap<(&str, &str), i64> = BTreeMap::new();
    for (line, growth) in lines.into_iter().filter(|(_, growth)| growth.server_cost > 0) {
        let sum = sums.entry((&line.day, share(line.owner))).or_default();
        *sum = sum.saturating_add(growth.server_cost).min(MOST_A_LINE);
    }
    for ((day, share), cost) in sums {
        query(
            "INSERT INTO server_spending (day, share, cost) VALUES ($1, $2, $3)
             ON CONFLICT (day, share) DO UPDATE SET
                 cost = CASE WHEN server_spending.cost + $3 > $4 THEN $4 ELSE server_spending.cost + $3 END",
            (day, share, cost, MOST_A_LINE),
        )
        .execute(&mut **tx)
        .await?;
    }
    Ok(())
}

/// The last letter: the first ones of an id tell when it was made.
fn share(owner: &str) -> &str {
    owner.char_indices().next_back().map_or("", |(at, _)| &owner[at..])
}
