//! What the scripts in `public` say: the document has it for them, where it is not English.

use crate::prelude::*;
use std::collections::BTreeMap;

/// Each stands in `t('…')` in one of them.
const WORDS: &[&str] = &[
    key!("Another program has the microphone."),
    key!("Dictate"),
    key!("End the hands-free conversation"),
    key!("Listening"),
    key!("Nothing was chosen, or it took too long. Try again, or use your password."),
    key!("Read aloud"),
    key!("Send now"),
    key!("Speak now"),
    key!("Speaking"),
    key!("Stop and speak"),
    key!("Stop dictating"),
    key!("Stop reading"),
    key!("Talk hands-free"),
    key!("The browser could not reach what it listens with."),
    key!("The browser does not let this page listen: allow the microphone and try again."),
    key!("The browser does not listen any more. Start again."),
    key!("The hub cannot be reached. Try again."),
    key!("The hub did not take it. Try again."),
    key!("The microphone cannot be used."),
    key!("There is no microphone."),
    key!("Thinking"),
    key!(
        "This browser cannot be notified at this address. It takes https; on an iPhone the hub has to be on the home screen."
    ),
    key!("This browser cannot play what the server said. Choose another model under Providers."),
    key!("This browser could not go on."),
    key!("This device cannot make passkeys that check who uses it."),
    key!("This device has a passkey of yours for this hub already."),
    key!("Waits for you on the screen"),
    key!("Writing what you said"),
    key!(
        "Your browser does not let this hub notify you. Allow it in the settings of this site, and try again."
    ),
    key!("Your browser lets no passkey be used at this address."),
];

/// A JSON object: the English, and what it is in the language of the reader.
pub(super) fn script_words() -> Option<String> {
    if language::current() == Language::English {
        return None;
    }
    let words: BTreeMap<&str, &str> = WORDS.iter().map(|english| (*english, t(english))).collect();
    // No text of ours ends the element that they stand in.
    serde_json::to_string(&words).ok().map(|json| json.replace('<', "\\u003c"))
}

#[cfg(test)]
mod tests {
    use super::WORDS;
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    #[test]
    fn the_document_has_all_that_its_scripts_say() {
        let mut said = BTreeSet::new();
        for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("public")).unwrap() {
            let path = entry.unwrap().path();
            let is_ours =
                path.extension().is_some_and(|end| end == "js") && !path.to_string_lossy().contains(".min.");
            if is_ours {
                let text = fs::read_to_string(path).unwrap();
                let calls =
                    text.match_indices("t('").filter(|(at, _)| !text[..*at].ends_with(char::is_alphanumeric));
                said.extend(
                    calls.map(|(at, call)| text[at + call.len()..].split('\'').next().unwrap().to_owned()),
                );
            }
        }
        assert_eq!(said, WORDS.iter().map(|&word| word.to_owned()).collect());
    }
}
