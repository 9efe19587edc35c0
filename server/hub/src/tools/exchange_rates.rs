//! `exchange_rates`: what currencies are worth, and what an amount comes to, reckoned like by `calc`.

use super::ToolError;
use super::calc::reckon;
use super::web_search::NOTE;
use crate::gateway::Caller;
use crate::open_data::RatesWanted;
use agent::tools::ResolvedCall;
use serde_json::{Map, Value, json};

pub(super) async fn tell(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let input = call.input();
    let text = |name: &str| input.get(name).and_then(Value::as_str).map(str::to_owned);
    let to: Option<Vec<String>> = input.get("to").map(|to| serde_json::from_value(to.clone())).transpose()?;
    let wanted = RatesWanted {
        base: text("base").unwrap_or_default(),
        to: to.unwrap_or_default(),
        date: text("date"),
    };
    let amount = text("amount");
    if amount.is_some() && wanted.to.is_empty() {
        return Err(ToolError("Say in to which currencies the amount is turned into.".to_owned()));
    }
    let rates = caller.hub.open_data(caller.owner, caller.root).rates(&wanted).await;
    let rates = rates.map_err(|why| ToolError(why.to_string()))?;
    let mut told = json!({
        "note": NOTE,
        "source": "European Central Bank, by Frankfurter",
        "base": rates.base,
        "date": rates.date,
        "rates": rates.rates,
    });
    let asked = wanted.to.iter().map(|code| code.to_ascii_uppercase());
    let missing: Vec<String> = asked.filter(|code| !rates.rates.contains_key(code)).collect();
    if !missing.is_empty() {
        told["missing"] = json!(format!("There is no rate of {} for that day.", missing.join(", ")));
    }
    if let Some(asked) = wanted.date.filter(|asked| *asked != rates.date) {
        told["asked"] = json!(format!("There is no rate of {asked}: this is the last one before it."));
    }
    if let Some(amount) = amount {
        let mut amounts = Map::new();
        for (code, rate) in &rates.rates {
            amounts.insert(code.clone(), reckon(caller, format!("{amount} * {rate}")).await?.into());
        }
        told["amount"] = json!(amount);
        told["amounts"] = Value::Object(amounts);
    }
    Ok(told.to_string())
}
