//! Reference rates of the European Central Bank, as Frankfurter tells them (<https://frankfurter.dev>).

use super::OpenData;
use super::ask::Question;
use super::failure::DataError;
use crate::clock::in_utc;
use jiff::civil::{Date, date};
use serde_json::{Number, Value};
use std::collections::BTreeMap;

const SERVICE: &str = "service of exchange rates";
/// The bank sets them once a day.
const USUAL_SECONDS: i64 = 60 * 60;
const CURRENCIES_SECONDS: i64 = 24 * 60 * 60;
/// When the bank began.
const FIRST: Date = date(1999, 1, 4);

#[derive(Debug)]
pub(crate) struct RatesWanted {
    /// A currency by its code.
    pub(crate) base: String,
    /// Empty: all there are.
    pub(crate) to: Vec<String>,
    /// Absent: the last day there is.
    pub(crate) date: Option<String>,
}

#[derive(Debug, PartialEq)]
pub(crate) struct Rates {
    pub(crate) base: String,
    /// The day on which they were set, which is that asked for or the last one before it.
    pub(crate) date: String,
    /// How much of it one of the base is worth, by the code of the currency.
    pub(crate) rates: BTreeMap<String, Number>,
}

impl OpenData<'_> {
    pub(crate) async fn rates(self, wanted: &RatesWanted) -> Result<Rates, DataError> {
        let day = day(wanted.date.as_deref(), in_utc(self.hub.now()).date())?;
        let known = self.currencies().await?;
        let base = currency(&wanted.base, &known)?;
        let mut to = Vec::new();
        for code in &wanted.to {
            let code = currency(code, &known)?;
            if code == base {
                return Err(DataError::Asked(format!(
                    "{base} in {base} is the same. Name other currencies in to."
                )));
            }
            to.push(code);
        }
        let symbols = to.join(",");
        let mut parameters = vec![("base", base.as_str())];
        if !to.is_empty() {
            parameters.push(("symbols", symbols.as_str()));
        }
        let told = self.ask(&self.question(&format!("/v1/{day}"), &parameters, USUAL_SECONDS)).await?;
        let told = told.ok_or_else(|| {
            DataError::Asked(format!(
                "There are no rates of {base} for that day. Some currencies came later or are gone: try another day."
            ))
        })?;
        read(base, &told, &to).ok_or(DataError::NotThisKind(SERVICE))
    }

    /// Those that there are rates for, by their codes.
    async fn currencies(self) -> Result<Vec<String>, DataError> {
        let told = self.ask(&self.question("/v1/currencies", &[], CURRENCIES_SECONDS)).await?;
        let known =
            told.as_ref().and_then(Value::as_object).map(|all| all.keys().filter(|code| is_code(code)));
        known.map(|codes| codes.cloned().collect()).ok_or(DataError::NotThisKind(SERVICE))
    }

    fn question<'q>(
        &'q self,
        path: &'q str,
        parameters: &'q [(&'q str, &'q str)],
        usual: i64,
    ) -> Question<'q> {
        let base = &self.hub.0.open_data.addresses.rates;
        Question { service: SERVICE, what: "the rates", base, path, parameters, usual }
    }
}

/// As the service names it.
fn day(asked: Option<&str>, today: Date) -> Result<String, DataError> {
    let Some(asked) = asked else { return Ok("latest".to_owned()) };
    let why = match asked.parse::<Date>() {
        Err(_) => format!("{asked} is no day of the calendar. Write it like 2026-11-24."),
        Ok(day) if day < FIRST => format!("There are rates since {FIRST}. Name a later day."),
        Ok(day) if day > today => format!("{asked} has not come yet: today is {today}. Leave the date out."),
        Ok(day) => return Ok(day.to_string()),
    };
    Err(DataError::Asked(why))
}

fn currency(asked: &str, known: &[String]) -> Result<String, DataError> {
    let code = asked.to_ascii_uppercase();
    if known.contains(&code) {
        return Ok(code);
    }
    Err(DataError::Asked(format!("There is no rate for {code}. There are: {}.", known.join(", "))))
}

fn is_code(text: &str) -> bool {
    text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase())
}

fn read(base: String, told: &Value, to: &[String]) -> Option<Rates> {
    let date = told.get("date")?.as_str()?.parse::<Date>().ok()?.to_string();
    let mut rates = BTreeMap::new();
    for (code, rate) in told.get("rates")?.as_object()?.iter().filter(|(code, _)| is_code(code)) {
        let Value::Number(rate) = rate else { return None };
        if to.is_empty() || to.contains(code) {
            rates.insert(code.clone(), rate.clone());
        }
    }
    (!rates.is_empty()).then_some(Rates { base, date, rates })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_one_of_those_for_which_there_are_rates() {
        let today = date(2026, 11, 26);
        for (asked, expected) in [
            (None, Ok("latest")),
            (Some("2026-11-26"), Ok("2026-11-26")),
            (Some("1999-01-04"), Ok("1999-01-04")),
            (Some("1999-01-03"), Err("There are rates since 1999-01-04. Name a later day.")),
            (
                Some("2026-11-27"),
                Err("2026-11-27 has not come yet: today is 2026-11-26. Leave the date out."),
            ),
            (Some("2026-02-30"), Err("2026-02-30 is no day of the calendar. Write it like 2026-11-24.")),
        ] {
            let found = day(asked, today).map_err(|why| why.to_string());
            assert_eq!(found.as_deref().map_err(String::as_str), expected, "{asked:?}");
        }
    }
}
