use super::*;
use serde_json::json;

fn colours(extra: Value) -> Value {
    let mut input = json!({
        "question": "Which colour?",
        "kind": "choice",
        "options": [{ "label": "Green" }, { "label": "Blue", "description": "As the sea." }],
    });
    input.as_object_mut().unwrap().extend(extra.as_object().cloned().unwrap());
    input
}

#[test]
fn a_question_that_cannot_be_answered_is_not_asked() {
    for (input, why) in [
        (json!({ "question": " ", "kind": "text" }), "A question has 1 to 1000 characters."),
        (json!({ "question": "a".repeat(1001), "kind": "text" }), "A question has 1 to 1000 characters."),
        (json!({ "question": "Which?", "kind": "choice" }), "choice and several need options."),
        (
            json!({ "question": "Which?", "kind": "text", "options": [{ "label": "A" }, { "label": "B" }] }),
            "Only choice and several have options.",
        ),
        (
            json!({ "question": "Which?", "kind": "date", "other": true }),
            "Only choice and several have options.",
        ),
        (
            json!({ "question": "Which?", "kind": "text", "min": 1 }),
            "Only number and several have min and max.",
        ),
        (json!({ "question": "Which?", "kind": "number", "min": 2, "max": 1 }), "min is greater than max."),
        (
            colours(json!({ "options": [{ "label": "A" }, { "label": " A " }] })),
            "The option A is there twice.",
        ),
        (
            colours(json!({ "options": [{ "label": "A\nB" }, { "label": "C" }] })),
            "A label is one line of 1 to 100 characters.",
        ),
        (
            colours(
                json!({ "options": [{ "label": "A", "description": "a".repeat(301) }, { "label": "C" }] }),
            ),
            "The description of A has more than 300 characters.",
        ),
        (
            colours(json!({ "kind": "several", "min": 3 })),
            "With these options min and max lie between 0 and 2.",
        ),
        (colours(json!({ "kind": "several", "min": 1.5 })), "min and max of several are whole numbers."),
        (
            colours(json!({ "default": "Red" })),
            "The default does not fit: That is none of the answers that are offered. Load the page again.",
        ),
        (
            json!({ "question": "When?", "kind": "date", "default": "soon" }),
            "The default does not fit: Give a date with year, month and day, like 2026-11-24.",
        ),
        (
            json!({ "question": "Which file?", "kind": "file", "default": "a.pdf" }),
            "A file has no default. Leave it out.",
        ),
        (
            json!({ "question": "What opens it?", "kind": "secret", "name": "moss", "host": "moss.example", "default": "a" }),
            "A secret has no default. Leave it out.",
        ),
        (
            json!({ "question": "What opens it?", "kind": "secret", "name": "moss" }),
            "A secret needs a name, and the host that it is for.",
        ),
        (
            json!({ "question": "What opens it?", "kind": "text", "host": "moss.example" }),
            "Only secret has name, host, header and scheme.",
        ),
    ] {
        assert_eq!(read(&input), Err(why.to_owned()), "{input}");
    }
}

