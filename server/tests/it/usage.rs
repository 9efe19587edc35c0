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

#[tokio::test]
async fn an_administrator_has_sheets_of_everybody_and_nobody_else() {
    let program = Program::start();
    let endpoint = Endpoint::start();
    // The first account is the administrator's.
    let (root, ada) = (program.caller("root"), program.caller("ada"));
    let agent = agent(&ada, &endpoint).await;
    let calls = json!([[{ "tool": "state", "input": { "action": "list" } }], [{ "text": "Done." }]]);
    ada.call("/api/agents/ask", &json!({ "agent": agent, "text": format!("turns: {calls}") })).await;

    for (path, file, line) in [
        (
            "/usage/tools.csv",
            "vivarium-tools.csv",
            format!(",\"Ada\",{agent},\"state\",built_in,model,done,1,"),
        ),
        ("/admin/usage.csv", "vivarium-usage-of-all.csv", ",\"ada\",".to_owned()),
        (
            "/admin/usage/tools.csv",
            "vivarium-tools-of-all.csv",
            ",\"state\",built_in,model,done,1,".to_owned(),
        ),
    ] {
        let is_admins = path.starts_with("/admin");
        let answer = if is_admins { root.get(path).await } else { ada.get(path).await };
        assert_eq!(answer.status(), 200, "{path}");
        assert_eq!(answer.headers()[CONTENT_TYPE], "text/csv; charset=utf-8");
        assert_eq!(
            answer.headers()[CONTENT_DISPOSITION],
            format!("attachment; filename=\"{file}\"").as_str()
        );
        let sheet = answer.text().await.unwrap();
        assert!(sheet.lines().count() == 2 && sheet.contains(&line), "{path}: {sheet}");
        if is_admins {
            assert!(
                !sheet.contains(&agent) && !sheet.contains("\"Ada\"") && !sheet.contains("Test"),
                "{sheet}"
            );
            assert_eq!(ada.get(path).await.status(), 403, "{path}");
        }
        assert_eq!(program.stranger().get(path).await.status(), 401, "{path}");
    }
}
