//! The server functions of what is known of models.

use crate::AppError;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::view::{ModelFacts, OwnPrice, WantedPrice};

#[cfg(feature = "ssr")]
use crate::amount;
#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};
#[cfg(feature = "ssr")]
use protocol::view::ModelPrice;

#[server(prefix = "/api", endpoint = "models/facts", protocol = Queried)]
pub async fn look_up_model(model: String) -> Result<ModelFacts, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).model_facts().of(model.trim()))
}

/// What the person says that models cost.
#[server(prefix = "/api", endpoint = "models/own_prices", protocol = Queried)]
pub async fn own_prices() -> Result<Vec<OwnPrice>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).model_facts().own_prices().await?)
}

/// Prices are dollars for a million tokens.
#[server(prefix = "/api", endpoint = "models/set_own_price", protocol = Posted)]
pub async fn set_own_price(model: String, input_price: String, output_price: String) -> Result<(), AppError> {
    let viewer = viewer()?;
    let (input, output) = (amount::read(&input_price)?, amount::read(&output_price)?);
    let price = input.zip(output).map(|(input, output)| ModelPrice { input, output });
    let price = price.ok_or_else(|| hub::Error::Invalid(t("Enter both prices; nothing is 0.").to_owned()))?;
    hub().for_viewer(&viewer).model_facts().set_own_price(&model, price).await?;
    crate::context::redirect("/models?done=price");
    Ok(())
}

#[server(prefix = "/api", endpoint = "models/forget_own_price", protocol = Posted)]
pub async fn forget_own_price(model: String) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).model_facts().forget_own_price(&model).await?;
    crate::context::redirect("/models");
    Ok(())
}

/// Models that people could not use under a limit of an administrator, because nobody knows their price.
#[server(prefix = "/api", endpoint = "models/wanted", protocol = Queried)]
pub async fn wanted_prices() -> Result<Vec<WantedPrice>, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(t(ADMINS)))?;
    Ok(admin.ledger().wanted_prices().await?)
}

/// What administrators entered.
#[server(prefix = "/api", endpoint = "models/entered", protocol = Queried)]
pub async fn entered_facts() -> Result<Vec<ModelFacts>, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(t(ADMINS)))?;
    Ok(admin.model_facts().entered_facts().await?)
}

/// What is left empty stays as it is known. Prices are dollars for a million
/// tokens, as text; `tools` is `native`, `text` or empty.
#[server(prefix = "/api", endpoint = "models/enter", protocol = Posted)]
pub async fn enter_facts(
    model: String,
    #[server(default)] context: String,
    #[server(default)] output: String,
    #[server(default)] tools: String,
    #[server(default)] input_price: String,
    #[server(default)] output_price: String,
) -> Result<(), AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(t(ADMINS)))?;
    let price = match (amount::read(&input_price)?, amount::read(&output_price)?) {
        (None, None) => None,
        (Some(input), Some(output)) => Some(ModelPrice { input, output }),
        (Some(_), None) | (None, Some(_)) => {
            return Err(hub::Error::Invalid(t("Enter both prices, or none.").to_owned()).into());
        }
    };
    let native_tools = match tools.as_str() {
        "native" => Some(true),
        "text" => Some(false),
        _ => None,
    };
    admin.model_facts().enter_facts(&model, tokens(&context)?, tokens(&output)?, native_tools, price).await?;
    crate::context::redirect("/models");
    Ok(())
}

#[server(prefix = "/api", endpoint = "models/delete", protocol = Posted)]
pub async fn delete_facts(model: String) -> Result<(), AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(t(ADMINS)))?;
    admin.model_facts().delete_facts(&model).await?;
    crate::context::redirect("/models");
    Ok(())
}

/// The number of models in the public list that was fetched.
#[server(prefix = "/api", endpoint = "models/refresh", protocol = Posted)]
pub async fn refresh_facts() -> Result<usize, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(t(ADMINS)))?;
    let count = admin.model_facts().refresh_facts().await?;
    crate::context::redirect("/models");
    Ok(count)
}

#[cfg(feature = "ssr")]
fn tokens(text: &str) -> Result<Option<u32>, hub::Error> {
    let text: String = text.split_whitespace().collect();
    if text.is_empty() {
        return Ok(None);
    }
    let wrong = || hub::Error::Invalid(say!("{text:?} is not a number of tokens."));
    text.parse().map(Some).map_err(|_| wrong())
}

#[cfg(feature = "ssr")]
const ADMINS: &str = key!("Only an administrator says what is known of models.");
