//! Signing in with name and password, and where the person has a second factor with a code.

use super::attempts::{Attempt, Counter};
use super::passwords::Verdict;
use super::pending::{self, Pending, PendingSignIn};
use super::people;
use super::rules::{PersonName, is_no_password};
use super::second_factor::{self, Use};
use super::secrets::stored;
use super::sessions::{self, NewSession};
use crate::Hub;
use crate::access::Visitor;
use crate::audit::{Actor, Line};
use crate::error::{Error, Result};
use crate::store::Transaction;
use protocol::view::{AuditAction, Me};
use sqlx::Row;

/// How far a right password gets.
#[derive(Debug)]
pub enum SignIn {
    Done(NewSession),
    /// The person has a second factor: [`Hub::sign_in_with_code`] is next.
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

impl Hub {
    /// Opens a fresh session: one that the browser had before is never taken over.
    pub async fn sign_in<'a>(
        &self,
        name: &str,
        password: &str,
        visitor: impl Into<Visitor<'a>>,
    ) -> Result<SignIn> {
        let visitor = visitor.into();
        let Ok(PersonName { login, .. }) = PersonName::parse(name) else { return Err(wrong()) };
        if is_no_password(password) {
            return Err(wrong());
        }
        let attempt = self.count_attempt(self.counters(&login, &visitor).await?).await?;
        let me = match self.person_with_password(&login, password).await {
            Ok(me) => me,
            Err(error) => {
                self.note_failure(&login, &visitor, &attempt, Failed::Password).await?;
                return Err(error);
            }
        };
        let mut tx = self.store.write().await?;
        if second_factor::is_on(&mut *tx, &me.id.0).await? {
            attempt.give_back(&mut tx).await?;
            let pending = pending::begin(&mut tx, &me.id.0, self.now()).await?;
            tx.commit().await?;
            return Ok(SignIn::CodeNeeded(pending));
        }
        let session = self.let_in(tx, me, &visitor, &attempt, Proof::Password).await?;
        Ok(SignIn::Done(session))
    }

    /// The second step: a code of the person's app, or a recovery code. The secret is good until it
    /// worked once.
    pub async fn sign_in_with_code<'a>(
        &self,
        secret: &str,
        code: &str,
        visitor: impl Into<Visitor<'a>>,
    ) -> Result<NewSession> {
        let visitor = visitor.into();
        let Pending { me, login } = self.pending(secret).await?.ok_or_else(pending::over)?;
        let attempt = self.count_attempt(self.counters(&login, &visitor).await?).await?;
        let typed = self.read_code(&me.id.0, code).await?;
        let mut tx = self.store.write().await?;
        pending::end(&mut tx, secret, self.now()).await?;
        let proof = match second_factor::use_up(&mut tx, &me.id.0, &typed).await? {
            Use::ByTime => Proof::Code,
            Use::Recovery(left) => Proof::RecoveryCode { left },
            Use::Refused => {
                tx.rollback().await?;
                self.note_failure(&login, &visitor, &attempt, Failed::Code).await?;
                return Err(second_factor::wrong(&typed));
            }
        };
        self.let_in(tx, me, &visitor, &attempt, proof).await
    }

    /// Ends the transaction.
    async fn let_in(
        &self,
        mut tx: Transaction,
        me: Me,
        visitor: &Visitor<'_>,
        attempt: &Attempt,
        proof: Proof,
    ) -> Result<NewSession> {
        attempt.succeed(&mut tx).await?;
        let session = sessions::open(&mut tx, me, visitor, self.now()).await?;
        let device = sessions::device_name_of(visitor);
        self.note(&mut tx, Line::done(AuditAction::SignedIn, &session.viewer).object(&device)).await?;
        match proof {
            Proof::Password | Proof::Code => {}
            Proof::RecoveryCode { left } => {
                let line = Line::done(AuditAction::RecoveryCodeUsed, &session.viewer);
                self.note(&mut tx, line.object(&format!("{left} left"))).await?;
            }
        }
        tx.commit().await?;
        Ok(session)
    }

    /// What an attempt is counted by: for a browser that is known the browser alone, so that strangers
    /// who guess cannot keep the person out.
    async fn counters(&self, login: &str, visitor: &Visitor<'_>) -> Result<Vec<Counter>> {
        if let Some(secret) = visitor.known
            && self.is_known(secret, login).await?
        {
            return Ok(vec![Counter::Known(format!("{} {login}", stored(secret)))]);
        }
        let name = Counter::name(&self.vault.signing_key("names that somebody tried"), login);
        Ok(visitor.address.map(Counter::address).into_iter().chain([name]).collect())
    }

    async fn person_with_password(&self, login: &str, password: &str) -> Result<Me> {
        let row = sqlx::query("SELECT id, name, role, disabled, password_hash FROM users WHERE login = $1")
            .bind(login)
            .fetch_optional(self.store.read())
            .await?;
        let hash: Option<String> = row.as_ref().map(|row| row.try_get("password_hash")).transpose()?;
        let verdict = self.passwords.verify(hash.clone(), password).await?;
        let (Some(row), Some(hash)) = (row, hash) else { return Err(wrong()) };
        let me = people::me(&row)?;
        match verdict {
            Verdict::Wrong => return Err(wrong()),
            Verdict::Right => {}
            Verdict::RightButWeak => self.strengthen(&me, &hash, password).await?,
        }
        match row.try_get::<i64, _>("disabled")? {
            0 => Ok(me),
            _ => Err(Error::Forbidden("This account is disabled. Ask the administrator of this hub.")),
        }
    }

    /// Records a failure. A name that nobody has is not written down: it may be a password in the wrong
    /// field.
    async fn note_failure(
        &self,
        login: &str,
        visitor: &Visitor<'_>,
        attempt: &Attempt,
        failed: Failed,
    ) -> Result<()> {
        let row = sqlx::query("SELECT id, name FROM users WHERE login = $1")
            .bind(login)
            .fetch_optional(self.store.read())
            .await?;
        let person: Option<(String, String)> =
            row.map(|row| Ok::<_, Error>((row.try_get("id")?, row.try_get("name")?))).transpose()?;
        let line = |action| {
            let line = Line::done(action, Actor::from(visitor)).refused();
            match &person {
                Some((id, name)) => line.about(id, name),
                None => line.object("a name that nobody has"),
            }
        };
        let mut tx = self.store.write().await?;
        let failure = line(AuditAction::SignedIn);
        let failure = match failed {
            Failed::Password => failure,
            Failed::Code => failure.object("the password was right, the code was not"),
        };
        self.note(&mut tx, failure).await?;
        if attempt.is_last() {
            self.note(&mut tx, line(AuditAction::Locked)).await?;
        }
        tx.commit().await?;
        Ok(())
    }

    /// Stores a hash of today's work, unless the password was changed in the meantime.
    async fn strengthen(&self, me: &Me, weak_hash: &str, password: &str) -> Result<()> {
        let hash = self.passwords.hash(password).await?;
        let mut tx = self.store.write().await?;
        sqlx::query("UPDATE users SET password_hash = $1 WHERE id = $2 AND password_hash = $3")
            .bind(hash)
            .bind(&me.id.0)
            .bind(weak_hash)
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
