//! The server functions of how the interface looks.

use crate::AppError;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::view::{Appearance, Contrast, TextSize, Theme};

#[cfg(feature = "ssr")]
use super::cookie;
#[cfg(feature = "ssr")]
use crate::context::{hub, redirect, viewer};

#[server(name = GetAppearance, prefix = "/api", endpoint = "account/appearance", protocol = Queried)]
pub async fn appearance() -> Result<Appearance, AppError> {
    let language = viewer()?.me.language;
    Ok(Appearance { language, ..cookie::read() })
}

/// `language` is a BCP 47 tag, or empty for what the browser asks for. With `stay` the page from which it is called stays.
#[server(prefix = "/api", endpoint = "account/set_appearance", protocol = Posted)]
pub async fn set_appearance(
    #[server(default)] language: String,
    #[server(default)] theme: Theme,
    #[server(default)] contrast: Contrast,
    #[server(default)] text_size: TextSize,
    #[server(default)] stay: bool,
) -> Result<(), AppError> {
    let viewer = viewer()?;
    let language = match language.as_str() {
        "" => None,
        tag => match Language::of_tag(tag) {
            Some(language) => Some(language),
            None => return Err(hub::Error::invalid(t("The interface does not speak that language.")).into()),
        },
    };
    hub().for_viewer(&viewer).account().set_language(language).await?;
    cookie::write(&Appearance { language, theme, contrast, text_size });
    if !stay {
        redirect("/account?done=appearance#appearance");
    }
    Ok(())
}
