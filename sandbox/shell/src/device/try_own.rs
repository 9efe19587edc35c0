//! Trying the browser's own model, and what it has of one, in words.

use super::own::{self, OwnModel};
use language::{key, say, t};
use protocol::{Failure, FailureKind};

/// Fetches the model if it has to be fetched: the press that tries it allows that.
pub async fn try_own() -> Result<String, Failure> {
    let failed = |words: String| Failure::new(FailureKind::Upstream, words);
    match own::look().await {
        OwnModel::Ready => Ok(t(words(OwnModel::Ready)).to_owned()),
        OwnModel::Fetchable => match own::fetch().await {
            Ok(()) => Ok(t(words(OwnModel::Ready)).to_owned()),
            Err(error) => {
                let (_, message) = own::trouble(&error);
                Err(failed(say!("This browser could not fetch its model: {message} Try again.")))
            }
        },
        missing @ (OwnModel::Unknown | OwnModel::Unavailable) => Err(failed(t(words(missing)).to_owned())),
    }
}

/// In English, as the log has it.
pub fn words(model: OwnModel) -> &'static str {
    match model {
        OwnModel::Unknown => {
            key!(
                "This browser has no model of its own. Chrome and Edge on a computer may have one; or choose another model for this agent."
            )
        }
        OwnModel::Unavailable => {
            key!(
                "This browser cannot run its model on this device: it wants more room or a better graphics card. Choose another model for this agent."
            )
        }
        OwnModel::Fetchable => key!("This browser has a model of its own, and has to fetch it first."),
        OwnModel::Ready => key!("The model of this browser is ready."),
    }
}
