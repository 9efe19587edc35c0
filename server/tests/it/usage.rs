//! What was used as a file: by token and by cookie, for nobody else.

use crate::live::agent;
use crate::world::{Endpoint, Program};
use reqwest::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use serde_json::json;

#[tokio::test]
async fn the_sheet_is_a_file_of_ones_own_calls() {
    let program = Program::start();
    let endpoint = Endpoint::start();
    let (ada, eve) = (program.caller("ada"), program.caller("eve"));
    let agent = agent(&ada, &endpoint).await;
    ada.call("/api/agents/ask", &json!({ "agent": agent, "text": "Hello" })).await;

    let browser = program.browser("ada", "test").await;
    for caller in [&ada, &browser] {
        let answer = caller.get("/usage.csv").await;
        assert_eq!(answer.status(), 200);
        assert_eq!(answer.headers()[CONTENT_TYPE], "text/csv; charset=utf-8");
        assert_eq!(answer.headers()[CONTENT_DISPOSITION], "attachment; filename=\"vivarium-usage.csv\"");
        let sheet = answer.text().await.unwrap();
        let lines: Vec<_> = sheet.lines().collect();
        assert_eq!(lines.len(), 2, "{sheet}");
        assert!(lines[0].starts_with("day,agent,agent_id,model,calls"), "{sheet}");
        assert!(lines[1].contains(&format!(",\"Ada\",{agent},")), "{sheet}");
        assert!(lines[1].ends_with(",\"Test\",reply,\"\","), "{sheet}");
    }
    assert_eq!(eve.get("/usage.csv").await.text().await.unwrap().lines().count(), 1);
    assert_eq!(program.stranger().get("/usage.csv").await.status(), 401);
}
