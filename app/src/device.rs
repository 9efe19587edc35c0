//! Model servers that this browser calls by itself, on its own device or in its own network: how a
//! request goes there, and what to say when none comes back. What is asked and what the answer means
//! is not known here.

#![cfg_attr(not(feature = "hydrate"), allow(dead_code, reason = "a server is no device"))]

#[cfg(feature = "hydrate")]
mod fetching;
#[cfg(feature = "hydrate")]
mod models;
#[cfg(feature = "hydrate")]
pub mod own;
mod progress;
#[cfg(feature = "hydrate")]
mod request;
#[cfg(any(feature = "hydrate", test))]
mod trouble;

#[cfg(feature = "hydrate")]
pub use models::models;
pub use progress::FetchingModel;
#[cfg(feature = "hydrate")]
pub use request::{diagnose, headers_with, send};
#[cfg(feature = "hydrate")]
pub use trouble::{Place, Trouble};

/// What a browser has of a model of its own, in words.
#[cfg(feature = "hydrate")]
pub fn words(model: own::OwnModel) -> &'static str {
    use own::OwnModel;

    match model {
        OwnModel::Unknown => {
            "This browser has no model of its own. Chrome and Edge on a computer may have one; or choose another model for this agent."
        }
        OwnModel::Unavailable => {
            "This browser cannot run its model on this device: it wants more room or a better graphics card. Choose another model for this agent."
        }
        OwnModel::Fetchable => "This browser has a model of its own, and has to fetch it first.",
        OwnModel::Ready => "The model of this browser is ready.",
    }
}
