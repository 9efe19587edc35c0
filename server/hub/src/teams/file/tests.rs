use super::*;

const TEAM: &str = "\
team: Newsroom
agents:
  - role: editor
    description: Says what is written and when it is good.
    instructions: |
      You lead.
      Be brief.
    tools: [leading, read]
    model: some-model
    names: [Anna]
    most: 1
  - role: reviewer
    instructions: Look closely.
    least: 2
    most: 3
    temper: mild
    loop:
      rounds: many
";

#[test]
fn a_file_is_read_with_its_lines_and_what_means_nothing_is_said() {
    let TeamFile { team, entries } = read(TEAM).unwrap();
    assert_eq!(team.as_deref(), Some("Newsroom"));
    let [editor, reviewer] = entries.as_slice() else { panic!("two entries") };
    assert_eq!((editor.line, editor.role.as_str(), editor.wanted()), (3, "editor", 1));
    assert_eq!(editor.instructions, "You lead.\nBe brief.");
    assert_eq!((editor.tools.as_deref().unwrap().len(), editor.tools_line), (2, 8));
    assert_eq!(
        (editor.least, editor.most, editor.names.as_slice()),
        (0, Some(1), ["Anna".to_owned()].as_slice())
    );
    assert!(editor.notices.is_empty());
    assert_eq!((reviewer.line, reviewer.least, reviewer.wanted()), (12, 2, 2));
    assert_eq!(reviewer.notices[0], "Line 16: \"temper\" means nothing here and is left out.");
    assert!(reviewer.notices[1].starts_with("Line 18: loop cannot be read"), "{:?}", reviewer.notices);
    let json = r#"{"agents": [{"role": "editor", "least": 1}]}"#;
    assert_eq!(read(json).unwrap().entries[0].wanted(), 1);
}

#[test]
fn everything_that_is_wrong_is_said_at_once_with_its_line() {
    for (text, expected) in [
        ("agents: []\n", vec!["The file of a team has 1 to 50 agents."]),
        ("agents:\n- description: x\n", vec!["Line 2: role is a name of 1 to 60 characters."]),
        (
            "agents:\n- role: a\n  least: 3\n  most: 2\n- role: A\n  most: 0\n  tools: {}\n",
            vec![
                "Line 2: of \"a\" there are to be 3 agents, and at most 2.",
                "Line 6: most is a whole number from 1 to 500.",
                "Line 7: tools is a list of names.",
                "Line 5: there are two roles \"A\".",
            ],
        ),
        ("agents:\n- role: a\n  names: [x, X]\n", vec!["Line 3: names has the same name twice."]),
        ("agents:\n- role: a\n  least: 101\n", vec!["It asks for more than 100 agents at once."]),
        ("agents:\n- role: a\n  home: moon\n", vec!["Line 3: home is hub or browser."]),
    ] {
        let Err(Error::Invalid(said)) = read(text).map(drop) else { panic!("{text} is read") };
        assert_eq!(said.lines().collect::<Vec<_>>(), expected);
    }
}

#[test]
fn what_is_no_such_file_or_grows_is_refused() {
    let bomb = "a: &a [x, x]\nagents: [*a, *a]\n";
    let deep = format!("agents: {}{}\n", "[".repeat(30), "]".repeat(30));
    let wide = format!("agents: [{}]\n", "{},".repeat(30_000));
    let twice = "agents:\n- role: a\n  role: b\n";
    for text in
        ["", "agents", "- a\n", "other: 1\n", "agents: 1\n", "agents:\n- [\n", bomb, &deep, &wide, twice]
    {
        let Err(Error::Invalid(said)) = read(text).map(drop) else { panic!("{text} is read") };
        assert!(said.starts_with("It cannot be read: "), "{said}");
    }
}

#[test]
fn what_is_written_is_read_again() {
    let entry = |role: &str, instructions: &str| WrittenEntry {
        role: role.to_owned(),
        description: "yes".to_owned(),
        instructions: instructions.to_owned(),
        tools: vec!["read".to_owned()],
        model: "1.5".to_owned(),
        home: Home::Browser,
        colour: "#3d9a5d".to_owned(),
        max_output_tokens: 4096,
        least: 1,
        most: Some(2),
        names: vec!["No".to_owned()],
        r#loop: LoopSettings { rounds: 7, ..LoopSettings::default() },
    };
    let words = ["- a: b\n#c\n\n  d", "null", "'\"", "*a &b !c", "ä\u{1f33f}\ttab", "{x: [y"];
    for words in words {
        let text = write(vec![entry("editor", words), entry("true", words)]).unwrap();
        let file = read(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let back = &file.entries[1];
        assert_eq!((back.role.as_str(), back.instructions.as_str()), ("true", words), "{text}");
        assert_eq!((back.model.as_str(), back.home, back.most), ("1.5", Some(Home::Browser), Some(2)));
        assert_eq!((back.names.as_slice(), back.settings.rounds), (["No".to_owned()].as_slice(), 7));
        assert!(back.notices.is_empty(), "{:?}", back.notices);
    }
}
