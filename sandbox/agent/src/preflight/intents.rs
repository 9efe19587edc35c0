//! What a message seems to be about, by its words.

use crate::words::words;

struct Intent {
    words: &'static [&'static str],
    tools: &'static [&'static str],
}

const INTENTS: &[Intent] = &[
    Intent {
        words: &[
            "draw", "page", "button", "show", "display", "paint", "chart", "game", "colour", "color", "skin",
        ],
        tools: &["dom", "runjs"],
    },
    Intent { words: &["calculate", "compute", "script", "javascript", "measure", "code"], tools: &["runjs"] },
    Intent { words: &["remember", "note", "notes", "forget", "recall", "preference"], tools: &["storage"] },
    Intent { words: &["state", "score", "counter", "value"], tools: &["state"] },
    Intent {
        words: &["time", "date", "today", "tomorrow", "yesterday", "weekday", "clock", "now"],
        tools: &["datetime"],
    },
    Intent {
        words: &["earlier", "before", "said", "mentioned", "history", "conversation"],
        tools: &["context_search"],
    },
    Intent { words: &["tool", "tools", "can"], tools: &["list_tools", "tool_search"] },
    Intent { words: &["where", "offline", "capabilities", "device"], tools: &["capabilities"] },
];

pub(super) fn tools_for(said: &str) -> Vec<&'static str> {
    let said = words(said);
    let meant = INTENTS.iter().filter(|intent| intent.words.iter().any(|word| said.contains(*word)));
    meant.flat_map(|intent| intent.tools).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools;

    #[test]
    fn every_intent_has_its_tools() {
        for (said, expected) in [
            ("Draw me a clock face", &["dom", "runjs", "datetime"][..]),
            ("COMPUTE 17 * 23", &["runjs"]),
            ("Remember my name", &["storage"]),
            ("Set the score to 3", &["state"]),
            ("What day is it today?", &["datetime"]),
            ("What did I say earlier?", &["context_search"]),
            ("Which tools are there?", &["list_tools", "tool_search"]),
            ("Do you run offline?", &["capabilities"]),
            ("Hello", &[]),
        ] {
            assert_eq!(tools_for(said), expected, "{said}");
        }
    }

    #[test]
    fn hints_name_tools_that_exist() {
        for tool in INTENTS.iter().flat_map(|intent| intent.tools) {
            assert_eq!(tools::find(tool).map(|found| found.name), Some(*tool));
        }
    }
}
