//! The errors of A2A.

use super::super::rpc::RpcError;
use serde_json::json;

/// With the reason by which a program tells it from others.
fn refusal(code: i64, reason: &str, words: impl Into<String>) -> RpcError {
    let info = json!([{
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": reason,
        "domain": "a2a-protocol.org",
    }]);
    RpcError { data: Some(info), ..RpcError::new(code, words) }
}

pub(super) fn no_task() -> RpcError {
    refusal(-32_001, "TASK_NOT_FOUND", "There is no such task of this program's.")
}

pub(super) fn is_over() -> RpcError {
    refusal(-32_002, "TASK_NOT_CANCELABLE", "The task is over.")
}

pub(super) fn no_push() -> RpcError {
    refusal(-32_001, "TASK_NOT_FOUND", "The task has no such configuration of pushes.")
}

pub(super) fn unsupported(words: impl Into<String>) -> RpcError {
    refusal(-32_004, "UNSUPPORTED_OPERATION", words)
}

pub(super) fn no_such_content() -> RpcError {
    refusal(-32_005, "CONTENT_TYPE_NOT_SUPPORTED", "An agent takes text and answers with text.")
}

pub(super) fn no_such_version(version: &str) -> RpcError {
    let named = if version.is_empty() { "0.3, which is meant where none is named" } else { version };
    let words = format!("This hub speaks A2A 1.0, and not {named}. Send the header A2A-Version: 1.0.");
    refusal(-32_009, "VERSION_NOT_SUPPORTED", words)
}
