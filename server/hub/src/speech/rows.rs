//! What was chosen, in the store.

use crate::error::Result;
use crate::store::{Transaction, query};
use protocol::view::{SpeechChoice, SpeechChoices, SpeechPart};
use protocol::{AgentId, ProviderId, UserId};
use sqlx::{Any, Executor};

pub(super) async fn choices(db: impl Executor<'_, Database = Any>, person: &UserId) -> Result<SpeechChoices> {
    let rows: Vec<(SpeechPart, ProviderId, String, String)> =
        query("SELECT part, provider_id, model, voice FROM speech WHERE user_id = $1", (person,))
            .fetch_all(db)
            .await?;
    let mut choices = SpeechChoices::default();
    for (part, provider, model, voice) in rows {
        let choice = Some(SpeechChoice { provider, model, voice });
        match part {
            SpeechPart::Hearing => choices.hearing = choice,
            SpeechPart::Speaking => choices.speaking = choice,
        }
    }
    Ok(choices)
}

pub(super) async fn put(
    tx: &mut Transaction,
    person: &UserId,
    part: SpeechPart,
    choice: Option<&SpeechChoice>,
) -> Result<()> {
    let Some(SpeechChoice { provider, model, voice }) = choice else {
        query("DELETE FROM speech WHERE user_id = $1 AND part = $2", (person, part))
            .execute(&mut **tx)
            .await?;
        return Ok(());
    };
    query(
        "INSERT INTO speech (user_id, part, provider_id, model, voice) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (user_id, part) DO UPDATE SET provider_id = $3, model = $4, voice = $5",
        (person, part, provider, model.as_str(), voice.as_str()),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Who pays for what is said and heard with an agent of this person's: the one at the top.
pub(super) async fn payer(
    db: impl Executor<'_, Database = Any>,
    person: &UserId,
    agent: &AgentId,
) -> Result<Option<AgentId>> {
    query("SELECT COALESCE(root_id, id) FROM agents WHERE id = $1 AND user_id = $2", (agent, person))
        .fetch_optional(db)
        .await
}
