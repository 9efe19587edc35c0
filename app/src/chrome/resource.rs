//! What a page shows: read on the server before its HTML is sent, handed on with it, and read anew in the browser. What
//! Leptos needs for that is large for each type it is used with, so it is used with one, which all pages share.

use crate::AppError;
use crate::prelude::*;
use leptos::server::Resource;
use leptos::server::codee::{Decoder, Encoder};
use protocol::FailureKind;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::any::Any;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;

/// What a page shows, or why it does not come.
pub struct PageResource<T> {
    pub(super) carried: Resource<Carried, Codec>,
    shows: PhantomData<fn() -> T>,
}

impl<T> Clone for PageResource<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for PageResource<T> {}

impl<T: Clone + Send + Sync + Serialize + DeserializeOwned + 'static> PageResource<T> {
    /// Calls `fetcher` with what `source` says, and again whenever that changes. The page waits for it.
    pub fn new<S, Fut>(
        source: impl Fn() -> S + Send + Sync + 'static,
        fetcher: impl Fn(S) -> Fut + Send + Sync + 'static,
    ) -> Self
    where
        S: Clone + PartialEq + Send + Sync + 'static,
        Fut: Future<Output = Result<T, AppError>> + Send + 'static,
    {
        let source = move || Source(Arc::new(source()));
        let fetcher = move |Source(asked): Source| -> Fetching {
            let asked = (&*asked as &dyn Any).downcast_ref::<S>().expect("what `source` said").clone();
            let fetching = fetcher(asked);
            Box::pin(async move { Carried::new(fetching.await) })
        };
        Self { carried: resource(Box::new(source), Box::new(fetcher)), shows: PhantomData }
    }

    pub async fn read(self) -> Result<T, AppError> {
        self.carried.await.read()
    }

    /// `None` until it has come; tracked.
    pub fn get(self) -> Option<Result<T, AppError>> {
        self.carried.get().map(Carried::read)
    }

    pub fn refetch(self) {
        self.carried.refetch();
    }
}

type Fetching = Pin<Box<dyn Future<Output = Carried> + Send>>;

fn resource(
    source: Box<dyn Fn() -> Source + Send + Sync>,
    fetcher: Box<dyn Fn(Source) -> Fetching + Send + Sync>,
) -> Resource<Carried, Codec> {
    Resource::new_with_options(source, fetcher, true)
}

/// What a fetcher is called with, of whatever type.
#[derive(Clone)]
struct Source(Arc<dyn Compared>);

trait Compared: Any + Send + Sync {
    fn equals(&self, other: &dyn Any) -> bool;
}

impl<S: PartialEq + Send + Sync + 'static> Compared for S {
    fn equals(&self, other: &dyn Any) -> bool {
        other.downcast_ref::<S>() == Some(self)
    }
}

impl PartialEq for Source {
    fn eq(&self, other: &Self) -> bool {
        self.0.equals(&*other.0)
    }
}

/// What a fetcher answered, of whatever type.
#[derive(Clone)]
pub(super) enum Carried {
    Answer(Answer),
    /// The JSON of an answer that came with the document.
    Text(Arc<str>),
    Failed(AppError),
}

#[derive(Clone)]
pub(super) struct Answer {
    value: Arc<dyn Any + Send + Sync>,
    /// Browsers hand nothing on, and so have no code for it.
    #[cfg(feature = "ssr")]
    to_json: fn(&dyn Any) -> serde_json::Result<String>,
}

impl Carried {
    fn new<T: Send + Sync + Serialize + 'static>(answer: Result<T, AppError>) -> Self {
        match answer {
            Ok(value) => Self::Answer(Answer {
                value: Arc::new(value),
                #[cfg(feature = "ssr")]
                to_json: |value| serde_json::to_string(value.downcast_ref::<T>().expect("what was carried")),
            }),
            Err(error) => Self::Failed(error),
        }
    }

    pub(super) fn has_failed(&self) -> bool {
        matches!(self, Self::Failed(_))
    }

    /// Whether it failed in a way that says nothing of what was there before.
    pub(super) fn may_pass(&self) -> bool {
        let Self::Failed(AppError(failure)) = self else { return false };
        match failure.kind {
            FailureKind::Unauthenticated | FailureKind::Forbidden | FailureKind::NotFound => false,
            FailureKind::Conflict
            | FailureKind::Invalid
            | FailureKind::Limit
            | FailureKind::Upstream
            | FailureKind::Unavailable
            | FailureKind::Internal => true,
        }
    }

    /// `T` is the type of the resource.
    pub(super) fn read<T: Clone + DeserializeOwned + 'static>(self) -> Result<T, AppError> {
        match self {
            Self::Answer(answer) => Ok(answer.value.downcast_ref::<T>().expect("what was carried").clone()),
            Self::Text(text) => serde_json::from_str(&text).map_err(unread),
            Self::Failed(error) => Err(error),
        }
    }
}

fn unread(error: serde_json::Error) -> AppError {
    AppError::from_server_fn_error(ServerFnErrorErr::Deserialization(error.to_string()))
}

/// The sign of an answer is followed by its JSON, and the other one by that of a failure.
pub(super) struct Codec;

const ANSWER: char = '=';
const FAILED: char = '!';

impl Encoder<Carried> for Codec {
    type Error = serde_json::Error;
    type Encoded = String;

    fn encode(carried: &Carried) -> serde_json::Result<String> {
        let (sign, json) = match carried {
            #[cfg(feature = "ssr")]
            Carried::Answer(answer) => (ANSWER, (answer.to_json)(&*answer.value)?),
            #[cfg(not(feature = "ssr"))]
            Carried::Answer(_) => (ANSWER, String::new()),
            Carried::Text(text) => (ANSWER, text.to_string()),
            Carried::Failed(error) => (FAILED, serde_json::to_string(error)?),
        };
        Ok(format!("{sign}{json}"))
    }
}

impl Decoder<Carried> for Codec {
    type Error = serde_json::Error;
    type Encoded = str;

    fn decode(text: &str) -> serde_json::Result<Carried> {
        match text.strip_prefix(ANSWER) {
            Some(json) => Ok(Carried::Text(json.into())),
            None => serde_json::from_str(text.trim_start_matches(FAILED)).map(Carried::Failed),
        }
    }
}
