//! Skills: instructions that an agent reads when it needs them. Those that come with the hub are
//! pages of its documentation.

/// A skill as an agent reads it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Skill {
    pub(crate) name: &'static str,
    /// One line: what it is for.
    pub(crate) about: &'static str,
    /// Markdown, in sections with headings of the second level.
    text: &'static str,
}

const SHIPPED: &[Skill] = &[Skill {
    name: "page-api",
    about: "What scripts in your page can use: the agent, state, tools, the person, their devices.",
    text: include_str!("../../../docs/page-api.md"),
}];

pub(crate) fn all() -> &'static [Skill] {
    SHIPPED
}

pub(crate) fn find(name: &str) -> Option<&'static Skill> {
    SHIPPED.iter().find(|skill| skill.name == name)
}

impl Skill {
    /// What stands before the first section.
    pub(crate) fn beginning(&self) -> &'static str {
        self.text.split("\n## ").next().unwrap_or_default().trim_end()
    }

    /// Heading and text of each section.
    pub(crate) fn sections(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.text.split("\n## ").skip(1).map(|part| {
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
    use agent::context::RESULT_CHARS;

    #[test]
    fn every_section_reaches_a_model_whole() {
        for skill in all() {
            for (heading, text) in skill.sections().chain([("", skill.beginning())]) {
                let size = text.chars().count();
                assert!(size > 0 && size < RESULT_CHARS * 3 / 4, "{} {heading}: {size}", skill.name);
            }
            let text: usize = skill.sections().map(|(heading, text)| heading.len() + text.len()).sum();
            assert!(text + skill.beginning().len() > skill.text.len() * 9 / 10, "{}", skill.name);
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
