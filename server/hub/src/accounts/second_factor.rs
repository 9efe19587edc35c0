//! The second factor: codes by time from an app, and recovery codes for when it is not there. What the
//! codes come from is in the vault; whoever is signed in stays so when it is turned on or off.

mod code;
mod picture;
mod recovery;
mod starting;
mod totp;

pub(super) use code::{CodeUse, use_up, wrong};
pub(crate) use starting::Starting;

use super::attempts::Counter;
use super::reauthenticate::Reauthenticated;
use super::{pending, people};
use crate::accounts::{Accounts, OwnAccount, People};
use crate::audit::{Actor, AuditEvent};
use crate::error::{Error, Result};
use crate::store::{Transaction, query};
use crate::vault::{AssociatedData, Vault};
use protocol::view::{AuditAction, NewSecondFactor, RecoveryCodes, SecondFactor};
use protocol::{DeviceId, UserId};
use sqlx::{Any, Executor};
use totp::Seed;

const PURPOSE: &str = "second factor";

impl OwnAccount<'_> {
    pub async fn second_factor(self) -> Result<SecondFactor> {
        let read = self.scoped.hub.store().read();
        let since = query("SELECT created_at FROM second_factors WHERE user_id = $1", (self.scoped.owner(),))
            .fetch_optional(read)
            .await?;
        Ok(SecondFactor { since, recovery_codes: recovery::left(read, self.scoped.owner()).await? })
    }

    /// Begins to set it up on this device. Nothing changes before a code of it was typed. `host` is where
    /// the person reached the hub.
    pub async fn start_second_factor(self, password: &str, host: &str) -> Result<NewSecondFactor> {
        let device = self.browser()?.clone();
        if is_on(self.scoped.hub.store().read(), self.scoped.owner()).await? {
            return Err(on_already());
        }
        let Reauthenticated { attempt, .. } =
            self.password_again(password, AuditAction::SecondFactorOn).await?;
        let mut tx = self.scoped.hub.store().write().await?;
        attempt.succeed(&mut tx).await?;
        tx.commit().await?;
        let seed = Seed::new();
        self.scoped.hub.starting().put(device, seed.clone(), self.scoped.hub.moment());
        self.shown(&seed, host)
    }

    /// What is being set up on this device, to be shown again.
    pub fn started_second_factor(self, host: &str) -> Result<Option<NewSecondFactor>> {
        let Some(device) = self.scoped.viewer.device() else { return Ok(None) };
        let seed = self.scoped.hub.starting().get(device, self.scoped.hub.moment());
        seed.map(|seed| self.shown(&seed, host)).transpose()
    }

    /// Does not set it up after all.
    pub fn leave_second_factor(self) -> Result<()> {
        self.scoped.hub.starting().forget(self.browser()?);
        Ok(())
    }

    /// Turns it on with a code that the person's app made. The answer is the only time that the recovery
    /// codes are seen.
    pub async fn confirm_second_factor(self, code: &str) -> Result<RecoveryCodes> {
        let device = self.browser()?;
        let now = self.scoped.hub.now();
        let seed = self.scoped.hub.starting().get(device, self.scoped.hub.moment()).ok_or_else(|| {
            Error::invalid("Setting it up took too long. Start again: the code in your app is void.")
        })?;
        let steps = code::six_digits(code).map(|code| seed.steps_of(code, now)).unwrap_or_default();
        let step = steps.first().ok_or_else(|| {
            Error::invalid(
                "This is not the code that your app shows now. Type it again; if it stays wrong, look whether the clock of your phone is right.",
            )
        })?;
        let mut tx = self.scoped.hub.store().write().await?;
        let turned_on = query(
            "INSERT INTO second_factors (user_id, created_at, last_step) VALUES ($1, $2, $3)
             ON CONFLICT (user_id) DO NOTHING",
            (self.scoped.owner(), now, step),
        )
        .execute(&mut *tx)
        .await?;
        if turned_on == 0 {
            return Err(on_already());
        }
        self.scoped.hub.vault().put(&mut tx, place(self.scoped.owner()), &seed.to_secret(), now).await?;
        let codes = recovery::make(&mut tx, self.scoped.owner()).await?;
        self.scoped
            .hub
            .audit()
            .note(&mut tx, AuditEvent::done(AuditAction::SecondFactorOn, self.scoped.viewer))
            .await?;
        tx.commit().await?;
        self.scoped.hub.starting().forget(device);
        Ok(codes)
    }

    /// Makes new recovery codes; the former ones open nothing any more.
    pub async fn renew_recovery_codes(self, password: &str, code: &str) -> Result<RecoveryCodes> {
        let mut tx = self.both_again(password, code, AuditAction::RecoveryCodesMade).await?;
        let codes = recovery::make(&mut tx, self.scoped.owner()).await?;
        self.scoped
            .hub
            .audit()
            .note(&mut tx, AuditEvent::done(AuditAction::RecoveryCodesMade, self.scoped.viewer))
            .await?;
        tx.commit().await?;
        Ok(codes)
    }

    /// Turns it off.
    pub async fn stop_second_factor(self, password: &str, code: &str) -> Result<()> {
        let mut tx = self.both_again(password, code, AuditAction::SecondFactorOff).await?;
        drop_factor(&mut tx, self.scoped.owner()).await?;
        self.scoped
            .hub
            .audit()
            .note(&mut tx, AuditEvent::done(AuditAction::SecondFactorOff, self.scoped.viewer))
            .await?;
        tx.commit().await?;
        Ok(())
    }

    /// Password and code, for `action`, which is to be done in the transaction.
    async fn both_again(self, password: &str, code: &str, action: AuditAction) -> Result<Transaction> {
        self.browser()?;
        if !is_on(self.scoped.hub.store().read(), self.scoped.owner()).await? {
            return Err(Error::Conflict("The second factor is not on.".to_owned()));
        }
        let Reauthenticated { attempt, .. } = self.password_again(password, action).await?;
        let codes =
            self.scoped.hub.accounts().count_attempt(vec![Counter::code_again(self.scoped.owner())]).await?;
        let typed = self.scoped.hub.accounts().read_code(self.scoped.owner(), code).await?;
        let mut tx = self.scoped.hub.store().write().await?;
        if use_up(&mut tx, self.scoped.owner(), &typed).await? == CodeUse::Refused {
            tx.rollback().await?;
            self.note_refused(action, "wrong code").await?;
            return Err(wrong(&typed));
        }
        attempt.succeed(&mut tx).await?;
        codes.succeed(&mut tx).await?;
        Ok(tx)
    }

    /// A token's program has no app to read a picture with, and a stolen one should not lock its person out.
    fn browser(&self) -> Result<&DeviceId> {
        self.scoped
            .viewer
            .device()
            .ok_or(Error::Forbidden("The second factor is changed in a browser, not by a token."))
    }

    fn shown(self, seed: &Seed, host: &str) -> Result<NewSecondFactor> {
        let secret = seed.text();
        let address = picture::address(&secret, &self.scoped.viewer.me.name, host)?;
        Ok(NewSecondFactor { picture: picture::picture(&address)?, secret, address })
    }
}

