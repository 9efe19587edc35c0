//! What several sources found as one list, without saying anything twice: by reciprocal rank fusion, in which
//! a page counts for more the higher it stands, and the more sources name it.

use super::hit::Hit;
use protocol::view::SearchKind;
use std::collections::HashMap;

/// How little the first places differ: the usual constant.
const SMOOTHING: f64 = 60.0;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MergedHit {
    pub(crate) hit: Hit,
    /// Who found it, the first to be asked before the others.
    pub(crate) from: Vec<SearchKind>,
    score: f64,
}

/// The best first. Between equals, what stands in the list of an earlier source comes first.
pub(super) fn merge(found: Vec<(SearchKind, Vec<Hit>)>, most: usize) -> Vec<MergedHit> {
    let mut merged: Vec<MergedHit> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for (kind, hits) in found {
        let mut rank = 0.0;
        let mut seen = Vec::new();
        for hit in hits {
            let page = hit.page();
            if seen.contains(&page) {
                continue;
            }
            rank += 1.0;
            let score = 1.0 / (SMOOTHING + rank);
            match known.get(&page) {
                Some(&at) => merged[at].take(hit, kind, score),
                None => {
                    known.insert(page.clone(), merged.len());
                    merged.push(MergedHit { hit, from: vec![kind], score });
                }
            }
            seen.push(page);
        }
    }
    merged.sort_by(|one, other| other.score.total_cmp(&one.score));
    merged.truncate(most);
    merged
}

impl MergedHit {
    fn take(&mut self, hit: Hit, kind: SearchKind, score: f64) {
        self.score += score;
        if !self.from.contains(&kind) {
            self.from.push(kind);
        }
        if self.hit.snippet.is_empty() {
            self.hit.snippet = hit.snippet;
        }
        self.hit.date = self.hit.date.take().or(hit.date);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_several_name_comes_first_and_nothing_comes_twice() {
        let hit = |path: &str, snippet: &str| {
            Hit::of(path, &format!("https://example.org/{path}"), snippet, None).expect("a hit")
        };
        let found = vec![
            (SearchKind::Brave, vec![hit("a", ""), hit("b", ""), hit("a/", ""), hit("c", "")]),
            (SearchKind::Arxiv, vec![hit("d", ""), hit("b#x", "of arXiv")]),
        ];
        let merged = merge(found.clone(), 10);
        let paths: Vec<&str> = merged.iter().map(|merged| merged.hit.title.as_str()).collect();
        assert_eq!(paths, ["b", "a", "d", "c"]);
        assert_eq!(merged[0].from, [SearchKind::Brave, SearchKind::Arxiv]);
        assert_eq!(merged[0].hit.snippet, "of arXiv");
        assert_eq!(merge(found, 2).len(), 2);
    }
}
