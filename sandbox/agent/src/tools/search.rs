//! Finding tools by words.

use crate::words::words;
use protocol::model::ToolSpec;

/// The tools whose name or description has the words, best first. A word in the name counts three
/// times; tools without any of the words are no hits.
pub fn search<'a>(tools: &'a [ToolSpec], query: &str, limit: usize) -> Vec<&'a ToolSpec> {
    let wanted = words(query);
    let mut hits: Vec<(usize, &ToolSpec)> = tools
        .iter()
        .filter_map(|tool| {
            let (name, description) = (words(&tool.name.replace('_', " ")), words(&tool.description));
            let score = 3 * wanted.intersection(&name).count() + wanted.intersection(&description).count();
            (score > 0).then_some((score, tool))
        })
        .collect();
    hits.sort_by(|(one, a), (other, b)| other.cmp(one).then_with(|| a.name.cmp(&b.name)));
    hits.into_iter().take(limit).map(|(_, tool)| tool).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_counts_for_more_than_a_description() {
        let tools = crate::tools::all().iter().map(|tool| tool.spec()).collect::<Vec<_>>();
        for (query, first) in [
            ("STATE", Some("state")),
            ("javascript and the console", Some("runjs")),
            ("time and weekday", Some("datetime")),
            ("create a tool", Some("create_tool")),
            ("zebra", None),
        ] {
            let found = search(&tools, query, 3);
            assert_eq!(found.first().map(|tool| tool.name.as_str()), first, "{query}");
            assert!(found.len() <= 3);
        }
    }
}
