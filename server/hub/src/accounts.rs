//! People and how they prove who they are: accounts, signed-in devices, API tokens, invitations.
//! What people own besides, agents and providers, stands with those nouns.

mod attempts;
mod change_password;
mod device_name;
mod invites;
mod known;
mod manage;
mod passwords;
mod people;
mod resets;
mod rules;
mod secrets;
mod sessions;
mod settings;
mod setup;
mod shown_once;
mod sign_in;
mod sign_up;
mod tokens;

pub use known::KNOWN_SECONDS;
pub use sessions::{NewSession, SESSION_SECONDS};

pub(crate) use passwords::Passwords;
pub(crate) use shown_once::ShownOnce;
