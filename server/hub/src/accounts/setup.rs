//! The first account: the one-time code that the hub prints when it starts, and the command line.

use super::passwords::HashPriority;
use super::people;
use super::rules::{PersonName, check_password};
use super::secrets::stored;
use super::sessions::{self, NewSession};
use super::settings::{self, SETUP_CODE};
use crate::access::Visitor;
use crate::accounts::Accounts;
use crate::audit::{Actor, AuditEvent};
use crate::clock::new_secret;
use crate::error::{Error, Result};
use crate::store::{Connection, query};
use protocol::view::{AuditAction, Me, Role, Welcome};
use sqlx::{Any, Executor};

impl Accounts<'_> {
    /// A new code for the first account, which voids the one before; none once somebody has an account. Each of
    /// several nodes has its own, since whoever starts them sees what one of them says.
    pub async fn ensure_setup_code(self) -> Result<Option<String>> {
        let mut tx = self.hub.store().write().await?;
        if people::anybody(&mut *tx).await? {
            return Ok(None);
        }
        let code = new_secret();
        settings::put(&mut tx, &self.setup_code_key(), &stored(&code)).await?;
        tx.commit().await?;
        Ok(Some(code))
    }

    /// The keys of all nodes are those between `setup_code` and what would follow it.
    fn setup_code_key(self) -> String {
        self.hub.cluster().own_id().map_or(SETUP_CODE.to_owned(), |node| format!("{SETUP_CODE}:{node}"))
    }

    /// What a visitor may do. Whether the connection is safe is for the transport to say.
    pub async fn welcome(self) -> Result<Welcome> {
        let needs_setup = !people::anybody(self.hub.store().read()).await?;
        let sign_up = settings::sign_up_mode(self.hub.store().read()).await?;
        Ok(Welcome { needs_setup, sign_up, insecure: false })
    }

    /// Makes the first account, an administrator's, and uses the code up.
    pub async fn set_up<'a>(
        self,
        code: &str,
        name: &str,
        password: &str,
        visitor: impl Into<Visitor<'a>>,
    ) -> Result<NewSession> {
        let visitor = visitor.into();
        let code = stored(code);
        if !is_known(self.hub.store().read(), &code).await? {
            return Err(stale());
        }
        let name = PersonName::choose(name)?;
        check_password(password)?;
        let hash = self.hub.passwords().hash(&HashPriority::visitor(&visitor), password).await?;

        let mut tx = self.hub.store().write().await?;
        if !is_known(&mut *tx, &code).await? {
            return Err(stale());
        }
        // The delete is the race, whichever link it was: it takes the locks of all codes, and who finds none came second.
        if void_setup_code(&mut tx).await? == 0 || people::anybody(&mut *tx).await? {
            return Err(stale());
        }
        let now = self.hub.now();
        let me = people::insert(&mut tx, name, &hash, Role::Admin, now).await?;
        let session = sessions::open(&mut tx, me, &visitor, now).await?;
        self.hub
            .audit()
            .note(
                &mut tx,
                AuditEvent::done(AuditAction::AccountMade, &session.viewer).object("the first one"),
            )
            .await?;
        tx.commit().await?;
        Ok(session)
    }

    /// For the command line. The first person becomes an administrator whatever the role, and the
    /// set-up code is void.
    pub async fn add_user(self, name: &str, password: &str, role: Role) -> Result<Me> {
        let name = PersonName::choose(name)?;
        check_password(password)?;
        let hash = self.hub.passwords().hash(&HashPriority::person(&name.login), password).await?;
        let mut tx = self.hub.store().write().await?;
        void_setup_code(&mut tx).await?;
        let role = if people::anybody(&mut *tx).await? { role } else { Role::Admin };
        let me = people::insert(&mut tx, name, &hash, role, self.hub.now()).await?;
        let line = AuditEvent::done(AuditAction::AccountMade, Actor::terminal()).about(&me.id.0, &me.name);
        self.hub.audit().note(&mut tx, line).await?;
        tx.commit().await?;
        Ok(me)
    }
}

async fn is_known(db: impl Executor<'_, Database = Any>, code: &str) -> Result<bool> {
    query("SELECT key FROM settings WHERE key >= 'setup_code' AND key < 'setup_codf' AND value = $1", (code,))
        .exists(db)
        .await
}

/// Says how many there were.
async fn void_setup_code(connection: &mut Connection) -> Result<u64> {
    query("DELETE FROM settings WHERE key >= 'setup_code' AND key < 'setup_codf'", ())
        .execute(connection)
        .await
}

fn stale() -> Error {
    Error::invalid(
        "This set-up link is not valid. The newest one is in the hub's output, from when it started.",
    )
}
