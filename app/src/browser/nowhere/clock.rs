pub fn now() -> f64 {
    0.0
}

pub fn format_time(_at: i64) -> String {
    String::new()
}

pub fn format_date(_at: i64) -> String {
    String::new()
}

pub fn format_date_in_zone(_at: i64) -> String {
    String::new()
}

pub fn zone() -> Option<String> {
    None
}
