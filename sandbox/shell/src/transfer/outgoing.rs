//! A parcel that goes out, as a link or a file.

use super::parcel::{Parcel, VERSION};
use super::seal;
use crate::keys::crypto::chance;
use crate::save::save;
use js_sys::Date;
use language::t;
use protocol::view::Settings;

const FILE: &str = "vivarium-settings.bin";

/// The settings, and keys of this device, each with the place of its provider among them.
pub type Contents = (Settings, Vec<(usize, String)>);

/// The address of a link that holds them.
pub async fn to_link(contents: Contents) -> Result<String, String> {
    let fragment = seal::to_link(&parcel(contents)?).await?;
    Ok(format!("{}/account/transfer#{fragment}", origin()))
}

/// Saves a file that the passphrase opens.
pub async fn to_file(contents: Contents, passphrase: &str) -> Result<(), String> {
    let bytes = seal::to_file(&parcel(contents)?, passphrase).await?;
    save(&bytes, FILE).map_err(|_| t("The browser did not save the file.").to_owned())
}

fn parcel((settings, keys): Contents) -> Result<Parcel, String> {
    let id = chance::<16>().map_err(|_| t("This browser has no source of chance.").to_owned())?;
    let id: String = id.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(Parcel { version: VERSION, id, from: origin(), made_at: Date::now() as i64, settings, keys })
}

fn origin() -> String {
    web_sys::window().and_then(|window| window.location().origin().ok()).unwrap_or_default()
}
