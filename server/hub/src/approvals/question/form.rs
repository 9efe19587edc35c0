//! An answer to a form: field by field, and what is left empty is left out.

use crate::error::{Error, Result};
use protocol::question::{Answer, AnswerDraft, Field, FieldAnswer, FieldDraft};

pub(super) fn fit(fields: &[Field], mut said: Vec<FieldDraft>) -> Result<Answer> {
    let mut answers = Vec::new();
    for field in fields {
        let place = said.iter().position(|draft| draft.name == field.name);
        let FieldDraft { chosen, text, .. } = place.map(|place| said.swap_remove(place)).unwrap_or_default();
        let is_empty = text.trim().is_empty() && chosen.iter().all(String::is_empty);
        if is_empty && !field.required {
            continue;
        }
        if is_empty {
            return Err(Error::invalid(format!("{} is missing.", field.label)));
        }
        let draft = AnswerDraft { chosen, text, ..AnswerDraft::default() };
        let answer = super::fit(&field.wanted, draft, None)
            .map_err(|error| Error::invalid(format!("{}: {}", field.label, error.into_failure().message)))?;
        answers.push(FieldAnswer { name: field.name.clone(), answer });
    }
    if !said.is_empty() {
        return Err(Error::invalid("That is none of the fields that are asked for. Load the page again."));
    }
    Ok(Answer::Form { fields: answers })
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::question::{QuestionOption, Wanted};

    fn field(name: &str, wanted: Wanted, required: bool) -> Field {
        let (name, label) = (name.to_owned(), name.to_uppercase());
        Field { name, label, description: None, wanted, required, suggested: None }
    }

    fn text(name: &str, text: &str) -> FieldDraft {
        FieldDraft { name: name.to_owned(), text: text.to_owned(), ..FieldDraft::default() }
    }

    fn chosen(name: &str, label: &str) -> FieldDraft {
        FieldDraft { name: name.to_owned(), chosen: vec![label.to_owned()], ..FieldDraft::default() }
    }

    #[test]
    fn a_form_is_answered_when_each_of_its_fields_is() {
        let option = |label: &str| QuestionOption { label: label.to_owned(), description: None };
        let fields = [
            field("days", Wanted::Number { least: Some(1.into()), most: None, whole: true }, true),
            field(
                "bed",
                Wanted::Choice { options: vec![option("North"), option("South")], other: false },
                false,
            ),
            field("note", Wanted::Text { least: None, most: None, format: None }, false),
        ];
        for (said, expected) in [
            (vec![text("days", "3")], Ok("days")),
            (vec![text("note", "dry"), chosen("bed", "North"), text("days", "3")], Ok("days bed note")),
            (vec![text("days", "3"), text("note", " "), chosen("bed", "")], Ok("days")),
            (vec![chosen("bed", "North")], Err("DAYS is missing.")),
            (vec![text("days", "0")], Err("DAYS: Give a number of 1 or more.")),
            (vec![text("days", "1.5")], Err("DAYS: Give a whole number.")),
            (
                vec![text("days", "3"), chosen("bed", "East")],
                Err("BED: That is none of the answers that are offered. Load the page again."),
            ),
            (
                vec![text("days", "3"), text("days", "4")],
                Err("That is none of the fields that are asked for. Load the page again."),
            ),
            (
                vec![text("days", "3"), text("other", "4")],
                Err("That is none of the fields that are asked for. Load the page again."),
            ),
        ] {
            let answered = match fit(&fields, said.clone()) {
                Ok(Answer::Form { fields }) => {
                    let names: Vec<_> = fields.iter().map(|field| field.name.as_str()).collect();
                    Ok(names.join(" "))
                }
                Ok(other) => panic!("{other:?}"),
                Err(error) => Err(error.into_failure().message),
            };
            assert_eq!(answered, expected.map(str::to_owned).map_err(str::to_owned), "{said:?}");
        }
    }
}
