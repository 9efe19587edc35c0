//! Raw figures, their median, and how they are printed.

/// The same thing measured several times.
pub struct Figure {
    pub name: String,
    pub unit: &'static str,
    pub raw: Vec<f64>,
}

impl Figure {
    pub fn new(name: impl Into<String>, unit: &'static str) -> Self {
        Self { name: name.into(), unit, raw: Vec::new() }
    }

    pub fn median(&self) -> f64 {
        let mut sorted = self.raw.clone();
        sorted.sort_by(f64::total_cmp);
        match sorted.len() {
            0 => f64::NAN,
            n if n % 2 == 1 => sorted[n / 2],
            n => f64::midpoint(sorted[n / 2 - 1], sorted[n / 2]),
        }
    }

    /// What so many of a hundred do not exceed.
    pub fn at(&self, percent: usize) -> f64 {
        let mut sorted = self.raw.clone();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() * percent / 100).or(sorted.last()).copied().unwrap_or(f64::NAN)
    }

    pub fn largest(&self) -> f64 {
        self.raw.iter().copied().fold(f64::NAN, f64::max)
    }

    /// One row: name, median, unit, and every raw value.
    pub fn print(&self) {
        let raw: Vec<_> = self.raw.iter().map(|value| short(*value)).collect();
        println!("| {} | {} {} | {} |", self.name, short(self.median()), self.unit, raw.join(" "));
    }

    /// The row of this figure, of its bare limit, and how many times the limit it is.
    pub fn print_beside(&self, bare: &Self) {
        self.print();
        bare.print();
        println!("| = ratio | × {:.2} | |", self.median() / bare.median());
    }
}

/// Begins a table.
pub fn title(text: &str) {
    println!("\n### {text}\n\n| what | median | raw |\n|---|---|---|");
}

/// As many digits as mean something.
fn short(value: f64) -> String {
    match value.abs() {
        size if size >= 100.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}
