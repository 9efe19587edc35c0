use leptos::web_sys::HtmlInputElement;
use protocol::view::shell::{Item, Part};
use protocol::view::{CarriedProvider, Settings};
use std::collections::BTreeSet;

pub type Contents = (Settings, Vec<(usize, String)>);

pub enum File {}

const NONE: &str = "Only a browser seals and opens this.";

pub async fn to_link(_contents: Contents) -> Result<String, String> {
    Err(NONE.to_owned())
}

pub async fn to_file(_contents: Contents, _passphrase: &str) -> Result<(), String> {
    Err(NONE.to_owned())
}

pub fn from_address() -> Option<String> {
    None
}

pub async fn open_link(_text: &str) -> Result<(), String> {
    Err(NONE.to_owned())
}

pub async fn open_file(file: File, _passphrase: &str) -> Result<(), String> {
    match file {}
}

pub fn file_in(_input: &HtmlInputElement) -> Option<File> {
    None
}

pub fn look(_here: &Settings) -> Option<(String, Vec<Item>)> {
    None
}

pub fn chosen(_parts: &BTreeSet<Part>, _here: &Settings) -> Option<(String, Settings)> {
    None
}

pub fn chosen_keys(_parts: &BTreeSet<Part>) -> Vec<(CarriedProvider, Option<usize>, String)> {
    Vec::new()
}

pub fn forget() {}
