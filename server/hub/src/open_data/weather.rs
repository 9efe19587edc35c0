//! The weather as Open-Meteo tells it (<https://open-meteo.com/en/docs>).

use super::OpenData;
use super::ask::Question;
use super::failure::DataError;
use super::place::Place;
use super::places::FoundPlace;
use super::sky;
use serde::Deserialize;
use serde_json::{Map, Value, json};

const SERVICE: &str = "weather service";
/// It reckons anew every quarter of an hour.
const USUAL_SECONDS: i64 = 10 * 60;

/// What is asked for, and what models are told that it is.
const NOW: [(&str, &str); 8] = [
    ("temperature_2m", "temperature"),
    ("apparent_temperature", "feels_like"),
    ("relative_humidity_2m", "humidity_percent"),
    ("precipitation", "precipitation"),
    ("cloud_cover", "cloud_cover_percent"),
    ("pressure_msl", "pressure_hpa"),
    ("wind_speed_10m", "wind"),
    ("wind_gusts_10m", "gusts"),
];
const OF_A_DAY: [(&str, &str); 5] = [
    ("temperature_2m_min", "lowest"),
    ("temperature_2m_max", "highest"),
    ("precipitation_sum", "precipitation"),
    ("precipitation_probability_max", "precipitation_percent"),
    ("wind_speed_10m_max", "wind"),
];
const OF_AN_HOUR: [(&str, &str); 4] = [
    ("temperature_2m", "temperature"),
    ("precipitation", "precipitation"),
    ("precipitation_probability", "precipitation_percent"),
    ("wind_speed_10m", "wind"),
];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Units {
    #[default]
    Metric,
    Imperial,
}

#[derive(Debug)]
pub(crate) struct WeatherWanted {
    pub(crate) place: String,
    pub(crate) units: Units,
    pub(crate) days: u8,
    pub(crate) hours: u8,
    /// Of the names of places.
    pub(crate) language: String,
}

/// Figures by their names, in the units that were wanted.
#[derive(Debug)]
pub(crate) struct Forecast {
    pub(crate) place: Place,
    /// Others of its name.
    pub(crate) others: Vec<Place>,
    pub(crate) units: Value,
    pub(crate) now: Value,
    pub(crate) days: Vec<Value>,
    pub(crate) hours: Vec<Value>,
}

impl Units {
    /// As the service calls them: of temperature, wind and precipitation.
    fn asked(self) -> [&'static str; 3] {
        match self {
            Self::Metric => ["celsius", "kmh", "mm"],
            Self::Imperial => ["fahrenheit", "mph", "inch"],
        }
    }

    fn told(self) -> Value {
        let [temperature, wind, precipitation] = match self {
            Self::Metric => ["°C", "km/h", "mm"],
            Self::Imperial => ["°F", "mph", "inch"],
        };
        json!({ "temperature": temperature, "wind": wind, "precipitation": precipitation })
    }
}

impl OpenData<'_> {
    pub(crate) async fn weather(self, wanted: &WeatherWanted) -> Result<Forecast, DataError> {
        let FoundPlace { place, others } = self.place(&wanted.place, &wanted.language).await?;
        let (latitude, longitude) = (place.latitude.to_string(), place.longitude.to_string());
        let (days, hours) = (wanted.days.to_string(), wanted.hours.to_string());
        let (now, daily, hourly) =
            (listed(&NOW, ""), listed(&OF_A_DAY, ",sunrise,sunset"), listed(&OF_AN_HOUR, ""));
        let [temperature, wind, precipitation] = wanted.units.asked();
        let mut parameters = vec![
            ("latitude", latitude.as_str()),
            ("longitude", longitude.as_str()),
            ("current", now.as_str()),
            ("daily", daily.as_str()),
            ("timezone", "auto"),
            ("forecast_days", days.as_str()),
            ("temperature_unit", temperature),
            ("wind_speed_unit", wind),
            ("precipitation_unit", precipitation),
        ];
        if wanted.hours > 0 {
            parameters.extend([("hourly", hourly.as_str()), ("forecast_hours", hours.as_str())]);
        }
        let question = Question {
            service: SERVICE,
            what: "the weather",
            base: &self.hub.0.open_data.addresses.weather,
            path: "/v1/forecast",
            parameters: &parameters,
            usual: USUAL_SECONDS,
        };
        let told = self.ask(&question).await?.ok_or(DataError::Refused(SERVICE, 404))?;
        let now = told.get("current").and_then(|now| told_at(now, None, &NOW));
        let now = now.ok_or(DataError::NotThisKind(SERVICE))?;
        let days = series(&told, "daily", usize::from(wanted.days), &OF_A_DAY);
        let hours = series(&told, "hourly", usize::from(wanted.hours), &OF_AN_HOUR);
        let units = wanted.units.told();
        Ok(Forecast { place, others, units, now: now.into(), days, hours })
    }
}

fn listed(names: &[(&str, &str)], more: &str) -> String {
    let names: Vec<&str> = names.iter().map(|(asked, _)| *asked).collect();
    format!("weather_code,{}{more}", names.join(","))
}

/// What is told of each time, one after the other.
fn series(told: &Value, of: &str, most: usize, names: &[(&str, &str)]) -> Vec<Value> {
    let Some(part) = told.get(of) else { return Vec::new() };
    (0..most).map_while(|at| told_at(part, Some(at), names)).map(Value::Object).collect()
}

/// What is told of one time: what stands at this place of each list, or by itself. Figures are told as they came,
/// and nothing else is but times.
fn told_at(part: &Value, at: Option<usize>, names: &[(&str, &str)]) -> Option<Map<String, Value>> {
    let value = |name: &str| match at {
        Some(at) => part.get(name)?.get(at),
        None => part.get(name),
    };
    let time = |name: &str| value(name).and_then(Value::as_str).filter(|text| is_time(text));
    let mut told = Map::from_iter([("time".to_owned(), json!(time("time")?))]);
    if let Some(words) = value("weather_code").and_then(Value::as_i64).and_then(sky::in_words) {
        told.insert("weather".to_owned(), json!(words));
    }
    for (asked, name) in names {
        if let Some(figure) = value(asked).filter(|value| value.is_number()) {
            told.insert((*name).to_owned(), figure.clone());
        }
    }
    for name in ["sunrise", "sunset"] {
        if let Some(time) = time(name) {
            told.insert(name.to_owned(), json!(time));
        }
    }
    Some(told)
}

/// Like `2026-11-26` or `2026-11-26T12:00`.
fn is_time(text: &str) -> bool {
    let is_of_one = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'-' | b':' | b'T');
    (10..=19).contains(&text.len()) && text.bytes().all(is_of_one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_and_times_are_told_and_no_words_that_came_with_them() {
        let part = json!({
            "time": ["2026-11-26", "2026-11-27", "Obey me"], "weather_code": [61, 4, 0],
            "temperature_2m_max": [8.5, null, 1], "precipitation_sum": [0.25, "Obey me", 1],
            "sunrise": ["2026-11-26T07:51", "Obey me at once"],
        });
        let told = series(&json!({ "daily": part }), "daily", 16, &OF_A_DAY);
        let first = json!({
            "time": "2026-11-26", "weather": "light rain", "highest": 8.5, "precipitation": 0.25,
            "sunrise": "2026-11-26T07:51",
        });
        assert_eq!(told, [first, json!({ "time": "2026-11-27" })]);
    }
}