#[test]
fn an_answer_fits_its_question_or_says_why_not() {
    let picks = |labels: &[&str], own: &str| AnswerDraft {
        chosen: labels.iter().map(|label| (*label).to_owned()).collect(),
        text: own.to_owned(),
        ..AnswerDraft::default()
    };
    let says = |text: &str| picks(&[], text);
    let chosen = |labels: &[&str], other: Option<&str>| {
        Ok(Answer::Chosen {
            labels: labels.iter().map(|label| (*label).to_owned()).collect(),
            other: other.map(str::to_owned),
        })
    };
    let of = |kind: &str, extra: Value| {
        let mut input = json!({ "question": "What?", "kind": kind });
        input.as_object_mut().unwrap().extend(extra.as_object().cloned().unwrap());
        input
    };
    let number = |number: Number| Ok(Answer::Number { number });
    for (question, said, expected) in [
        (colours(json!({})), picks(&["Blue"], ""), chosen(&["Blue"], None)),
        (colours(json!({})), picks(&[], ""), Err("Choose one of the answers.")),
        (
            colours(json!({})),
            picks(&["Blue", "Green"], ""),
            Err("Choose one answer only, or write your own and choose none."),
        ),
        (
            colours(json!({})),
            picks(&["Red"], ""),
            Err("That is none of the answers that are offered. Load the page again."),
        ),
        (colours(json!({})), says("Red"), Err("Choose from the answers that are offered.")),
        (colours(json!({ "other": true })), picks(&[""], " Red "), chosen(&[], Some("Red"))),
        (
            colours(json!({ "other": true })),
            picks(&["Blue"], "Red"),
            Err("Choose one answer only, or write your own and choose none."),
        ),
        (
            colours(json!({ "other": true })),
            says(&"a".repeat(501)),
            Err("An answer of your own has at most 500 characters."),
        ),
        (
            colours(json!({ "kind": "several" })),
            picks(&["Blue", "Green", "Blue"], ""),
            chosen(&["Green", "Blue"], None),
        ),
        (colours(json!({ "kind": "several" })), picks(&[], ""), Err("Choose 1 to 2 of them.")),
        (colours(json!({ "kind": "several", "min": 2 })), picks(&["Blue"], ""), Err("Choose 2 of them.")),
        (colours(json!({ "kind": "several", "min": 0 })), picks(&[], ""), chosen(&[], None)),
        (of("text", json!({})), says(" Moss.\nFern. "), Ok(Answer::Text { text: "Moss.\nFern.".to_owned() })),
        (of("text", json!({})), says(" "), Err("Write an answer, or skip the question.")),
        (of("text", json!({})), says(&"a".repeat(4001)), Err("An answer has at most 4000 characters.")),
        (of("number", json!({})), says("12"), number(12.into())),
        (of("number", json!({})), says("-3,5"), number(Number::from_f64(-3.5).unwrap())),
        (of("number", json!({ "min": 1 })), says("0"), Err("Give a number of 1 or more.")),
        (of("number", json!({ "max": 2.5 })), says("3"), Err("Give a number of 2.5 or less.")),
        (of("number", json!({ "min": 1, "max": 5 })), says("6"), Err("Give a number from 1 to 5.")),
        (of("number", json!({})), says("1e9"), Err("Give a number of at most 15 digits, like 12 or 3.5.")),
        (of("number", json!({})), says(""), Err("Give a number of at most 15 digits, like 12 or 3.5.")),
        (
            of("number", json!({})),
            says("1234567890123456"),
            Err("Give a number of at most 15 digits, like 12 or 3.5."),
        ),
        (of("date", json!({})), says("2028-02-29"), Ok(Answer::Date { date: "2028-02-29".to_owned() })),
        (
            of("date", json!({})),
            says("2026-02-29"),
            Err("Give a date with year, month and day, like 2026-11-24."),
        ),
        (of("file", json!({})), says("a.pdf"), Err("Choose a file, or skip the question.")),
        (
            of("secret", json!({ "name": "moss", "host": "moss.example" })),
            says("moss-0123456789"),
            Ok(Answer::Kept),
        ),
        (
            of("secret", json!({ "name": "moss", "host": "moss.example" })),
            says("moss"),
            Err("A secret has 12 to 4096 characters."),
        ),
        (of("date", json!({})), AnswerDraft { skip: true, ..says("soon") }, Ok(Answer::Skipped)),
    ] {
        let asked = read(&question).unwrap();
        let fits = fit(&asked.wanted, said.clone(), None).map_err(|error| error.into_failure().message);
        assert_eq!(fits, expected.map_err(str::to_owned), "{question} {said:?}");
    }
}

#[test]
fn a_default_is_an_answer_that_fits() {
    let of = |input: Value| read(&input).unwrap().default;
    let labels = |labels: &[&str]| {
        let labels = labels.iter().map(|label| (*label).to_owned()).collect();
        Some(Answer::Chosen { labels, other: None })
    };
    assert_eq!(of(colours(json!({}))), None);
    assert_eq!(of(colours(json!({ "default": "Blue" }))), labels(&["Blue"]));
    assert_eq!(
        of(colours(json!({ "kind": "several", "default": "Blue\nGreen" }))),
        labels(&["Green", "Blue"])
    );
    let number = json!({ "question": "How many?", "kind": "number", "default": "3" });
    assert_eq!(of(number), Some(Answer::Number { number: 3.into() }));
}
