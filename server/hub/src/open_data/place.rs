//! A place as a service of names knows it, and as a call names it.

use crate::web_search::plain;
use serde_json::Value;

/// Characters of a name.
const NAME: usize = 80;
/// Countries by the short names that people write, which are no codes.
const SHORT: [(&str, &str); 3] = [("usa", "us"), ("uk", "gb"), ("uae", "ae")];

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Place {
    /// Empty for a place that is named by latitude and longitude.
    pub(crate) name: String,
    pub(crate) region: String,
    pub(crate) country: String,
    pub(crate) latitude: f64,
    pub(crate) longitude: f64,
    population: u64,
    /// What it lies in, from the smallest to the country and its code, in small letters.
    within: Vec<String>,
}

impl Place {
    /// Where a text is latitude and longitude: so many degrees north and east, with a comma between them.
    pub(super) fn at(text: &str) -> Option<Self> {
        let (latitude, longitude) = text.split_once(',')?;
        let degrees = |text: &str, most: f64| text.trim().parse().ok().filter(|at: &f64| at.abs() <= most);
        Some(Self {
            name: String::new(),
            region: String::new(),
            country: String::new(),
            latitude: degrees(latitude, 90.0)?,
            longitude: degrees(longitude, 180.0)?,
            population: 0,
            within: Vec::new(),
        })
    }

    pub(super) fn of(found: &Value) -> Option<Self> {
        let text = |name: &str| plain(found.get(name).and_then(Value::as_str).unwrap_or_default(), NAME);
        let degrees = |name: &str, most: f64| found.get(name)?.as_f64().filter(|at| at.abs() <= most);
        let within = ["admin4", "admin3", "admin2", "admin1", "country", "country_code"].map(text);
        Some(Self {
            name: Some(text("name")).filter(|name| !name.is_empty())?,
            region: text("admin1"),
            country: text("country"),
            latitude: degrees("latitude", 90.0)?,
            longitude: degrees("longitude", 180.0)?,
            population: found.get("population").and_then(Value::as_u64).unwrap_or_default(),
            within: within
                .into_iter()
                .filter(|name| !name.is_empty())
                .map(|name| name.to_lowercase())
                .collect(),
        })
    }

    /// Whether it lies in what the call names, be that region, country or code.
    pub(super) fn lies_in(&self, named: &str) -> bool {
        let named = named.trim().to_lowercase();
        let named = SHORT.iter().find(|(short, _)| *short == named).map_or(named.as_str(), |(_, code)| code);
        self.within.iter().any(|name| name == named)
    }

    pub(super) fn is_named(&self, name: &str) -> bool {
        self.name.to_lowercase() == name.trim().to_lowercase()
    }

    /// Whether the weather there is the same.
    pub(super) fn is_beside(&self, other: &Self) -> bool {
        (self.latitude - other.latitude).abs() < 0.5 && (self.longitude - other.longitude).abs() < 0.5
    }

    /// Whether whoever says their name means this one, and says more if they mean the other.
    pub(super) fn outshines(&self, other: &Self) -> bool {
        self.population > 0 && self.population / 10 >= other.population
    }

    pub(super) fn population(&self) -> u64 {
        self.population
    }

    /// With region, country and degrees; of a place without a name the degrees alone.
    pub(crate) fn in_words(&self) -> String {
        let degrees = format!("{:.2}, {:.2}", self.latitude, self.longitude);
        if self.name.is_empty() {
            return degrees;
        }
        let region = Some(&self.region).filter(|region| **region != self.name);
        let names = [Some(&self.name), region, Some(&self.country)];
        let names: Vec<&str> =
            names.into_iter().flatten().map(String::as_str).filter(|name| !name.is_empty()).collect();
        format!("{} ({degrees})", names.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn degrees_are_a_place_and_other_texts_are_names() {
        for (text, expected) in [
            ("52.52, 13.41", Some((52.52, 13.41))),
            ("-33.9,151.2", Some((-33.9, 151.2))),
            ("91, 0", None),
            ("0, 181", None),
            ("NaN, 0", None),
            ("Berlin", None),
            ("Paris, Texas", None),
        ] {
            let found = Place::at(text).map(|place| (place.latitude, place.longitude));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn a_place_lies_in_its_region_and_its_country() {
        let place = Place::of(&json!({
            "name": "Springfield", "latitude": 39.8, "longitude": -89.64, "admin1": "Illinois",
            "admin2": "Sangamon", "country": "United States", "country_code": "US",
        }))
        .expect("a place");
        for (named, expected) in [
            ("Illinois", true),
            (" illinois ", true),
            ("sangamon", true),
            ("United States", true),
            ("us", true),
            ("USA", true),
            ("Missouri", false),
            ("Ill", false),
            ("", false),
        ] {
            assert_eq!(place.lies_in(named), expected, "{named}");
        }
        assert_eq!(place.in_words(), "Springfield, Illinois, United States (39.80, -89.64)");
        assert_eq!(Place::of(&json!({ "name": "Nowhere", "latitude": 100.0, "longitude": 0.0 })), None);
    }
}
