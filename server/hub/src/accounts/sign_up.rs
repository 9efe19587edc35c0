//! Making one's own account, as far as the hub lets visitors do that.

use super::invites;
use super::passwords::HashPriority;
use super::people;
use super::rules::{PersonName, check_password};
use super::sessions::{self, NewSession};
use super::settings;
use crate::access::Visitor;
use crate::accounts::Accounts;
use crate::audit::AuditEvent;
use crate::error::{Error, Result};
use protocol::view::{AuditAction, Role, SignUpMode};

impl Accounts<'_> {
    /// Makes a member's account and signs the device in. An invitation is used up only if that
    /// succeeds.
    pub async fn sign_up<'a>(
        self,
        invite: Option<&str>,
        name: &str,
        password: &str,
        visitor: impl Into<Visitor<'a>>,
    ) -> Result<NewSession> {
        let visitor = visitor.into();
        let needed = match (settings::sign_up_mode(self.hub.store().read()).await?, invite) {
            (SignUpMode::Open, _) => None,
            (SignUpMode::Invite, Some(invite)) => Some(invite),
            (SignUpMode::Invite, None) => {
                return Err(Error::Forbidden("You need an invitation link to make an account here."));
            }
            (SignUpMode::Closed, _) => {
                return Err(Error::Forbidden("This hub takes no new accounts. Ask whoever runs it."));
            }
        };
        if let Some(invite) = needed {
            invites::check(self.hub.store().read(), invite, self.hub.now()).await?;
        }
        let name = PersonName::choose(name)?;
        check_password(password)?;
        let hash = self.hub.passwords().hash(&HashPriority::visitor(&visitor), password).await?;

        let mut tx = self.hub.store().write().await?;
        let now = self.hub.now();
        if let Some(invite) = needed {
            invites::use_up(&mut tx, invite, now).await?;
        }
        let me = people::insert(&mut tx, name, &hash, Role::Member, now).await?;
        let session = sessions::open(&mut tx, me, &visitor, now).await?;
        self.hub.audit().note(&mut tx, AuditEvent::done(AuditAction::AccountMade, &session.viewer)).await?;
        tx.commit().await?;
        Ok(session)
    }
}
