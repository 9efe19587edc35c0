//! Names in code: where they are defined and where they stand. It is read word by word, as an editor colours it: what
//! is in comments and texts is passed over, but no types are resolved, so that two things of one name are one here.

mod brackets;
mod definitions;
mod tokens;

use super::job::{CodeLanguage, FoundSymbols, SymbolPlace, SymbolSearch, SymbolsWanted};
use definitions::{Definition, definitions};
use std::collections::BTreeMap;
use tokens::tokens;

/// Characters of a line that are shown.
const SHOWN: usize = 200;

pub(super) fn find(search: &SymbolSearch) -> FoundSymbols {
    let mut found = FoundSymbols { places: Vec::new(), more: false };
    for (number, (language, text)) in search.texts.iter().enumerate() {
        let text = text.trim_start_matches('\u{feff}');
        let lines: Vec<&str> = text.lines().collect();
        for mut place in places(*language, text, &search.wanted) {
            if found.places.len() == search.most {
                found.more = true;
                return found;
            }
            place.text = number;
            let line = lines.get(place.line as usize - 1).map_or("", |line| line.trim());
            place.shown = line.chars().take(SHOWN).collect();
            found.places.push(place);
        }
    }
    found
}

fn places(language: CodeLanguage, text: &str, wanted: &SymbolsWanted) -> Vec<SymbolPlace> {
    let tokens = tokens(language, text);
    let place = |at: usize| SymbolPlace {
        text: 0,
        line: tokens[at].line,
        column: tokens[at].column,
        defines: None,
        to: tokens[at].line,
        shown: String::new(),
    };
    let told = |definition: Definition| {
        let name = match &definition.within {
            Some(within) => format!("{within}.{}", definition.name),
            None => definition.name,
        };
        let defines = Some(format!("{} {name}", definition.kind));
        SymbolPlace { defines, to: tokens[definition.to].line, ..place(definition.at) }
    };
    let defined = definitions(language, &tokens).into_iter();
    match wanted {
        SymbolsWanted::Outline => defined.map(told).collect(),
        SymbolsWanted::Definitions(name) => {
            let (within, name) = parted(name);
            let is_meant = |definition: &Definition| {
                definition.name == name
                    && within.is_none_or(|within| definition.within.as_deref() == Some(within))
            };
            defined.filter(is_meant).map(told).collect()
        }
        SymbolsWanted::References(name) => {
            let (_, name) = parted(name);
            let mut defined: BTreeMap<usize, Definition> =
                defined.filter(|definition| definition.name == name).map(|of| (of.at, of)).collect();
            let named = tokens.iter().enumerate().filter(|(_, token)| token.is_word() && token.text == name);
            named.map(|(at, _)| defined.remove(&at).map_or_else(|| place(at), &told)).collect()
        }
    }
}

/// A name that is given with what it is a part of, as `Store.open` or `Store::open`.
fn parted(name: &str) -> (Option<&str>, &str) {
    let (within, name) = match name.rsplit_once("::").or_else(|| name.rsplit_once('.')) {
        Some((within, name)) => (Some(within), name),
        None => return (None, name),
    };
    (within.map(|within| within.rsplit([':', '.']).next().unwrap_or(within)), name)
}

#[cfg(test)]
mod tests;
