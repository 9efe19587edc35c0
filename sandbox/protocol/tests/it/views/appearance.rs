//! How a person would have the pages look.

use crate::golden::{Section, every, section};
use protocol::Language;
use protocol::view::{Appearance, Contrast, TextSize, Theme};

pub fn sections() -> Vec<Section> {
    vec![
        every!(Theme {
            Theme::System => [Theme::System],
            Theme::Light => [Theme::Light],
            Theme::Dark => [Theme::Dark],
        }),
        every!(Contrast {
            Contrast::System => [Contrast::System],
            Contrast::More => [Contrast::More],
        }),
        every!(TextSize {
            TextSize::Small => [TextSize::Small],
            TextSize::Medium => [TextSize::Medium],
            TextSize::Large => [TextSize::Large],
            TextSize::Largest => [TextSize::Largest],
        }),
        section("Appearance", &[Appearance::default(), appearance()]),
    ]
}

pub fn appearance() -> Appearance {
    Appearance {
        language: Some(Language::German),
        theme: Theme::Dark,
        contrast: Contrast::More,
        text_size: TextSize::Large,
    }
}
