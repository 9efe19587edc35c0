//! What a model's name tells where no row does.

use super::MediaKind;
use serde::Deserialize;

/// What most servers grant at least.
const SMALLEST_CONTEXT: u32 = 8192;

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Family {
    /// Part of the name, in lower case. The first family that fits counts.
    contains: String,
    pub(super) context: u32,
    #[serde(default)]
    pub(super) media: Vec<MediaKind>,
    #[serde(default)]
    pub(super) reasoning: bool,
    #[serde(default = "yes")]
    pub(super) tools: bool,
}

/// Parts of names of models that look at pictures, in families that do not.
const SEES: [&str; 6] = ["vision", "-vl", "vl:", "llava", "minicpm-v", "moondream"];

fn yes() -> bool {
    true
}

/// With whether there is one of that name. A name may say its context itself: `some-model-32k`.
pub(super) fn of(families: &[Family], model: &str) -> (Family, bool) {
    let name = model.to_lowercase();
    let family = families.iter().find(|family| name.contains(&family.contains)).cloned();
    let is_known = family.is_some();
    let mut family = family.unwrap_or(Family {
        contains: String::new(),
        context: SMALLEST_CONTEXT,
        media: Vec::new(),
        reasoning: false,
        tools: true,
    });
    if SEES.iter().any(|part| name.contains(part)) && !family.media.contains(&MediaKind::Image) {
        family.media.push(MediaKind::Image);
    }
    family.context = told_context(&name).unwrap_or(family.context);
    (family, is_known)
}

fn told_context(name: &str) -> Option<u32> {
    let parts = name.split(|char: char| !char.is_ascii_alphanumeric());
    let thousands = parts.filter_map(|part| part.strip_suffix('k')?.parse::<u32>().ok());
    thousands.filter(|thousands| (2..=10_000).contains(thousands)).map(|thousands| thousands * 1024).max()
}
