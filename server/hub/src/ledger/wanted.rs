//! Models that people could not use because nobody knows what they cost: a list for administrators.

use crate::access::Admin;
use crate::error::Result;
use crate::store::Transaction;
use protocol::UserId;
use protocol::view::WantedPrice;
use sqlx::Row as _;

/// Models of one person at most.
const MOST: i64 = 50;

impl Admin<'_> {
    pub async fn wanted_prices(&self) -> Result<Vec<WantedPrice>> {
        let rows = sqlx::query(
            "SELECT w.model, u.name FROM wanted_prices w JOIN users u ON u.id = w.user_id
             ORDER BY w.model, u.name",
        )
        .fetch_all(self.hub.store.read())
        .await?;
        let mut wanted: Vec<WantedPrice> = Vec::new();
        for row in rows {
            let (model, name): (String, String) = (row.try_get("model")?, row.try_get("name")?);
            match wanted.last_mut().filter(|last| last.model == model) {
                Some(last) => last.people.push(name),
                None => wanted.push(WantedPrice { model, people: vec![name] }),
            }
        }
        Ok(wanted)
    }
}

pub(super) async fn note(tx: &mut Transaction, model: &str, person: &UserId, now: i64) -> Result<()> {
    sqlx::query(
        "INSERT INTO wanted_prices (model, user_id, at) SELECT $1, $2, $3
         WHERE (SELECT COUNT(*) FROM wanted_prices WHERE user_id = $2) < $4 ON CONFLICT DO NOTHING",
    )
    .bind(model)
    .bind(&person.0)
    .bind(now)
    .bind(MOST)
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Somebody entered what it costs.
pub(crate) async fn settle(tx: &mut Transaction, model: &str) -> Result<()> {
    sqlx::query("DELETE FROM wanted_prices WHERE model = $1").bind(model).execute(&mut **tx).await?;
    Ok(())
}
