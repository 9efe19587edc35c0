//! Signing in with name and password, and where the person has a second factor with a code.

use super::attempts::{Attempt, Counter};
use super::passwords::{HashPriority, PasswordCheck};
use super::pending::{self, Pending, PendingSignIn};
use super::rules::{PersonName, is_no_password};
use super::second_factor::{self, CodeUse};
use super::secrets::stored;
use super::sessions::{self, NewSession};
use crate::access::Visitor;
use crate::accounts::Accounts;
use crate::audit::{Actor, AuditEvent};
use crate::error::{Error, Result};
use crate::store::{FromRow, Row, Transaction, query};
use protocol::view::{AuditAction, Me};

/// How far a right password gets.
#[derive(Debug)]
pub enum SignIn {
    Done(NewSession),
    /// The person has a second factor: [`Accounts::sign_in_with_code`] is next.
    CodeNeeded(PendingSignIn),
}

impl SignIn {
    /// The session, if nothing else is needed.
    pub fn done(self) -> Option<NewSession> {
        match self {
            Self::Done(session) => Some(session),
            Self::CodeNeeded(_) => None,
        }
    }
}

impl Accounts<'_> {
    /// Opens a fresh session: one that the browser had before is never taken over.
    pub async fn sign_in<'a>(
        self,
        name: &str,
        password: &str,
        visitor: impl Into<Visitor<'a>>,
    ) -> Result<SignIn> {
        let visitor = visitor.into();
        let Ok(PersonName { login, .. }) = PersonName::parse(name) else { return Err(wrong()) };
        if is_no_password(password) {
            return Err(wrong());
        }
        let counters = self.counters(&login, &visitor).await?;
        let who = HashPriority::counted(&counters);
        let attempt = self.count_attempt(counters).await?;
        let me = match self.person_with_password(&who, &login, password).await {
            Ok(me) => me,
            Err(error) => {
                self.note_failure(&login, &visitor, &attempt, Failed::Password).await?;
                return Err(error);
            }
        };
        let mut tx = self.hub.store().write().await?;
        if second_factor::is_on(&mut *tx, &me.id.0).await? {
            attempt.give_back(&mut tx).await?;
            let pending = pending::begin(&mut tx, &me.id.0, self.hub.now()).await?;
            tx.commit().await?;
            return Ok(SignIn::CodeNeeded(pending));
        }
        let session = self.let_in(tx, me, &visitor, &attempt, Proof::Password).await?;
        Ok(SignIn::Done(session))
    }

    /// The second step: a code of the person's app, or a recovery code. The secret is good until it
    /// worked once.
    pub async fn sign_in_with_code<'a>(
        self,
        secret: &str,
        code: &str,
        visitor: impl Into<Visitor<'a>>,
    ) -> Result<NewSession> {
        let visitor = visitor.into();
        let Pending { me, login } = self.pending(secret).await?.ok_or_else(pending::over)?;
        let mut counters = self.counters(&login, &visitor).await?;
        counters.push(Counter::code(&me.id, &counters));
        let attempt = self.count_attempt(counters).await?;
        let typed = self.read_code(&me.id.0, code).await?;
        let mut tx = self.hub.store().write().await?;
        pending::end(&mut tx, secret, self.hub.now()).await?;
        let proof = match second_factor::use_up(&mut tx, &me.id.0, &typed).await? {
            CodeUse::ByTime => Proof::Code,
            CodeUse::Recovery(left) => Proof::RecoveryCode { left },
            CodeUse::Refused => {
                tx.rollback().await?;
                self.note_failure(&login, &visitor, &attempt, Failed::Code).await?;
                return Err(second_factor::wrong(&typed));
            }
        };
        self.let_in(tx, me, &visitor, &attempt, proof).await
    }

    /// Ends the transaction.
    async fn let_in(
        self,
        mut tx: Transaction,
        me: Me,
        visitor: &Visitor<'_>,
        attempt: &Attempt,
        proof: Proof,
    ) -> Result<NewSession> {
        attempt.succeed(&mut tx).await?;
        let session = sessions::open(&mut tx, me, visitor, self.hub.now()).await?;
        let device = sessions::device_name_of(visitor);
        self.hub
            .audit()
            .note(&mut tx, AuditEvent::done(AuditAction::SignedIn, &session.viewer).object(&device))
            .await?;
        match proof {
            Proof::Password | Proof::Code => {}
            Proof::RecoveryCode { left } => {
                let line = AuditEvent::done(AuditAction::RecoveryCodeUsed, &session.viewer);
                self.hub.audit().note(&mut tx, line.object(&format!("{left} left"))).await?;
            }
        }
        tx.commit().await?;
        Ok(session)
    }

    /// What an attempt is counted by: for a browser that is known the browser alone, so that strangers
    /// who guess cannot keep the person out.
    async fn counters(self, login: &str, visitor: &Visitor<'_>) -> Result<Vec<Counter>> {
        if let Some(secret) = visitor.known
            && self.is_known(secret, login).await?
        {
            return Ok(vec![Counter::Known(format!("{} {login}", stored(secret)))]);
        }
        let name = Counter::name(&self.hub.vault().signing_key("names that somebody tried"), login);
        Ok(visitor.address.map(Counter::address).into_iter().chain([name]).collect())
    }

    async fn person_with_password(self, who: &HashPriority, login: &str, password: &str) -> Result<Me> {
        let row =
            query("SELECT id, name, role, disabled, password_hash FROM users WHERE login = $1", (login,))
                .fetch_optional::<Row>(self.hub.store().read())
                .await?;
        let hash: Option<String> = row.as_ref().map(|row| row.get("password_hash")).transpose()?;
        let verdict = self.hub.passwords().verify(who, hash.clone(), password).await?;
        let (Some(row), Some(hash)) = (row, hash) else { return Err(wrong()) };
        let me = Me::from_row(&row)?;
        match verdict {
            PasswordCheck::Wrong => return Err(wrong()),
            PasswordCheck::Right => {}
            PasswordCheck::RightButWeak => self.strengthen(&me, &hash, password).await?,
        }
        if row.get("disabled")? {
            return Err(Error::Forbidden("This account is disabled. Ask the administrator of this hub."));
        }
        Ok(me)
    }

    /// Records a failure. A name that nobody has is not written down: it may be a password in the wrong
    /// field.
    async fn note_failure(
        self,
        login: &str,
        visitor: &Visitor<'_>,
        attempt: &Attempt,
        failed: Failed,
    ) -> Result<()> {
        let person: Option<(String, String)> = query("SELECT id, name FROM users WHERE login = $1", (login,))
            .fetch_optional(self.hub.store().read())
            .await?;
        let line = |action| {
            let line = AuditEvent::done(action, Actor::from(visitor)).refused();
            match &person {
                Some((id, name)) => line.about(id, name),
                None => line.object("a name that nobody has"),
            }
        };
        let mut tx = self.hub.store().write().await?;
        let failure = line(AuditAction::SignedIn);
        let failure = match failed {
            Failed::Password => failure,
            Failed::Code => failure.object("the password was right, the code was not"),
        };
        self.hub.audit().note(&mut tx, failure).await?;
        if attempt.is_last() {
            self.hub.audit().note(&mut tx, line(AuditAction::Locked)).await?;
        }
        tx.commit().await?;
        Ok(())
    }

    /// Stores a hash of today's work, unless the password was changed in the meantime.
    async fn strengthen(self, me: &Me, weak_hash: &str, password: &str) -> Result<()> {
        let hash = self.hub.passwords().hash(&HashPriority::person(&me.id.0), password).await?;
        let mut tx = self.hub.store().write().await?;
        query(
            "UPDATE users SET password_hash = $1 WHERE id = $2 AND password_hash = $3",
            (hash, &me.id, weak_hash),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(())
    }
}

/// What showed who it is.
#[derive(Clone, Copy, Debug)]
enum Proof {
    Password,
    Code,
    RecoveryCode { left: u32 },
}

/// What was wrong.
#[derive(Clone, Copy, Debug)]
enum Failed {
    Password,
    Code,
}

/// The same for an unknown name and for a wrong password.
fn wrong() -> Error {
    Error::invalid("The name or the password is wrong.")
}
