//! Which brackets belong together, in code that may be broken.

use super::tokens::Token;

/// For each token that opens, the one that closes it, or the last one; for all others none.
pub(super) fn closing(tokens: &[Token<'_>]) -> Vec<Option<usize>> {
    let mut closing = vec![None; tokens.len()];
    let mut open: Vec<(&str, usize)> = Vec::new();
    // What closes nothing is passed over, without a look at all that is open.
    let mut kinds = [0_usize; 3];
    for (at, token) in tokens.iter().enumerate() {
        let Some((kind, opens)) = kind_of(token) else { continue };
        if opens {
            kinds[kind] += 1;
            open.push((token.text, at));
            continue;
        }
        while kinds[kind] > 0
            && let Some((text, opened)) = open.pop()
        {
            let Some(of) = OPEN.iter().position(|other| *other == text) else { continue };
            kinds[of] -= 1;
            closing[opened] = Some(at);
            if of == kind {
                break;
            }
        }
    }
    for (_, opened) in open {
        closing[opened] = tokens.len().checked_sub(1);
    }
    closing
}

const OPEN: [&str; 3] = ["(", "[", "{"];
const CLOSE: [&str; 3] = [")", "]", "}"];

/// Which brackets it is one of, and whether it opens.
fn kind_of(token: &Token<'_>) -> Option<(usize, bool)> {
    let position = |of: [&str; 3]| of.iter().position(|text| token.is(text));
    position(OPEN).map(|kind| (kind, true)).or_else(|| position(CLOSE).map(|kind| (kind, false)))
}
