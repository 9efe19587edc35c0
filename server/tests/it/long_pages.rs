//! What the page of a long conversation weighs, as a browser gets it.

use crate::live::agent;
use crate::world::{Caller, Endpoint, Program};
use serde_json::json;

/// Bytes of HTML that a page may have, however much was said.
const MOST_HTML: usize = 200 * 1024;

#[tokio::test]
async fn the_page_of_a_conversation_is_small_however_long_it_is() {
    let program = Program::start();
    let endpoint = Endpoint::start();
    let ada = program.caller("ada");
    let markdown =
        "# A\n\n- `b` **c** _d_ [e](https://example.org)\n- f\n\n| g | h |\n|---|---|\n| i | j |\n\n";
    for (text, times) in [
        ("Water the fern.".to_owned(), 120),
        (markdown.to_owned(), 30),
        (markdown.repeat(400), 12),
        ("<&>\"' ".repeat(4_000), 12),
        ("\\u2028*".repeat(6_000), 12),
        ("Ferns like shade. ".repeat(10_000), 12),
    ] {
        let agent = agent(&ada, &endpoint).await;
        for _ in 0..times {
            ada.call("/api/agents/ask", &json!({ "agent": agent, "text": text })).await;
        }
        let page = page(&ada, &format!("/agents/{agent}")).await;
        assert!(page.len() <= MOST_HTML, "{} bytes for {} × {:?}", page.len(), times, text.get(..20));
        let (_, rest) = page.split_once("/earlier?before=").expect("there is a way back");
        let before: String = rest.chars().take_while(char::is_ascii_digit).collect();
        let earlier = self::page(&ada, &format!("/agents/{agent}/earlier?before={before}")).await;
        assert!(earlier.len() <= MOST_HTML, "{} bytes", earlier.len());
        assert!(earlier.contains("To the latest"));
    }
}

#[tokio::test]
async fn a_text_that_is_cut_off_on_the_page_can_be_read_whole() {
    let program = Program::start();
    let endpoint = Endpoint::start();
    let ada = program.caller("ada");
    let agent = agent(&ada, &endpoint).await;
    let text = format!("{} The end of it.", "Ferns like shade. ".repeat(10_000));
    ada.call("/api/agents/ask", &json!({ "agent": agent, "text": text })).await;
    let shown = page(&ada, &format!("/agents/{agent}")).await;
    assert!(!shown.contains("The end of it.") && shown.contains("[The beginning of 180015 bytes.]"));
    assert!(shown.contains(&format!("/agents/{agent}/earlier?entry=1")));
    let whole = page(&ada, &format!("/agents/{agent}/earlier?entry=1")).await;
    assert!(whole.contains("The end of it."));
    assert_eq!(ada.get(&format!("/agents/{agent}/earlier?entry=999")).await.status(), 404);
}

async fn page(caller: &Caller, path: &str) -> String {
    let answer = caller.get(path).await;
    assert_eq!(answer.status(), 200, "{path}");
    answer.text().await.unwrap()
}
