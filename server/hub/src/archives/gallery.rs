//! The templates that come with the product: folders of the repository, in the program itself.

use super::content::{Content, Drawn};
use super::manifest::Manifest;
use crate::archives::OwnArchives;
use crate::error::Result;
use protocol::archive::TemplateCard;

pub(super) struct Template {
    name: &'static str,
    manifest: &'static str,
    page: &'static str,
}

macro_rules! template {
    ($name:literal) => {
        Template {
            name: $name,
            manifest: include_str!(concat!("../../templates/", $name, "/manifest.yaml")),
            page: include_str!(concat!("../../templates/", $name, "/srcdoc.html")),
        }
    };
}

const TEMPLATES: &[Template] = &[
    template!("voice-list"),
    template!("drawing-board"),
    template!("dashboard"),
    template!("quiz"),
    template!("notes"),
    template!("timer"),
];

impl Template {
    pub(super) fn content(&self) -> Result<(Content, Drawn)> {
        Ok(Content::template(self.manifest()?, self.page))
    }

    fn manifest(&self) -> Result<Manifest> {
        let (manifest, _) = Manifest::read(self.manifest)?;
        Ok(manifest)
    }
}

impl OwnArchives<'_> {
    pub fn templates(self) -> Result<Vec<TemplateCard>> {
        TEMPLATES
            .iter()
            .map(|template| {
                let manifest = template.manifest()?;
                Ok(TemplateCard {
                    archive: template.name.to_owned(),
                    name: manifest.name,
                    description: manifest.description.unwrap_or_default(),
                    colour: manifest.vivarium.unwrap_or_default().colour,
                })
            })
            .collect()
    }
}

pub(super) fn find(name: &str) -> Option<&'static Template> {
    TEMPLATES.iter().find(|template| template.name == name)
}
