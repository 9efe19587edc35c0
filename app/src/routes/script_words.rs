//! What the scripts in `public` say: the document has it for them, where it is not English.

use crate::prelude::*;
use std::collections::BTreeMap;

/// Each stands in `t('…')` in one of them.
const WORDS: &[&str] = &[
    key!("Nothing was chosen, or it took too long. Try again, or use your password."),
    key!("This browser cannot be notified at this address. It takes https; on an iPhone the hub has to be on the home screen."),
    key!("This device cannot make passkeys that check who uses it."),
    key!("This device has a passkey of yours for this hub already."),
    key!("Your browser does not let this hub notify you. Allow it in the settings of this site, and try again."),
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
            let is_ours = path.extension().is_some_and(|end| end == "js") && !path.to_string_lossy().contains(".min.");
            if is_ours {
                let text = fs::read_to_string(path).unwrap();
                said.extend(text.split(" t('").skip(1).map(|rest| rest.split('\'').next().unwrap().to_owned()));
            }
        }
        assert_eq!(said, WORDS.iter().map(|&word| word.to_owned()).collect());
    }
}
