//! One request and its answer, whichever function is called.

use leptos::server_fn::Bytes;
use leptos::server_fn::client::Client;
use leptos::server_fn::error::{FromServerFnError, IntoAppError, ServerFnErrorErr};
use leptos::server_fn::redirect::call_redirect_hook;
use leptos::server_fn::response::ClientRes;
use serde::de::DeserializeOwned;

/// Sends it, and follows the answer where it leads to another page. `Err` is also what the function refused.
pub async fn send<C, E, Output>(request: Result<C::Request, E>) -> Result<Output, E>
where
    C: Client<E>,
    E: FromServerFnError + Send + Sync,
    Output: DeserializeOwned,
{
    let answer = exchange::<C, E>(request?).await?;
    // What a page brings along is read from a text: as bytes each type would be in the browser's program twice.
    let output = str::from_utf8(&answer.body)
        .map_err(|error| error.to_string())
        .and_then(|text| serde_json::from_str(text).map_err(|error| error.to_string()))
        .map_err(|error| ServerFnErrorErr::Deserialization(error).into_app_error())?;
    if let Some(page) = answer.leads_to {
        call_redirect_hook(&page);
    }
    Ok(output)
}

struct Answer {
    body: Bytes,
    /// Address of a page.
    leads_to: Option<String>,
}

async fn exchange<C: Client<E>, E: FromServerFnError>(request: C::Request) -> Result<Answer, E> {
    let response = C::send(request).await?;
    let (status, location) = (response.status(), response.location());
    let leads_on = (300..=399).contains(&status) || response.has_redirect();
    let body = response.try_into_bytes().await?;
    match status {
        400..=599 => Err(E::de(body)),
        _ => Ok(Answer { body, leads_to: leads_on.then_some(location) }),
    }
}
