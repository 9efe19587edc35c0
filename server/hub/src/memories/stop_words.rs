//! Words of English and German that say nothing about what a text is about, as they are folded. What is a word with a
//! meaning in the other language is not among them.

#[rustfmt::skip]
const ALL: &[&str] = &[
    "a", "aber", "about", "after", "again", "all", "alle", "allem", "allen", "aller", "alles", "als", "also",
    "am", "an", "and", "andere", "anderen", "any", "are", "as", "at", "auch", "auf", "aus", "be", "because",
    "been", "before", "bei", "being", "bis", "both", "but", "by", "can", "could", "da", "damit", "dann",
    "das", "dass", "daß", "dein", "deine", "dem", "den", "denn", "der", "des", "dessen", "dich", "did", "die",
    "dies", "diese", "diesem", "diesen", "dieser", "dieses", "dir", "do", "doch", "does", "doing", "dort",
    "down", "du", "durch", "during", "each", "ein", "eine", "einem", "einen", "einer", "eines", "er", "es",
    "etwas", "euch", "euer", "eure", "few", "for", "from", "further", "habe", "haben", "had", "has", "hatte",
    "hatten", "have", "having", "he", "her", "here", "hers", "herself", "hier", "him", "himself", "his",
    "how", "i", "ich", "if", "ihm", "ihn", "ihnen", "ihr", "ihre", "ihrem", "ihren", "ihrer", "ihres", "im",
    "in", "ins", "into", "is", "ist", "it", "its", "itself", "ja", "jede", "jedem", "jeden", "jeder", "jedes",
    "jetzt", "just", "kann", "kein", "keine", "keinem", "keinen", "keiner", "ll", "m", "mal", "me", "mein",
    "meine", "meinem", "meinen", "meiner", "mich", "mir", "mit", "more", "most", "muss", "my", "myself",
    "nach", "nicht", "no", "noch", "nor", "not", "now", "nun", "nur", "ob", "oder", "of", "off", "ohne", "on",
    "once", "only", "or", "other", "our", "ours", "out", "over", "own", "re", "s", "same", "schon", "sehr",
    "sein", "seine", "seinem", "seinen", "seiner", "she", "should", "sich", "sie", "sind", "so", "soll",
    "sollte", "some", "sondern", "sonst", "such", "t", "than", "that", "the", "their", "theirs", "them",
    "themselves", "then", "there", "these", "they", "this", "those", "through", "to", "too", "uber", "um",
    "und", "under", "uns", "unser", "unsere", "unter", "until", "up", "ve", "very", "viel", "vom", "von",
    "vor", "wann", "warum", "was", "we", "weil", "welche", "welchem", "welchen", "welcher", "welches", "wenn",
    "wer", "werde", "werden", "were", "what", "when", "where", "which", "while", "who", "whom", "why", "wie",
    "wieder", "will", "wir", "wird", "with", "wo", "woher", "wohin", "wollen", "would", "wurde", "wurden",
    "you", "your", "yours", "zu", "zum", "zur", "zwischen",
];

pub(super) fn says_nothing(word: &str) -> bool {
    ALL.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::{ALL, says_nothing};

    #[test]
    fn they_are_in_their_order_each_once() {
        assert!(ALL.is_sorted_by(|one, next| one < next));
        for (word, expected) in [("the", true), ("der", true), ("may", false), ("tea", false)] {
            assert_eq!(says_nothing(word), expected, "{word}");
        }
    }
}
