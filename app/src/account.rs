//! Getting in (sign-in, its second step, sign-up, set-up, a new password) and one's own account. The pages
//! before sign-in ship no WebAssembly, and every form of theirs but that of passkeys works without script.

pub mod api;
mod authorize;
mod code;
mod devices;
mod entry;
mod erase;
mod field;
mod one_time;
mod opened;
mod packing;
mod page;
pub mod passkeys;
mod password;
mod programs;
mod reset;
mod retention;
pub mod second_factor;
mod setup;
mod side_calls;
mod sign_in;
mod sign_up;
mod space;
mod tokens;

pub use authorize::AuthorizePage;
pub use code::CodePage;
pub(crate) use one_time::{ShownOnce, take_one_time};
pub use page::AccountPage;
pub use reset::ResetPage;
pub(crate) use retention::choices as days_offered;
pub use second_factor::SecondFactorPage;
pub use setup::SetupPage;
pub use sign_in::SignInPage;
pub use sign_up::SignUpPage;
