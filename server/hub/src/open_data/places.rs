//! Which place a call means, by what Open-Meteo's geocoding says of its name
//! (<https://open-meteo.com/en/docs/geocoding-api>).

use super::OpenData;
use super::ask::Question;
use super::failure::DataError;
use super::place::Place;
use serde_json::Value;
use std::cmp::Reverse;

const SERVICE: &str = "service that finds places";
/// Places do not move.
const USUAL_SECONDS: i64 = 24 * 60 * 60;
/// Places that are asked for, and told of at most.
const ASKED: &str = "20";
const TOLD: usize = 6;

/// The one that is meant, and others of its name.
#[derive(Debug, PartialEq)]
pub(super) struct FoundPlace {
    pub(super) place: Place,
    pub(super) others: Vec<Place>,
}

impl OpenData<'_> {
    pub(super) async fn place(self, text: &str, language: &str) -> Result<FoundPlace, DataError> {
        if let Some(place) = Place::at(text) {
            return Ok(FoundPlace { place, others: Vec::new() });
        }
        let name = text.split(',').next().unwrap_or_default().trim();
        let parameters = [("name", name), ("count", ASKED), ("language", language), ("format", "json")];
        let question = Question {
            service: SERVICE,
            what: "the weather",
            base: &self.hub.0.open_data.addresses.places,
            path: "/v1/search",
            parameters: &parameters,
            usual: USUAL_SECONDS,
        };
        let answer = self.ask(&question).await?.unwrap_or_default();
        // An answer without places has no list.
        let found = answer.get("results").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        chosen(text, found.iter().filter_map(Place::of).collect())
    }
}

/// The one place of these that the text means.
fn chosen(text: &str, found: Vec<Place>) -> Result<FoundPlace, DataError> {
    let mut parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    let name = parts.next().unwrap_or_default();
    let within: Vec<&str> = parts.collect();
    if found.is_empty() {
        return Err(DataError::Asked(format!(
            "No place named {name:?} is known. Check the spelling, name the nearest town, or give latitude and \
             longitude like `52.52, 13.41`."
        )));
    }
    let is_there = |place: &&Place| within.iter().all(|named| place.lies_in(named));
    let meant: Vec<Place> = distinct(found.iter().filter(is_there).cloned().collect(), name);
    let [first, others @ ..] = meant.as_slice() else {
        let there = told(&distinct(found, name));
        let within = within.join(", ");
        return Err(DataError::Asked(format!(
            "No {name} is known in {within}. There is {there}. Write region or country as they stand there, or give \
             latitude and longitude."
        )));
    };
    if others.first().is_some_and(|second| !first.outshines(second)) {
        return Err(DataError::Asked(format!(
            "There are several places named {name}: {}. Say which: put its region or country after a comma, or give \
             latitude and longitude.",
            told(&meant)
        )));
    }
    Ok(FoundPlace { place: first.clone(), others: others.iter().take(TOLD).cloned().collect() })
}

/// The largest first, those of exactly this name if there are any, and no two beside each other.
fn distinct(mut found: Vec<Place>, name: &str) -> Vec<Place> {
    if found.iter().any(|place| place.is_named(name)) {
        found.retain(|place| place.is_named(name));
    }
    found.sort_by_key(|place| Reverse(place.population()));
    let mut distinct: Vec<Place> = Vec::new();
    for place in found {
        if !distinct.iter().any(|other| other.is_beside(&place)) {
            distinct.push(place);
        }
    }
    distinct
}

fn told(places: &[Place]) -> String {
    let words: Vec<String> = places.iter().take(TOLD).map(Place::in_words).collect();
    words.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn place(name: &str, region: &str, code: &str, at: (f64, f64), population: u64) -> Place {
        Place::of(&json!({
            "name": name, "admin1": region, "country_code": code, "latitude": at.0, "longitude": at.1,
            "population": population,
        }))
        .expect("a place")
    }

    #[test]
    fn the_place_is_chosen_that_everybody_means_and_otherwise_all_are_named() {
        let paris = vec![
            place("Paris", "Texas", "US", (33.66, -95.56), 24_782),
            place("Paris", "Île-de-France", "FR", (48.85, 2.35), 2_138_551),
            place("Paris 01", "Île-de-France", "FR", (48.86, 2.34), 16_888),
        ];
        let springfield = vec![
            place("Springfield", "Missouri", "US", (37.22, -93.29), 166_810),
            place("Springfield", "Illinois", "US", (39.8, -89.64), 116_565),
            place("East Springfield", "Ohio", "US", (40.45, -80.86), 500),
        ];
        for (text, found, expected) in [
            ("Paris", &paris, Ok("Île-de-France")),
            ("paris, texas", &paris, Ok("Texas")),
            ("Paris, FR", &paris, Ok("Île-de-France")),
            ("Springfield, Illinois, USA", &springfield, Ok("Illinois")),
            (
                "Springfield",
                &springfield,
                Err(
                    "There are several places named Springfield: Springfield, Missouri (37.22, -93.29); Springfield, Illinois (39.80, -89.64). Say which",
                ),
            ),
            (
                "Springfield, IL",
                &springfield,
                Err(
                    "No Springfield is known in IL. There is Springfield, Missouri (37.22, -93.29); Springfield, Illinois (39.80, -89.64). Write",
                ),
            ),
            ("Atlantis", &Vec::new(), Err("No place named \"Atlantis\" is known. Check the spelling")),
        ] {
            let found = chosen(text, found.clone());
            match (found, expected) {
                (Ok(found), Ok(region)) => assert_eq!(found.place.region, region, "{text}"),
                (Err(why), Err(expected)) => assert!(why.to_string().starts_with(expected), "{text}: {why}"),
                (found, _) => panic!("{text}: {found:?}"),
            }
        }
    }
}
