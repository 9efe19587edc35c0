//! Sources in the store.

use crate::error::Result;
use crate::store::{FromRow, Row, Transaction, query};
use crate::vault::AssociatedData;
use protocol::view::{SearchKind, SearchModel, SearchSourceView};
use protocol::{ProviderId, SearchSourceId};
use sqlx::{Any, Executor};

/// What a source's key is kept for.
const KEY: &str = "search";

pub(super) fn key_place<'a>(owner: &'a str, id: &'a SearchSourceId, server: &'a str) -> AssociatedData<'a> {
    AssociatedData { user: owner, provider: &id.0, purpose: KEY, server: Some(server) }
}

/// In their order.
pub(super) async fn list(
    db: impl Executor<'_, Database = Any>,
    owner: &str,
) -> Result<Vec<SearchSourceView>> {
    query(
        "SELECT s.id, s.kind, s.base_url, s.provider_id, s.model,
             (SELECT COUNT(*) FROM secrets k WHERE k.user_id = s.user_id AND k.provider_id = s.id) AS keys
         FROM search_sources s WHERE s.user_id = $1 ORDER BY s.place, s.created_at, s.id",
        (owner,),
    )
    .fetch_all(db)
    .await
}

pub(super) async fn insert(
    tx: &mut Transaction,
    owner: &str,
    source: &SearchSourceView,
    place: usize,
    now: i64,
) -> Result<()> {
    query(
        "INSERT INTO search_sources (id, user_id, kind, base_url, place, created_at, provider_id, model)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        (
            &source.id,
            owner,
            source.kind,
            source.base_url.as_deref(),
            place,
            now,
            source.model.as_ref().map(|model| &model.provider),
            source.model.as_ref().map(|model| model.model.as_str()),
        ),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

pub(super) async fn delete(
    tx: &mut Transaction,
    owner: &str,
    id: &SearchSourceId,
) -> Result<Option<SearchKind>> {
    query("DELETE FROM search_sources WHERE user_id = $1 AND id = $2 RETURNING kind", (owner, id))
        .fetch_optional(&mut **tx)
        .await
}

pub(super) async fn put_in_order(tx: &mut Transaction, owner: &str, order: &[SearchSourceId]) -> Result<()> {
    for (place, id) in order.iter().enumerate() {
        query("UPDATE search_sources SET place = $3 WHERE user_id = $1 AND id = $2", (owner, id, place))
            .execute(&mut **tx)
            .await?;
    }
    Ok(())
}

impl FromRow for SearchSourceView {
    fn from_row(row: &Row) -> Result<Self> {
        let (provider, model): (Option<ProviderId>, Option<String>) =
            (row.get("provider_id")?, row.get("model")?);
        let model = provider.zip(model);
        let model = model.map(|(provider, model)| SearchModel { provider, name: String::new(), model });
        Ok(Self {
            model,
            id: row.get("id")?,
            kind: row.get("kind")?,
            base_url: row.get("base_url")?,
            has_key: row.get::<i64>("keys")? > 0,
        })
    }
}
