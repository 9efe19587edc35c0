//! What becomes of a file that is added to a message: whether the model that answers will look at it, is given its text, or
//! hears where it lies.

use super::context::ConversationContext;
use crate::models::api::look_up_model;
use crate::prelude::*;
use leptos::task::spawn_local;
use protocol::Attachment;
use protocol::agent::ProviderKind;
use protocol::view::{AgentPage, ModelFacts};

/// What the provider takes, whichever of its models answers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Takes {
    pdf: bool,
    pictures: bool,
}

impl Takes {
    pub fn of(page: &AgentPage) -> Self {
        // The browser's own model is prompted with text alone.
        let pictures = page.provider_kind != Some(ProviderKind::InBrowser);
        Self { pdf: page.takes_pdf, pictures }
    }
}

/// Has looked up what is known of the model that answers next, as long as there are files to say it of.
pub(super) fn look_up(context: ConversationContext) {
    let (attaching, facts) = (context.attaching, context.attaching.facts);
    Effect::new(move |_| {
        let model = context.next_or_usual_model();
        let is_known = facts.with_untracked(|facts| is_of(facts.as_ref(), &model));
        if attaching.is_empty() || is_known || model.is_empty() {
            return;
        }
        spawn_local(async move {
            if let Ok(found) = look_up_model(model).await {
                // The page may be gone.
                facts.try_set(Some(found));
            }
        });
    });
}

fn is_of(facts: Option<&ModelFacts>, model: &str) -> bool {
    facts.is_some_and(|facts| facts.model == model.trim())
}

/// Said beside its size, and anew whenever another model is chosen.
#[component]
pub(super) fn Fate(context: ConversationContext, file: Attachment) -> impl IntoView {
    let words = move || {
        let model = context.next_or_usual_model();
        let takes = context.takes.get_value();
        context.attaching.facts.with(|facts| {
            let facts = facts.as_ref().filter(|facts| is_of(Some(*facts), &model));
            fate(&file, takes, facts)
        })
    };
    move || words().map(|words| view! { " " <small>{words}</small> })
}

/// None where the model takes it as it is, or nothing is known of it yet.
fn fate(file: &Attachment, takes: Takes, facts: Option<&ModelFacts>) -> Option<&'static str> {
    let looks_at = |what: fn(&ModelFacts) -> bool| facts.is_none_or(what);
    let is_text = file.mime == "text/plain";
    match () {
        () if file.is_picture() => {
            let sees = takes.pictures && looks_at(|facts| facts.images || facts.is_media_unknown);
            (!sees).then(|| t("This model cannot see pictures and gets the name alone"))
        }
        () if file.mime == "application/octet-stream" => Some(t("This model is told where the file lies")),
        () if is_text => None,
        () if takes.pdf && file.mime == "application/pdf" && looks_at(|facts| facts.pdf) => None,
        () => Some(t("This model gets the text")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(mime: &str) -> Attachment {
        Attachment {
            id: "ab".into(),
            name: "a".to_owned(),
            mime: mime.to_owned(),
            size: 4,
            dimensions: None,
            server: None,
        }
    }

    fn facts(images: bool, pdf: bool, is_media_unknown: bool) -> ModelFacts {
        ModelFacts {
            model: "one".to_owned(),
            context: 128_000,
            is_known: true,
            output: 8000,
            images,
            pdf,
            is_media_unknown,
            reasoning: false,
            native_tools: true,
            price: None,
        }
    }

    #[test]
    fn what_a_model_does_not_take_as_it_is_is_said_before_it_is_sent() {
        let hub = Takes { pdf: true, pictures: true };
        let device = Takes { pdf: false, pictures: true };
        let browser_s_own = Takes { pictures: false, ..device };
        let (all, blind, unknown) =
            (facts(true, true, false), facts(false, false, false), facts(false, false, true));
        let text = Some("This model gets the text");
        let unseen = Some("This model cannot see pictures and gets the name alone");
        for (mime, takes, facts, expected) in [
            ("image/png", hub, &all, None),
            ("image/png", hub, &unknown, None),
            ("image/png", hub, &blind, unseen),
            ("image/png", device, &all, None),
            ("image/png", device, &blind, unseen),
            ("image/png", browser_s_own, &unknown, unseen),
            ("application/pdf", hub, &all, None),
            ("application/pdf", device, &all, text),
            ("application/pdf", hub, &blind, text),
            ("application/vnd.ms-excel", hub, &all, text),
            ("text/plain", hub, &blind, None),
            ("application/octet-stream", hub, &all, Some("This model is told where the file lies")),
        ] {
            assert_eq!(fate(&file(mime), takes, Some(facts)), expected, "{mime} {takes:?}");
        }
        for (mime, takes, expected) in [
            ("image/png", hub, None),
            ("image/png", browser_s_own, unseen),
            ("application/pdf", device, text),
        ] {
            assert_eq!(fate(&file(mime), takes, None), expected, "as long as nothing is known: {mime}");
        }
    }
}
