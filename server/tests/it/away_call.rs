//! The database is away while a server elsewhere does what it was asked: what came of it is known, and is written down
//! when the database is back.

use crate::killed::patient_with;
use crate::killed_call::{Ledger, note, noter, result, until};
use crate::parked::finished;
use crate::world::{self, Endpoint, a_moment};
use http::StatusCode;
use serde_json::json;

#[tokio::test]
async fn what_a_call_brought_is_written_down_when_the_database_is_back() {
    let database = world::database();
    let program = patient_with(&[("DATABASE_URL", &database)]);
    let (endpoint, ledger) = (Endpoint::start(), Ledger::start());
    let caller = program.caller("ada");
    let server = json!({ "name": "ledger", "url": format!("http://{}/mcp", ledger.host) });
    caller.call("/api/mcp_servers/add", &server).await;
    caller.call("/api/policy/add", &json!({ "tool": "mcp_*", "verdict": "allow" })).await;
    let agent = noter(&caller, &endpoint, &ledger).await;
    note(&caller, &agent).await;
    until(|| ledger.count() == 1).await;
    world::let_connect(&database, false);
    ledger.release();
    while caller.get("/api/approvals/list").await.status() != StatusCode::SERVICE_UNAVAILABLE {
        a_moment().await;
    }
    world::let_connect(&database, true);
    // A request that comes too early is refused.
    while !caller.get("/api/approvals/list").await.status().is_success() {
        a_moment().await;
    }
    let log = finished(&caller, &agent, 1).await;
    let result = result(&log);
    assert_eq!(result["is_error"], json!(false), "{result}");
    assert!(result["content"].as_str().unwrap().contains("Noted."), "{result}");
    assert_eq!(log.last().unwrap()["outcome"]["type"], "completed");
    assert_eq!(ledger.count(), 1);
}