impl People<'_> {
    /// Takes somebody's second factor away, who lost it. Their password stays.
    pub async fn drop_second_factor(self, person: &UserId) -> Result<()> {
        self.hub.accounts().drop_second_factor(person, Actor::from(self.viewer)).await
    }
}

impl Accounts<'_> {
    /// The same for who owns the machine, and knows the name alone.
    pub async fn drop_second_factor_of(self, name: &str) -> Result<()> {
        let person = people::named(self.hub.store().read(), name).await?;
        self.drop_second_factor(&person, Actor::terminal()).await
    }

    async fn drop_second_factor(self, person: &UserId, actor: Actor<'_>) -> Result<()> {
        let mut tx = self.hub.store().write().await?;
        let me = people::lock(&mut tx, person).await?;
        if !drop_factor(&mut tx, &person.0).await? {
            return Err(Error::Conflict(format!("{} has no second factor.", me.name)));
        }
        let line = AuditEvent::done(AuditAction::SecondFactorOff, actor).about(&me.id.0, &me.name);
        self.hub.audit().note(&mut tx, line).await?;
        tx.commit().await?;
        Ok(())
    }
}

pub(super) async fn is_on(executor: impl Executor<'_, Database = Any>, user: &str) -> Result<bool> {
    query("SELECT 1 FROM second_factors WHERE user_id = $1", (user,)).exists(executor).await
}

/// `false`: there was none.
async fn drop_factor(tx: &mut Transaction, user: &str) -> Result<bool> {
    let dropped = query("DELETE FROM second_factors WHERE user_id = $1", (user,)).execute(&mut **tx).await?;
    Vault::forget_purpose(tx, user, PURPOSE).await?;
    recovery::forget(tx, user).await?;
    pending::forget(tx, user).await?;
    Ok(dropped > 0)
}

/// It is nobody's provider.
fn place(user: &str) -> AssociatedData<'_> {
    AssociatedData { user, provider: "", purpose: PURPOSE, server: Some("") }
}

fn on_already() -> Error {
    Error::Conflict(
        "The second factor is on already. To move it to another app, turn it off first.".to_owned(),
    )
}
