//! People and how they prove who they are: accounts, second factors, signed-in devices, API tokens,
//! invitations. What people own besides, agents and providers, stands with those nouns.

mod again;
mod attempts;
mod change_password;
mod device_name;
mod invites;
mod known;
mod manage;
mod passkeys;
mod passwords;
mod pending;
mod people;
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

pub use known::KNOWN_SECONDS;
pub use passkeys::PasskeyAnswer;
pub use pending::{PENDING_SECONDS, PendingSignIn};
pub use sessions::{NewSession, SESSION_SECONDS};
pub use sign_in::SignIn;
pub use tokens::Words;

pub(crate) use passwords::Passwords;
pub(crate) use second_factor::Starting;
pub(crate) use shown_once::ShownOnce;
