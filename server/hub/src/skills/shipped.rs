//! The skills that come with the hub: a page of its documentation, and the folders in `server/hub/skills`.

use super::front_matter;
use super::needs::lacking;
use agent::tools::GET_SKILL;
use std::collections::BTreeSet;

/// A skill as an agent reads it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Skill {
    pub(crate) name: &'static str,
    /// One line: what it is for.
    pub(crate) about: &'static str,
    /// Tools without which it is of no use.
    requires: &'static [&'static str],
    /// Markdown, in sections with headings of the second level; behind a head, if it is in a folder.
    text: &'static str,
}

const SHIPPED: &[Skill] = &[
    Skill {
        name: "page-api",
        about: "What scripts in your page can use: the agent, state, tools, the person, their devices.",
        requires: &["runjs"],
        text: include_str!("../../../../docs/page-api.md"),
    },
    Skill {
        name: "documents",
        about: "Writing and reading DOCX, PPTX, XLSX, CSV and PDF files well. Use it before you make a report, letter, deck or workbook, or take one apart.",
        requires: &["document"],
        text: include_str!("../../skills/documents/SKILL.md"),
    },
    Skill {
        name: "research",
        about: "Finding out what is true from several sources and saying how sure it is. Use it for questions that one search does not answer, comparisons, and anything where being wrong is costly.",
        requires: &["fetch"],
        text: include_str!("../../skills/research/SKILL.md"),
    },
    Skill {
        name: "data",
        about: "Looking into tables and figures, from cleaning to a chart that says something. Use it with CSV and Excel files, exports, measurements and lists of more than a handful of numbers.",
        requires: &["read"],
        text: include_str!("../../skills/data/SKILL.md"),
    },
    Skill {
        name: "meetings",
        about: "Preparing meetings, taking notes and turning them into decisions and tasks. Use it for agendas, minutes, transcripts, and follow-ups.",
        requires: &[],
        text: include_str!("../../skills/meetings/SKILL.md"),
    },
    Skill {
        name: "code-review",
        about: "Reviewing a change of code so that the author can act on it. Use it for diffs, pull requests, single files, and before code of your own is handed over.",
        requires: &["read"],
        text: include_str!("../../skills/code-review/SKILL.md"),
    },
];

pub(crate) fn all() -> &'static [Skill] {
    SHIPPED
}

pub(crate) fn find(name: &str) -> Option<&'static Skill> {
    SHIPPED.iter().find(|skill| skill.name == name)
}

impl Skill {
    /// What an agent with these tools would need besides to be told of it.
    pub(super) fn lacks(&self, given: &BTreeSet<&str>) -> Vec<String> {
        let reading = lacking(&[GET_SKILL], given).into_iter();
        reading.chain(lacking(self.requires, given)).collect()
    }

    /// Whether an agent with these tools is told of it.
    pub(crate) fn suits(&self, given: &BTreeSet<&str>) -> bool {
        lacking(self.requires, given).is_empty()
    }

    fn body(&self) -> &'static str {
        front_matter::read(self.text).map_or(self.text, |(_, body)| body.trim_start())
    }

    /// What stands before the first section.
    pub(crate) fn beginning(&self) -> &'static str {
        self.body().split("\n## ").next().unwrap_or_default().trim_end()
    }

    /// Heading and text of each section.
    pub(crate) fn sections(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.body().split("\n## ").skip(1).map(|part| {
            let (heading, text) = part.split_once('\n').unwrap_or((part, ""));
            (heading.trim(), text.trim())
        })
    }

    pub(crate) fn section(&self, heading: &str) -> Option<&'static str> {
        self.sections().find(|(known, _)| known.eq_ignore_ascii_case(heading.trim())).map(|(_, text)| text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skills::front_matter::Head;
    use crate::skills::parcel::Parcel;
    use crate::skills::scan::{Scan, named};
    use agent::context::RESULT_CHARS;

    #[test]
    fn every_section_reaches_a_model_whole() {
        for skill in all() {
            for (heading, text) in skill.sections().chain([("", skill.beginning())]) {
                let size = text.chars().count();
                assert!(size > 0 && size < RESULT_CHARS * 3 / 4, "{} {heading}: {size}", skill.name);
            }
            let text: usize = skill.sections().map(|(heading, text)| heading.len() + text.len()).sum();
            assert!(text + skill.beginning().len() > skill.body().len() * 9 / 10, "{}", skill.name);
        }
    }

    #[test]
    fn what_comes_with_the_hub_is_as_the_standard_has_it_and_nothing_is_found_in_it() {
        for skill in all().iter().filter(|skill| skill.name != "page-api") {
            let (head, _) = front_matter::read(skill.text).expect(skill.name);
            assert_eq!((head.name.as_str(), head.description.as_str()), (skill.name, skill.about));
            assert_eq!(head.requires, skill.requires, "{}", skill.name);
            // Under another name, as its own is taken.
            let head = Head { name: format!("my-{}", skill.name), ..head };
            let parcel = Parcel::read(skill.text.as_bytes()).expect(skill.name);
            let scan = Scan::of(&parcel, &head, &named(&head.name));
            assert_eq!(scan, Scan::default(), "{}", skill.name);
        }
    }

    #[test]
    fn a_section_is_found_by_its_heading() {
        let skill = find("page-api").expect("it is shipped");
        assert!(skill.section(" state ").is_some_and(|text| text.contains("flo.state.get")));
        assert!(skill.section("nothing").is_none());
        assert!(find("nothing").is_none());
    }
}
