use super::*;

fn known() -> Vec<Known> {
    let agent = |id: &str, name: &str| Known { id: id.to_owned(), name: name.to_owned() };
    vec![agent("1", "Ada"), agent("2", "Bo"), agent("3", "Cy"), agent("4", "cy")]
}

fn looked_through(text: &str) -> std::result::Result<Checked, String> {
    parse(text).and_then(|draft| check(draft, &known())).map_err(|error| error.into_failure().message)
}

#[test]
fn yaml_and_json_say_the_same() {
    let yaml = "title: Moss\nagent: ada\nbudget: 2.50\ntasks:\n  - {id: find, title: Find it, instruction: Look.}\n  - id: ok\n    title: Good?\n    approval: true\n    depends_on: [find]\n";
    let json = r#"{"title":"Moss","agent":"ada","budget":"2.50","tasks":[{"id":"find","title":"Find it","instruction":"Look."},{"id":"ok","title":"Good?","approval":true,"depends_on":["find"]}]}"#;
    assert_eq!(parse(yaml).unwrap(), parse(json).unwrap());
    let read = looked_through(yaml).unwrap();
    assert_eq!((read.lead.as_deref(), read.at_once, read.tasks[1].by), (Some("1"), 4, TaskBy::Person));
    assert_eq!(
        (read.tasks[0].minutes, read.tasks[1].minutes),
        (15, 0),
        "an answer takes as long as it takes"
    );
}

#[test]
fn a_budget_is_dollars_in_text_or_a_number_of_yaml() {
    for (budget, expected) in [("2.50", Some(2_500_000)), ("\"$0.25\"", Some(250_000)), ("''", None)] {
        let text =
            format!("title: T\nbudget: {budget}\ntasks:\n  - {{id: a, title: T, instruction: Do it.}}\n");
        assert_eq!(looked_through(&text).unwrap().budget, expected.map(Micros), "{budget}");
    }
}

#[test]
fn every_mistake_is_named() {
    let task = |id: &str, more: &str| format!("  - {{id: {id}, title: T, instruction: Do it.{more}}}\n");
    let of = |tasks: &[String]| format!("title: T\ntasks:\n{}", tasks.concat());
    let many: Vec<String> = (0..51).map(|number| task(&format!("t{number}"), "")).collect();
    for (text, expected) in [
        (
            of(&[task("a", "")]).replace("title: T\n", "title: T\nbudget: much\n"),
            vec!["The budget \"much\" is"],
        ),
        ("title: ''\ntasks: []".to_owned(), vec!["The title has 1 to 80", "It has no tasks."]),
        (
            of(&[task("a", ", depends_on: [b]"), task("b", ", depends_on: [a]"), task("c", "")]),
            vec!["\"a\", \"b\"."],
        ),
        (of(&[task("a", ", depends_on: [a]")]), vec!["wait for each other"]),
        (of(&[task("a", ", depends_on: [x, y]")]), vec!["no task \"x\"", "no task \"y\""]),
        (of(&[task("a", ""), task("a", "")]), vec!["Two tasks have the id \"a\""]),
        (of(&many), vec!["It has 51 tasks"]),
        (
            of(&[task("a", ", agent: Nobody"), task("b", ", agent: Cy")]),
            vec!["no agent \"Nobody\"", "Several agents"],
        ),
        (of(&[task("a", ", agent: Bo, role: R")]), vec!["not both"]),
        (of(&[task("a", ", minutes: 61, retries: 9")]), vec!["minutes is", "retries is"]),
        (of(&[task("a", ", approval: true, minutes: 10081")]), vec!["minutes is a number from 1 to 10080"]),
        (of(&[task("a", ", colour: red")]), vec!["cannot be read", "colour"]),
        ("tasks: &x [*x]".to_owned(), vec!["cannot be read"]),
        ("{\"title\": ".to_owned(), vec!["cannot be read"]),
    ] {
        let Err(message) = looked_through(&text) else { panic!("it is taken: {text}") };
        for part in expected {
            assert!(message.contains(part), "{message:?} does not say {part:?}");
        }
    }
}
