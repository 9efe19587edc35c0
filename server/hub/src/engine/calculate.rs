//! Expressions, reckoned with numbers of any size and with units. What takes too long, or too deep, ends with the
//! process.

use super::job::Expression;
use fend_core::{Context, evaluate};

pub(super) fn calculate(Expression { text }: &Expression) -> Result<String, String> {
    let result = evaluate(text, &mut Context::new())?;
    match result.get_main_result() {
        "" => Err("there is no result".to_owned()),
        result => Ok(result.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_exact_and_have_their_units() {
        for (text, expected) in [
            ("0.1 + 0.2", Ok("0.3")),
            ("19% of 249.90", Ok("47.481")),
            ("2^100", Ok("1267650600228229401496703205376")),
            ("1/3 to fraction", Ok("1/3")),
            ("90 km/h to m/s", Ok("25 m / s")),
            ("5 feet 3 inches to cm", Ok("160.02 cm")),
            ("0xff to decimal", Ok("255")),
            ("sqrt(16)", Ok("4")),
            ("sqrt(2)", Ok("approx. 1.4142135624")),
            ("1/0", Err("division by zero")),
            ("5 kg to m", Err("kg")),
            ("", Err("no result")),
            ("(", Err("")),
        ] {
            let found = calculate(&Expression { text: text.to_owned() });
            match (&found, expected) {
                (Ok(found), Ok(expected)) => assert_eq!(found, expected, "{text}"),
                (Err(why), Err(part)) => assert!(why.contains(part), "{text}: {why}"),
                _ => panic!("{text}: {found:?}, not {expected:?}"),
            }
        }
    }
}
