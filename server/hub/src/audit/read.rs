//! Looking things up in the audit: people what concerns them, administrators everything.

use super::chain::StoredLine;
use crate::audit::{OwnAudit, WholeAudit};
use crate::error::{Error, Result};
use crate::store;
use crate::store::{Readers, Row, name_of, named, query};
use protocol::UserId;
use protocol::view::{AuditAction, AuditLine, AuditPage};

/// Lines handed out at a time.
const PAGE: usize = 50;

/// What is looked for.
#[derive(Clone, Debug, Default)]
pub struct AuditQuery {
    /// A part of a name, of what it was done to, or of an address.
    pub text: String,
    pub action: Option<AuditAction>,
    /// Only lines before this number.
    pub before: Option<u64>,
}

impl OwnAudit<'_> {
    /// What the person did, and what concerns them. Others' addresses stay theirs.
    pub async fn read(self, query: &AuditQuery) -> Result<AuditPage> {
        let _turn = self.scoped.hub.audit().search_turn(&self.scoped.viewer.me.id).await?;
        let own = self.scoped.owner();
        let mut page = select(self.scoped.hub.store().read(), own, Addresses::Own, query).await?;
        for (line, stored) in &mut page.lines {
            if !(stored.actor.is_empty() || stored.actor == own) {
                line.address.clear();
            }
        }
        Ok(page.view())
    }
}

impl WholeAudit<'_> {
    /// What anybody did, or what concerns this person.
    pub async fn read(self, person: Option<&UserId>, query: &AuditQuery) -> Result<AuditPage> {
        let _turn = self.hub.audit().search_turn(&self.viewer.me.id).await?;
        let person = person.map_or("", |person| person.0.as_str());
        Ok(select(self.hub.store().read(), person, Addresses::All, query).await?.view())
    }
}

/// Which addresses a search may find: those that the reader may see.
#[derive(Clone, Copy)]
enum Addresses {
    /// The reader's, and those of nobody who is known.
    Own,
    All,
}

struct AuditRows {
    lines: Vec<(AuditLine, StoredLine)>,
    older: Option<u64>,
}

impl AuditRows {
    fn view(self) -> AuditPage {
        AuditPage { lines: self.lines.into_iter().map(|(line, _)| line).collect(), older: self.older }
    }
}

/// An empty `person` is everybody.
async fn select(
    pool: &Readers,
    person: &str,
    addresses: Addresses,
    filter: &AuditQuery,
) -> Result<AuditRows> {
    let action = filter.action.as_ref().map(name_of).transpose()?.unwrap_or_default();
    let before = filter.before.and_then(|before| i64::try_from(before).ok()).unwrap_or(i64::MAX);
    let text = filter.text.trim();
    let rows = query(
        "SELECT seq, at, action, outcome, actor, actor_name, via, person, person_name, object, address
         FROM audit
         WHERE seq < $1 AND ($2 = '' OR actor = $2 OR person = $2) AND ($3 = '' OR action = $3)
           AND ($4 = '' OR lower(object) LIKE $4 ESCAPE '!' OR lower(actor_name) LIKE $4 ESCAPE '!'
                OR lower(person_name) LIKE $4 ESCAPE '!'
                OR (address LIKE $4 ESCAPE '!' AND ($6 = 1 OR actor = '' OR actor = $2)))
         ORDER BY seq DESC LIMIT $5",
        (
            before,
            person,
            action,
            if text.is_empty() { String::new() } else { pattern(text) },
            PAGE + 1,
            matches!(addresses, Addresses::All),
        ),
    )
    .fetch_all::<Row>(pool)
    .await?;
    let mut lines = rows.iter().map(line).collect::<Result<Vec<_>>>()?;
    let more = lines.len() > PAGE;
    lines.truncate(PAGE);
    let older = lines.last().filter(|_| more).map(|(line, _)| line.seq);
    Ok(AuditRows { lines, older })
}

fn line(row: &store::Row) -> Result<(AuditLine, StoredLine)> {
    let stored = StoredLine::read(row)?;
    let view = AuditLine {
        seq: u64::try_from(stored.seq).map_err(Error::internal)?,
        at: stored.at,
        action: named(&stored.action).map_err(Error::internal)?,
        outcome: named(&stored.outcome).map_err(Error::internal)?,
        actor: stored.actor_name.clone(),
        via: named(&stored.via).map_err(Error::internal)?,
        person: stored.person_name.clone(),
        object: stored.object.clone(),
        address: stored.address.clone(),
    };
    Ok((view, stored))
}

/// The text anywhere, with the marks of LIKE as themselves.
pub(crate) fn pattern(text: &str) -> String {
    let mut pattern = String::from("%");
    for c in text.to_lowercase().chars() {
        if matches!(c, '%' | '_' | '!') {
            pattern.push('!');
        }
        pattern.push(c);
    }
    pattern.push('%');
    pattern
}
