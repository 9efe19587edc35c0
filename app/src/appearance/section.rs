//! The choice, on the account page.

use super::api::SetAppearance;
use crate::prelude::*;
use crate::ui::{Done, FormEnd, Section, Select};
use leptos::server_fn::ServerFn;
use protocol::view::{Appearance, Contrast, TextSize, Theme};

/// A form of the document's own: what it changes is the document.
#[component]
pub(crate) fn AppearanceSection(appearance: Appearance) -> impl IntoView {
    let Appearance { language, theme, contrast, text_size } = appearance;
    let languages = Language::ALL.map(|it| {
        view! { <option value=it.tag() lang=it.tag() selected=language == Some(it)>{it.name()}</option> }
    });
    view! {
        <Section
            id="appearance"
            title="Appearance"
            lead="The language is the same on all your devices. The rest is for this one."
        >
            <Done what="appearance" words="That is how it looks from now on."/>
            <form class="form" method="post" action=SetAppearance::url()>
                <div class="form-group">
                    <Select id="language" name="language" label="Language">
                        <option value="" selected=language.is_none()>"As the browser asks"</option>
                        {languages}
                    </Select>
                    <Select id="theme" name="theme" label="Colours">
                        <option value="system" selected=theme == Theme::System>"As the device is set"</option>
                        <option value="light" selected=theme == Theme::Light>"Light"</option>
                        <option value="dark" selected=theme == Theme::Dark>"Dark"</option>
                    </Select>
                    <Select id="contrast" name="contrast" label="Contrast">
                        <option value="system" selected=contrast == Contrast::System>"As the device is set"</option>
                        <option value="more" selected=contrast == Contrast::More>"More"</option>
                    </Select>
                    <Select id="text-size" name="text_size" label="Size of text">
                        <option value="small" selected=text_size == TextSize::Small>"Small"</option>
                        <option value="medium" selected=text_size == TextSize::Medium>"Medium"</option>
                        <option value="large" selected=text_size == TextSize::Large>"Large"</option>
                        <option value="largest" selected=text_size == TextSize::Largest>"Largest"</option>
                    </Select>
                </div>
                <FormEnd words="Save"/>
            </form>
        </Section>
    }
}
