//! Which parts of texts fit a question: by words that they share, of which a rare one counts for more. Words are
//! those by which conversations are searched, so that it is the same in every language.

use super::blocks::blocks;
use crate::search::index_terms;
use std::collections::BTreeSet;

/// From so many letters on a word is met by longer ones that begin with it.
const BEGINNING: usize = 4;
const CUT: char = '…';

/// Texts in blocks, with what each is worth.
pub(super) struct Weighed {
    texts: Vec<Vec<Block>>,
}

struct Block {
    text: String,
    worth: f64,
}

/// What fits of a text, in its order.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Fitting {
    pub(super) parts: Vec<String>,
    /// Whether it has anything of the question; otherwise it is the beginning.
    pub(super) fits: bool,
}

impl Weighed {
    pub(super) fn of<'a>(question: &str, texts: impl Iterator<Item = &'a str>) -> Self {
        let wanted = wanted(question);
        let found: Vec<Vec<(String, Vec<bool>)>> = texts
            .map(|text| {
                let with_terms = |block: String| {
                    let terms = index_terms(&block);
                    let has = wanted.iter().map(|word| has(&terms, word)).collect();
                    (block, has)
                };
                blocks(text).into_iter().map(with_terms).collect()
            })
            .collect();
        let all: f64 = count(found.iter().map(Vec::len).sum());
        let weights: Vec<f64> = (0..wanted.len())
            .map(|word| {
                let with = found.iter().flatten().filter(|(_, has)| has[word]).count();
                (1.0 + all / count(with.max(1))).ln()
            })
            .collect();
        let worth =
            |has: &[bool]| has.iter().zip(&weights).filter(|(has, _)| **has).map(|(_, weight)| weight).sum();
        let weighed = |blocks: Vec<(String, Vec<bool>)>| {
            blocks.into_iter().map(|(text, has)| Block { text, worth: worth(&has) }).collect()
        };
        Self { texts: found.into_iter().map(weighed).collect() }
    }

    /// Of each text the best blocks, in all so many bytes at most. None is told twice.
    pub(super) fn parts(&self, most: usize) -> Vec<Fitting> {
        let with_words = self.texts.iter().filter(|blocks| !blocks.is_empty()).count().max(1);
        let mut told = BTreeSet::new();
        self.texts.iter().map(|blocks| parts(blocks, most / with_words, &mut told)).collect()
    }
}

fn parts<'a>(blocks: &'a [Block], most: usize, told: &mut BTreeSet<&'a str>) -> Fitting {
    let mut best: Vec<usize> = (0..blocks.len()).filter(|at| blocks[*at].worth > 0.0).collect();
    best.sort_by(|one, other| blocks[*other].worth.total_cmp(&blocks[*one].worth));
    let fits = !best.is_empty();
    if !fits {
        best.extend(blocks.first().map(|_| 0));
    }
    let (mut chosen, mut room) = (Vec::new(), most);
    for at in best {
        let text = blocks[at].text.as_str();
        if told.contains(text) || (text.len() > room && !chosen.is_empty()) {
            continue;
        }
        told.insert(text);
        room = room.saturating_sub(text.len());
        chosen.push(at);
    }
    chosen.sort_unstable();
    let parts = chosen.into_iter().map(|at| shortened(&blocks[at].text, most)).collect();
    Fitting { parts, fits }
}

fn shortened(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(most.saturating_sub(CUT.len_utf8()));
    format!("{}{CUT}", &text[..end])
}

/// The words of the question. Single letters count only where there is nothing else.
fn wanted(question: &str) -> BTreeSet<String> {
    let terms = index_terms(question);
    let longer: BTreeSet<String> =
        terms.iter().filter(|term| term.chars().nth(1).is_some()).cloned().collect();
    if longer.is_empty() { terms } else { longer }
}

fn has(terms: &BTreeSet<String>, wanted: &str) -> bool {
    if wanted.chars().count() < BEGINNING {
        return terms.contains(wanted);
    }
    terms.range(wanted.to_owned()..).next().is_some_and(|term| term.starts_with(wanted))
}

fn count(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_that_fits_is_told_in_any_language() {
        for (question, beside, expected) in [
            (
                "where does moss grow?",
                "Our garden has many plants, and where they stand they get the sun of the whole long day.",
                "Mosses grow on the shaded side of walls, where water stays for long and no grass can follow.",
            ),
            (
                "Wo wächst Moos?",
                "Im Garten stehen viele andere Pflanzen, und wo sie stehen, scheint den ganzen Tag die Sonne.",
                "Moose wachsen im Schatten der Mauern; wo Moos wächst, bleibt das Wasser lange Zeit stehen.",
            ),
            (
                "где растёт мох",
                "В саду много других растений, и весь день на них светит яркое солнце без всякой тени.",
                "Мох растёт в тени старых стен, где долго стоит вода и куда не приходит никакая трава.",
            ),
            (
                "苔藓在哪里生长",
                "花园里有许多别的植物，整天都有阳光照着它们，所以那里的土地总是很干，什么也留不住水分，真的很干。",
                "苔藓喜欢在老墙的阴影里生长，那里的水可以停留很久，草却长不到那里去，所以它们很安静地待在那里。",
            ),
        ] {
            let text = format!("{beside}\n\n{expected}\n\n{beside} ");
            let weighed = Weighed::of(question, [text.as_str(), ""].into_iter());
            let [page, empty] = &weighed.parts(expected.len())[..] else { panic!("two texts") };
            assert_eq!((page.parts.as_slice(), page.fits), (&[expected.to_owned()][..], true), "{question}");
            assert_eq!(empty, &Fitting::default());
        }
    }

    #[test]
    fn nothing_is_told_twice_and_what_does_not_fit_is_told_by_its_beginning() {
        let same =
            "Moss grows where it is damp, and where nobody walks on it for a very long while, they say.";
        let other =
            "Ferns are another matter, and nothing is said about the plant that was asked for in this.";
        let weighed = Weighed::of("damp moss", [same, same, other].into_iter());
        let told = weighed.parts(10_000);
        assert_eq!(told[0].parts, [same]);
        assert_eq!(told[1].parts, Vec::<String>::new());
        assert_eq!((told[2].parts.as_slice(), told[2].fits), (&[other.to_owned()][..], false));
        let short = weighed.parts(90);
        assert!(short.iter().flat_map(|page| &page.parts).all(|part| part.len() <= 30), "{short:?}");
    }
}
