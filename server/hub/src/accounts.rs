//! People and how they prove who they are: accounts, second factors, signed-in devices, API tokens,
//! invitations. What people own besides, agents and providers, stands with those nouns.

mod attempts;
mod change_password;
mod device_name;
mod ended_shares;
mod erase;
mod granted;
mod invites;
mod look;
mod manage;
mod named;
mod passkeys;
mod passwords;
mod pending;
mod people;
mod reauthenticate;
mod resets;
mod rules;
mod second_factor;
mod secrets;
mod sessions;
mod settings;
mod setup;
mod shown_once;
mod sign_in;
mod sign_up;
mod tokens;
mod trusted_browser;
mod uncarried;

use crate::Hub;
use crate::access::{Admin, Bearer, Scoped, Viewer};
use crate::store::ReadCache;
pub use passkeys::PasskeyAnswer;
pub use passwords::HashCost;
pub use pending::{PENDING_SECONDS, PendingSignIn};
pub use sessions::{NewSession, RenewedSession, SESSION_SECONDS};
pub use sign_in::SignIn;
pub use tokens::Words;
pub use trusted_browser::TRUSTED_BROWSER_SECONDS;

pub(crate) use ended_shares::{SharesOf, end_shared_tasks, leave_unwanted, leave_unwanted_elsewhere};
pub(crate) use granted::{Granted, granted_token, token_name};
pub(crate) use look::is_hidden;
pub(crate) use people::respell;
pub(crate) use secrets::stored as secret_digest;
pub(crate) use settings::put as put_setting;
pub(crate) use uncarried::UncarriedToken;

use passwords::Passwords;
use second_factor::Starting;
use shown_once::ShownOnce;

/// The accounts of all people, for who runs the hub.
#[derive(Clone, Copy, Debug)]
pub struct People<'a> {
    hub: &'a Hub,
    viewer: &'a Viewer,
}

impl<'a> Admin<'a> {
    pub fn people(&self) -> People<'a> {
        People { hub: self.hub, viewer: self.viewer }
    }
}

/// The account of the viewer.
#[derive(Clone, Copy, Debug)]
pub struct OwnAccount<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn account(&self) -> OwnAccount<'a> {
        OwnAccount { scoped: *self }
    }
}

/// The accounts of the hub: who may sign in, and how.
#[derive(Clone, Copy, Debug)]
pub struct Accounts<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub fn accounts(&self) -> Accounts<'_> {
        Accounts { hub: self }
    }

    fn passwords(&self) -> &Passwords {
        &self.0.accounts.passwords
    }

    fn shown_once(&self) -> &ShownOnce {
        &self.0.accounts.shown_once
    }

    fn starting(&self) -> &Starting {
        &self.0.accounts.starting
    }

    fn bearers(&self) -> &ReadCache<String, Option<Bearer>> {
        &self.0.accounts.bearers
    }
}

pub(crate) struct InMemory {
    passwords: Passwords,
    shown_once: ShownOnce,
    starting: Starting,
    /// By what is kept of a token.
    bearers: ReadCache<String, Option<Bearer>>,
}

impl InMemory {
    pub(crate) fn new(cost: HashCost) -> Self {
        Self {
            passwords: Passwords::new(cost),
            shown_once: ShownOnce::default(),
            starting: Starting::default(),
            bearers: ReadCache::default(),
        }
    }
}
