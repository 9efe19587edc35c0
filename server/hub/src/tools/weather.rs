//! `weather`: at a place, now and in the days to come.

use super::ToolError;
use super::web_search::NOTE;
use crate::gateway::Caller;
use crate::open_data::{Forecast, Place, WeatherWanted};
use agent::tools::{MOST_DAYS, MOST_HOURS, ResolvedCall, USUAL_DAYS};
use serde_json::{Value, json};

const LANGUAGE: &str = "en";

pub(super) async fn tell(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let wanted = asked(call)?;
    let told = caller.hub.open_data(caller.owner, caller.root).weather(&wanted).await;
    told.map(|forecast| told_of(&forecast).to_string()).map_err(|why| ToolError(why.to_string()))
}

fn asked(call: &ResolvedCall) -> Result<WeatherWanted, ToolError> {
    let input = call.input();
    let text = |name: &str| input.get(name).and_then(Value::as_str).map(str::trim);
    let count =
        |name: &str| input.get(name).and_then(Value::as_u64).and_then(|count| u8::try_from(count).ok());
    let place = text("place").unwrap_or_default();
    if place.is_empty() {
        return Err(ToolError("Name a place.".to_owned()));
    }
    let units = input.get("units").map(|units| serde_json::from_value(units.clone())).transpose()?;
    Ok(WeatherWanted {
        place: place.to_owned(),
        units: units.unwrap_or_default(),
        days: count("days").unwrap_or(USUAL_DAYS).clamp(1, MOST_DAYS),
        hours: count("hours").unwrap_or_default().min(MOST_HOURS),
        language: text("language").unwrap_or(LANGUAGE).to_lowercase(),
    })
}

fn told_of(forecast: &Forecast) -> Value {
    let Forecast { place, others, units, now, days, hours } = forecast;
    let mut told = json!({
        "note": NOTE,
        "source": "Open-Meteo",
        "place": place.in_words(),
        "units": units,
        "now": now,
        "days": days,
    });
    if !hours.is_empty() {
        told["hours"] = json!(hours);
    }
    if !others.is_empty() {
        told["others_of_that_name"] = others.iter().map(Place::in_words).collect();
    }
    told
}
