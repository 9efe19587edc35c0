//! Files on their way in by forms: how a form is read, and how a page and a program are answered.

use crate::limits::{BodyRoom, QuotaFull};
use app::AppError;
use app::context::RequestFacts;
use axum::extract::Multipart;
use axum::extract::multipart::{Field, MultipartError};
use axum::response::{IntoResponse, Redirect, Response};
use http::header::{self, HeaderMap};
use hub::{Error, LARGEST_ARCHIVE, LARGEST_IMPORT};
use leptos::server_fn::error::ServerFnUrlError;
use protocol::Failure;
use serde::Serialize;
use std::time::Duration;
use tokio::time::sleep;

/// Bytes of the one file of a form, and those that are read of one that is too large: a client that is still
/// sending would not see the answer.
const LARGEST: usize = LARGEST_ARCHIVE;
const DRAINED: usize = 4 * LARGEST;
const _: () = assert!(LARGEST_IMPORT == LARGEST, "forms with one file are read to the same length");

/// Fields of a form with one file, and bytes of those that are not the file.
const FIELDS: usize = 10;
const OTHERS: usize = 64 * 1024;
/// How long a whole form may take to come.
const WHOLE: Duration = Duration::from_secs(5 * 60);

/// A form with one file in it.
pub struct FileForm {
    /// The name of its field.
    pub field: &'static str,
    /// Where it is larger than 20 MB.
    pub too_large: &'static str,
    /// The page that it stands on.
    pub page: &'static str,
}

/// Whether a page is to be answered, and not a program.
pub fn is_page(headers: &HeaderMap) -> bool {
    let accept = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    accept.is_some_and(|accept| accept.contains("text/html"))
}

/// Leads a page back to where the form stands, which says what was wrong; a program is told.
pub fn sent_back(is_page: bool, page: &str, error: Error) -> Response {
    match error {
        Error::Limit(_) if is_page => Redirect::to(&format!("{page}?too-large=")).into_response(),
        Error::Invalid(_) if is_page => Redirect::to(&format!("{page}?no-file=")).into_response(),
        error => refuse(error),
    }
}

/// The same, where what can be wrong is not known beforehand: the page says it as if this function had been called,
/// in words that are sealed into the address.
pub fn sent_back_by(
    is_page: bool,
    facts: &RequestFacts,
    page: &str,
    function: &str,
    error: Error,
) -> Response {
    let failure = app::told_in(facts.language, error);
    let page = format!("{}{page}", facts.origin);
    match ServerFnUrlError::new(function, AppError(failure.clone())).to_url(&page) {
        Ok(address) if is_page => Redirect::to(address.as_str()).into_response(),
        Ok(_) | Err(_) => told(failure),
    }
}

/// What was taken in and is to be looked through at this address: a program gets it at once.
pub async fn to_review(
    is_page: bool,
    address: String,
    review: impl Future<Output = hub::Result<impl Serialize>>,
) -> Response {
    if is_page {
        return Redirect::to(&address).into_response();
    }
    match review.await {
        Ok(reviewed) => ([(header::LOCATION, address)], axum::Json(reviewed)).into_response(),
        Err(error) => refuse(error),
    }
}

pub fn refuse(error: Error) -> Response {
    told(error.into_failure())
}

fn told(failure: Failure) -> Response {
    (app::status_of(failure.kind), axum::Json(failure)).into_response()
}

/// The form's file, with its name.
pub async fn one_file(
    form: Multipart,
    room: &mut BodyRoom,
    wanted: &FileForm,
) -> hub::Result<(String, Vec<u8>)> {
    in_time(read(form, room, wanted)).await
}

/// What comes of reading a form that has to come to its end in five minutes.
pub async fn in_time<T>(form: impl Future<Output = hub::Result<T>>) -> hub::Result<T> {
    tokio::select! {
        biased;
        read = form => read,
        () = sleep(WHOLE) => Err(Error::invalid("The form did not come to its end in five minutes. Send it again.")),
    }
}

async fn read(mut form: Multipart, room: &mut BodyRoom, wanted: &FileForm) -> hub::Result<(String, Vec<u8>)> {
    let FileForm { field: name_of_field, too_large, .. } = wanted;
    let mut others = 0;
    for _ in 0..FIELDS {
        let Some(mut field) = form.next_field().await.map_err(broken)? else { break };
        if field.name() == Some(name_of_field) {
            let name = field.file_name().unwrap_or_default().to_owned();
            let bytes = whole(field, room, too_large).await?;
            if !name.is_empty() || !bytes.is_empty() {
                return Ok((name, bytes));
            }
            continue;
        }
        // A field that is left alone is read to its end, however long it is.
        while let Some(chunk) = field.chunk().await.map_err(broken)? {
            others += chunk.len();
            if others > OTHERS {
                return Err(Error::invalid(format!(
                    "The form has more in it than the field {name_of_field}."
                )));
            }
        }
    }
    Err(Error::invalid(format!("The form has no file in the field {name_of_field}.")))
}

async fn whole(mut field: Field<'_>, room: &mut BodyRoom, too_large: &str) -> hub::Result<Vec<u8>> {
    let (mut bytes, mut seen) = (Vec::new(), 0);
    while let Some(chunk) = field.chunk().await.map_err(broken)? {
        seen += chunk.len();
        if seen > DRAINED {
            break;
        }
        if seen <= LARGEST {
            room.grow(chunk.len()).map_err(full)?;
            bytes.extend_from_slice(&chunk);
        }
    }
    if seen > LARGEST {
        return Err(Error::Limit(too_large.to_owned()));
    }
    Ok(bytes)
}

pub fn full(full: QuotaFull) -> Error {
    Error::Limit(match full {
        QuotaFull::Own => {
            "You send too much at the same time. Wait for the answers to some of it.".to_owned()
        }
        QuotaFull::All => "The hub takes in as much as it can at the moment. Try again soon.".to_owned(),
    })
}

pub fn broken(error: MultipartError) -> Error {
    Error::invalid(format!("The form cannot be read: {error}."))
}
