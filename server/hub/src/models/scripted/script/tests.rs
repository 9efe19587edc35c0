use super::*;
use protocol::model::{ToolChoice, ToolSpec};

const TOOLS: &[&str] = &["dom", "runjs"];
const HI: &str = "person Hello";
const PRESS: &str = "person [page event: click]\n> {}";

/// Each line of a scene is `person <text>`, `agent`, `<step> ok` or `<step> failed`; the reply is
/// its blocks in order, texts by the file that they stand in.
fn check(tools: &[&str], scene: &[&str], expected: &str) {
    let request = request(tools, scene);
    let reply: Vec<String> = next_reply(&request).iter().map(name).collect();
    assert_eq!(reply.join(" "), expected, "{scene:?}");
}

#[test]
fn it_greets_draws_listens_and_explains() {
    check(TOOLS, &[HI], "hello draw-1");
    check(TOOLS, &[HI, "agent", "draw ok"], "listen-3");
    check(TOOLS, &[HI, "agent", "draw ok", "agent", "listen ok"], "drawn");
}

#[test]
fn what_the_hub_says_of_devices_is_no_word_of_the_person() {
    const DEVICES: &str = "person [devices]\n> Chrome on Windows shows your page now (screen).";
    check(TOOLS, &[DEVICES, HI], "hello draw-1");
    check(TOOLS, &[HI, "agent", "draw ok", DEVICES], "listen-3");
    check(TOOLS, &[HI, "agent", "draw ok", "agent", "listen ok", DEVICES], "drawn");
    // The loop's own words about the round and those of the hub are one message.
    let round = DEVICES.replace("person ", "person [Round 1 of 40.]\n\n");
    check(TOOLS, &[HI, "agent", "draw ok", &round], "listen-3");
}

#[test]
fn it_tries_again_when_it_is_spoken_to() {
    let mut scene = vec![HI, "agent", "draw failed"];
    check(TOOLS, &scene, "not_drawn");
    scene.extend(["agent", "person Are you there?"]);
    check(TOOLS, &scene, "draw-5");
    scene.extend(["agent", "draw ok", "agent", "listen failed"]);
    check(TOOLS, &scene, "not_drawn");
    scene.extend(["agent", "person Again"]);
    check(TOOLS, &scene, "listen-11");
}

#[test]
fn each_press_grows_one_leaf_until_the_pot_is_full() {
    let mut scene = vec![HI, "agent", "draw ok", "agent", "listen ok", "agent"];
    for leaves in 4..=12 {
        scene.push(PRESS);
        let reply = next_reply(&request(TOOLS, &scene));
        let [Block::ToolUse(call)] = reply.as_slice() else { panic!("{reply:?}") };
        let code = call.input["code"].as_str().expect("code is text");
        assert!(code.starts_with(&format!("const leaves = {leaves};\n")), "{code}");
        scene.extend(["agent", "grow ok"]);
        check(TOOLS, &scene, &format!("leaf-{leaves}"));
        scene.push("agent");
    }
    scene.push(PRESS);
    check(TOOLS, &scene, "full");
}

#[test]
fn presses_that_come_together_all_count() {
    let both = format!("{PRESS}\n\n[page event: click]");
    let scene = [HI, "agent", "draw ok", "agent", "listen ok", "agent", &both, "agent", "grow ok"];
    check(TOOLS, &scene, "leaf-5");
}

#[test]
fn a_lost_page_is_drawn_anew() {
    let mut scene =
        vec![HI, "agent", "draw ok", "agent", "listen ok", "agent", PRESS, "agent", "grow failed"];
    check(TOOLS, &scene, "not_grown");
    scene.extend(["agent", "person Draw"]);
    check(TOOLS, &scene, "draw-11");
    scene.extend(["agent", "draw ok", "agent", "listen ok", "agent", PRESS, "agent", "grow ok"]);
    check(TOOLS, &scene, "leaf-4");
}

#[test]
fn it_does_not_pretend_to_understand() {
    let scene = [HI, "agent", "draw ok", "agent", "listen ok", "agent", "person What is love?"];
    check(TOOLS, &scene, "other");
    check(&["dom"], &[HI], "no_tools");
    check(&[], &scene, "no_tools");
    check(TOOLS, &[], "other");
}

#[test]
fn its_calls_are_what_the_tools_take() {
    let grown = json!({ "code": GROW });
    for (name, input) in [("dom", draw()), ("dom", listen()), ("runjs", grown)] {
        let tool = agent::tools::find(name).expect("the tool exists");
        let problem = jsonschema::validate(&tool.spec().input_schema, &input).err();
        assert!(problem.is_none(), "{name}: {problem:?}");
    }
}

#[test]
fn its_page_loads_nothing() {
    for part in ["http:", "https:", "url(", "@import", "<script", "<link", "<img"] {
        assert!(!PAGE.contains(part), "{part}");
    }
}

fn request(tools: &[&str], scene: &[&str]) -> ModelRequest {
    let tool = |name: &&str| ToolSpec {
        name: (*name).to_owned(),
        description: String::new(),
        input_schema: json!({}),
        strict: false,
    };
    ModelRequest {
        model: "guide".to_owned(),
        system: String::new(),
        tools: tools.iter().map(tool).collect(),
        messages: scene.iter().map(|line| message(line)).collect(),
        max_output_tokens: 1,
        tool_choice: ToolChoice::Auto,
        effort: None,
        sampling: Box::default(),
    }
}

fn message(line: &str) -> ModelMessage {
    match line.split_once(' ') {
        None => ModelMessage::Assistant { blocks: Vec::new() },
        Some(("person", text)) => ModelMessage::User { text: text.to_owned(), media: Vec::new() },
        Some((step, outcome)) => ModelMessage::Tools {
            results: vec![ToolResult {
                call: CallId(format!("{step}-1")),
                name: "dom".to_owned(),
                content: String::new(),
                media: Vec::new(),
                is_error: outcome == "failed",
            }],
        },
    }
}

fn name(block: &Block) -> String {
    let text = match block {
        Block::ToolUse(call) => return call.id.0.clone(),
        Block::Text { text } | Block::Reasoning { text, .. } => text,
    };
    if let Some(at) = LEAVES.lines().position(|line| line == text) {
        return format!("leaf-{}", at + 1 + FIRST_LEAVES);
    }
    let files = [
        (HELLO, "hello"),
        (NOT_DRAWN, "not_drawn"),
        (DRAWN, "drawn"),
        (OTHER, "other"),
        (NO_TOOLS, "no_tools"),
        (NOT_GROWN, "not_grown"),
        (FULL, "full"),
    ];
    let file = files.iter().find(|(content, _)| content.trim_end() == text);
    file.map_or_else(|| text.clone(), |(_, name)| (*name).to_owned())
}
