//! How often which tool was called, and what became of it, as a table.

use crate::prelude::*;
use crate::ui::{Spelled, Table, grouped};
use protocol::view::{CalledTool, ToolUsage};

#[component]
pub fn Tools(lines: Vec<ToolUsage>) -> impl IntoView {
    let rows = lines.into_iter().map(|line| view! { <Row line/> }).collect_view().into_any();
    view! {
        <Table columns=["Tool", "Calls", "By pages", "Done", "Failed", "Refused", "Unfinished", "Time in all"] rows/>
    }
}

#[component]
fn Row(line: ToolUsage) -> impl IntoView {
    let ToolUsage { tool, calls, of_pages, done, failed, refused, unfinished, took_ms } = line;
    let tool = match tool {
        CalledTool::BuiltIn { name } => view! { <code><Spelled text=name/></code> }.into_any(),
        CalledTool::Made { name } if name.is_empty() => t("Tools that agents made").into_any(),
        CalledTool::Made { name } => {
            view! { <span><code><Spelled text=name/></code> <span class="soft">" made by an agent"</span></span> }
                .into_any()
        }
        CalledTool::Nothing => t("Tools that there are not").into_any(),
    };
    view! {
        <tr>
            <td>{tool}</td>
            <td data-label="Calls" class="num">{grouped(calls)}</td>
            <td data-label="By pages" class="num">{grouped(of_pages)}</td>
            <td data-label="Done" class="num">{grouped(done)}</td>
            <td data-label="Failed" class="num">{grouped(failed)}</td>
            <td data-label="Refused" class="num">{grouped(refused)}</td>
            <td data-label="Unfinished" class="num">{grouped(unfinished)}</td>
            <td data-label="Time in all" class="num">{time_words(took_ms)}</td>
        </tr>
    }
}

/// A length of time in its two largest units.
fn time_words(ms: u64) -> String {
    let seconds = ms / 1000;
    match seconds {
        0 if ms == 0 => "0\u{a0}s".to_owned(),
        0 if ms < 100 => t("under\u{a0}0.1\u{a0}s").to_owned(),
        0..10 => format!("{}.{}\u{a0}s", seconds, ms % 1000 / 100),
        10..60 => format!("{seconds}\u{a0}s"),
        60..3600 => format!("{}\u{a0}min\u{a0}{}\u{a0}s", seconds / 60, seconds % 60),
        3600.. => format!("{}\u{a0}h\u{a0}{}\u{a0}min", grouped(seconds / 3600), seconds % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_of_time_is_told_in_its_two_largest_units() {
        for (ms, expected) in [
            (0, "0 s"),
            (99, "under 0.1 s"),
            (100, "0.1 s"),
            (1_250, "1.2 s"),
            (59_999, "59 s"),
            (200_000, "3 min 20 s"),
            (7_500_000, "2 h 5 min"),
            (36_000_000_000, "10\u{202f}000 h 0 min"),
        ] {
            assert_eq!(time_words(ms).replace('\u{a0}', " "), expected, "{ms}");
        }
    }
}
