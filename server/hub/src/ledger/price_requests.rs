//! Models that people could not use because nobody knows what they cost: a list for administrators.

use crate::error::Result;
use crate::ledger::WholeLedger;
use crate::store::{Row, Transaction, query};
use protocol::UserId;
use protocol::view::WantedPrice;

/// Models of one person at most.
const MAX_REQUESTS_PER_PERSON: i64 = 50;

impl WholeLedger<'_> {
    pub async fn wanted_prices(self) -> Result<Vec<WantedPrice>> {
        let rows = query(
            "SELECT w.model, u.name FROM wanted_prices w JOIN users u ON u.id = w.user_id
             ORDER BY w.model, u.name",
            (),
        )
        .fetch_all::<Row>(self.hub.store().read())
        .await?;
        let mut wanted: Vec<WantedPrice> = Vec::new();
        for row in rows {
            let (model, name): (String, String) = (row.get("model")?, row.get("name")?);
            match wanted.last_mut().filter(|last| last.model == model) {
                Some(last) => last.people.push(name),
                None => wanted.push(WantedPrice { model, people: vec![name] }),
            }
        }
        Ok(wanted)
    }
}

pub(super) async fn note(tx: &mut Transaction, model: &str, person: &UserId, now: i64) -> Result<()> {
    query(
        "INSERT INTO wanted_prices (model, user_id, at) SELECT $1, $2, $3
         WHERE (SELECT COUNT(*) FROM wanted_prices WHERE user_id = $2) < $4 ON CONFLICT DO NOTHING",
        (model, person, now, MAX_REQUESTS_PER_PERSON),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Somebody entered what it costs.
pub(crate) async fn clear(tx: &mut Transaction, model: &str) -> Result<()> {
    query("DELETE FROM wanted_prices WHERE model = $1", (model,)).execute(&mut **tx).await?;
    Ok(())
}
