//! A text in blocks that can be read by themselves: paragraphs, with the heading above them, and pieces of those
//! that are long.

/// Bytes of a block. One ends early where a sentence does.
const LONGEST: usize = 500;
/// Bytes of what goes together with what follows it, like a heading.
const SHORT: usize = 80;
/// Blocks of one text that are looked at.
const MOST_BLOCKS: usize = 1000;
const SENTENCE_ENDS: [char; 8] = ['.', '!', '?', '…', '。', '！', '？', '।'];

pub(super) fn blocks(text: &str) -> Vec<String> {
    let mut blocks: Vec<String> = Vec::new();
    let mut above = String::new();
    for paragraph in text.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty()) {
        if !above.is_empty() {
            above.push('\n');
        }
        above.push_str(paragraph);
        if above.len() > SHORT {
            cut(&std::mem::take(&mut above), &mut blocks);
        }
        if blocks.len() >= MOST_BLOCKS {
            break;
        }
    }
    cut(&above, &mut blocks);
    blocks.truncate(MOST_BLOCKS);
    blocks
}

fn cut(paragraph: &str, blocks: &mut Vec<String>) {
    let mut rest = paragraph.trim();
    while rest.len() > LONGEST {
        let (block, after) = rest.split_at(end_of_block(rest));
        blocks.push(block.trim().to_owned());
        rest = after.trim();
    }
    if !rest.is_empty() {
        blocks.push(rest.to_owned());
    }
}

/// After the last sentence that ends in the second half, else between words, else between letters.
fn end_of_block(text: &str) -> usize {
    let most = text.floor_char_boundary(LONGEST);
    let within = &text[..most];
    let after = |(at, letter): (usize, char)| at + letter.len_utf8();
    let half = |at: &usize| *at > most / 2;
    let mut ends = within.char_indices().filter(|(_, letter)| SENTENCE_ENDS.contains(letter)).map(after);
    let mut spaces = within.char_indices().filter(|(_, letter)| letter.is_whitespace()).map(after);
    ends.rfind(half).or_else(|| spaces.rfind(half)).unwrap_or(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_goes_with_what_follows_and_what_is_long_is_cut_where_it_can_be() {
        let long = "苔藓在潮湿的地方生长。".repeat(40);
        let text = format!("## Where\n\n{}\n\n{long}\n\n{}", "Moss grows here. ".repeat(7), "x".repeat(1200));
        let found = blocks(&text);
        assert!(found[0].starts_with("## Where\nMoss grows here."), "{}", found[0]);
        assert!(found.iter().all(|block| !block.is_empty() && block.len() <= LONGEST), "{found:?}");
        assert!(found[1].ends_with('。') && found[2].starts_with('苔'), "{found:?}");
        let letters = |text: &str| text.chars().filter(|letter| !letter.is_whitespace()).collect::<String>();
        assert_eq!(letters(&found.concat()), letters(&text), "nothing is lost");
        assert_eq!(blocks(" \n\n "), Vec::<String>::new());
    }
}
