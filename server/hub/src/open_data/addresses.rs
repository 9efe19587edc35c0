//! Where the services are. Both can be run by oneself: they are open source.

use url::Url;

/// Addresses below which the services are asked.
#[derive(Clone, Debug)]
pub struct OpenDataAddresses {
    /// Where places are found by their names, like Open-Meteo's geocoding.
    pub places: Url,
    /// Where the weather is told, like Open-Meteo.
    pub weather: Url,
    /// Where exchange rates are told, like Frankfurter.
    pub rates: Url,
}

impl Default for OpenDataAddresses {
    fn default() -> Self {
        let url = |text: &str| Url::parse(text).expect("an address");
        Self {
            places: url("https://geocoding-api.open-meteo.com"),
            weather: url("https://api.open-meteo.com"),
            rates: url("https://api.frankfurter.dev"),
        }
    }
}
