//! What changed in a text, as a unified difference.

use crate::error::{Error, Result};
use similar::{Algorithm, TextDiff};
use std::time::{Duration, Instant};

/// Lines that a model is shown.
const LINES: usize = 100;
/// What takes longer is told coarsely.
const DEADLINE: Duration = Duration::from_millis(500);

/// The whole difference, with three lines around each change. Found off the threads that serve others.
pub(crate) async fn unified(before: String, after: String) -> Result<String> {
    tokio::task::spawn_blocking(move || compare(&before, &after)).await.map_err(Error::internal)
}

/// The beginning of it, and how many lines of it are left out.
pub(crate) async fn for_a_model(before: String, after: String) -> Result<String> {
    Ok(shortened(&unified(before, after).await?))
}

fn compare(before: &str, after: &str) -> String {
    let deadline = Instant::now() + DEADLINE;
    let diff =
        TextDiff::configure().algorithm(Algorithm::Patience).deadline(deadline).diff_lines(before, after);
    diff.unified_diff().context_radius(3).to_string()
}

fn shortened(whole: &str) -> String {
    let mut lines: Vec<&str> = whole.lines().collect();
    let more = lines.len().saturating_sub(LINES);
    lines.truncate(LINES);
    let shown = lines.join("\n");
    match more {
        0 => shown,
        more => format!("{shown}\n[{more} more lines]"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_has_what_changed_and_three_lines_around_it() {
        let before: String = (1..=20).fold(String::new(), |all, n| all + &format!("{n}\n"));
        let after = before.replace("10\n", "ten\n");
        assert_eq!(compare(&before, &after), "@@ -7,7 +7,7 @@\n 7\n 8\n 9\n-10\n+ten\n 11\n 12\n 13\n");
        assert_eq!(compare("a", "a"), "");
        let long = compare("", &before.repeat(20));
        assert!(long.ends_with("+20\n"));
        assert!(shortened(&long).ends_with("[301 more lines]"));
    }
}
