//! The ways from a call to the pipelines that it is about.

use crate::prelude::*;
use protocol::PipelineId;
use serde::Deserialize;

/// One, by what the tools for pipelines answer with.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct PipelineLink {
    id: PipelineId,
    #[serde(default)]
    title: String,
}

/// A list of them, as a call answers that names none.
#[derive(Deserialize)]
struct Listed {
    pipelines: Vec<PipelineLink>,
}

impl PipelineLink {
    /// Empty: the call is about none.
    pub(super) fn of(tool: &str, result: &str) -> Vec<Self> {
        if !["pipeline_create", "pipeline_status", "pipeline_cancel"].contains(&tool) {
            return Vec::new();
        }
        // What hooks add stands below.
        let Some(Ok(told)) =
            serde_json::Deserializer::from_str(result).into_iter::<serde_json::Value>().next()
        else {
            return Vec::new();
        };
        let one = Self::deserialize(&told).map(|one| vec![one]);
        one.or_else(|_| Listed::deserialize(&told).map(|listed| listed.pipelines)).unwrap_or_default()
    }
}

#[component]
pub(super) fn PipelineLinks(pipelines: Vec<PipelineLink>) -> impl IntoView {
    let link = |PipelineLink { id, title }: PipelineLink| {
        let words = if title.is_empty() {
            t("See the pipeline").to_owned()
        } else {
            say!("See the pipeline {title}")
        };
        view! { <li><a href=format!("/pipelines/{id}")>{words}</a></li> }
    };
    view! { <ul class="tool-links">{pipelines.into_iter().map(link).collect_view()}</ul> }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_leads_to_each_pipeline_that_it_is_about() {
        let one = r#"{"id":"p","title":"Green","state":"running","tasks":[]}"#;
        for (tool, result, ids) in [
            ("pipeline_create", one.to_owned(), vec!["p"]),
            ("pipeline_cancel", format!("{one}\n\nA hook's words."), vec!["p"]),
            (
                "pipeline_status",
                r#"{"pipelines":[{"id":"p"},{"id":"q","title":"Red"}]}"#.to_owned(),
                vec!["p", "q"],
            ),
            ("pipeline_status", "You lead no pipeline p.".to_owned(), vec![]),
            ("fetch", one.to_owned(), vec![]),
        ] {
            let found = PipelineLink::of(tool, &result);
            assert_eq!(
                found.iter().map(|link| link.id.0.as_str()).collect::<Vec<_>>(),
                ids,
                "{tool} {result}"
            );
        }
    }
}
