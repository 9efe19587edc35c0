//! An axis of numbers: which part of them it shows, and where its lines are.

/// Digits that stand in groups.
const GROUP: usize = 3;
/// Beyond it numbers are written with their power of ten.
const LONG: f64 = 1e12;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    pub(super) low: f64,
    pub(super) high: f64,
    step: f64,
}

impl Scale {
    /// Around these numbers, in about so many steps of a round number.
    pub(super) fn around(low: f64, high: f64, steps: f64) -> Self {
        let (low, high) = match high > low {
            true => (low, high),
            // One number alone stands in the middle.
            false => (low - (low.abs() / 2.0).max(0.5), high + (high.abs() / 2.0).max(0.5)),
        };
        let step = round_step((high - low) / steps);
        Self { low: (low / step).floor() * step, high: (high / step).ceil() * step, step }
    }

    /// The same, with nothing at its foot.
    pub(super) fn from_zero(low: f64, high: f64, steps: f64) -> Self {
        let (low, high) = (low.min(0.0), high.max(0.0));
        if low == high { Self::around(0.0, 1.0, steps) } else { Self::around(low, high, steps) }
    }

    /// From 0 to 1.
    pub(super) fn part(&self, value: f64) -> f32 {
        ((value - self.low) / (self.high - self.low)) as f32
    }

    /// Where its lines are, and what they are called.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        let count = ((self.high - self.low) / self.step).round() as usize;
        (0..=count.min(20)).map(|at| self.low + at as f64 * self.step).map(|at| (at, self.name(at))).collect()
    }

    fn name(&self, value: f64) -> String {
        if self.high.abs().max(self.low.abs()) >= LONG || self.step < 1e-6 {
            return format!("{value:.1e}");
        }
        let decimals = (-self.step.log10().floor()).max(0.0) as usize;
        // 2.5 and 0.25 have one more.
        let decimals =
            if is_whole(self.step * 10f64.powi(decimals as i32)) { decimals } else { decimals + 1 };
        written(value, decimals)
    }
}

fn is_whole(number: f64) -> bool {
    (number - number.round()).abs() < 1e-6
}

/// 1, 2, 2.5 or 5, times a power of ten.
fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    let round = [1.0, 2.0, 2.5, 5.0].into_iter().find(|round| round * power >= least * 0.999);
    round.unwrap_or(10.0) * power
}

/// A number with so many decimals, its digits in groups of three.
pub(super) fn written(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let mut grouped = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(GROUP) && whole.len() > GROUP + 1 {
            grouped.push('\u{202f}');
        }
        grouped.push(digit);
    }
    let is_nothing = text.chars().all(|char| matches!(char, '0' | '.'));
    let sign = if value < 0.0 && !is_nothing { "−" } else { "" };
    format!("{sign}{grouped}{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_has_round_numbers_around_what_it_shows() {
        for ((low, high), expected) in [
            ((0.0, 9.3), "0 2 4 6 8 10"),
            ((0.0, 1.0), "0.0 0.2 0.4 0.6 0.8 1.0"),
            ((0.0, 1.2), "0.00 0.25 0.50 0.75 1.00 1.25"),
            ((-3.0, 7.0), "−4 −2 0 2 4 6 8"),
            ((0.0, 48_000.0), "0 10\u{202f}000 20\u{202f}000 30\u{202f}000 40\u{202f}000 50\u{202f}000"),
            ((2024.0, 2026.0), "2024.0 2024.5 2025.0 2025.5 2026.0"),
            ((5.0, 5.0), "2 3 4 5 6 7 8"),
            ((0.0, 3e13), "0.0e0 1.0e13 2.0e13 3.0e13"),
        ] {
            let names: Vec<String> =
                Scale::around(low, high, 5.0).ticks().into_iter().map(|(_, name)| name).collect();
            assert_eq!(names.join(" "), expected, "{low} {high}");
        }
        let huge = Scale::around(-1e100, 1e100, 5.0).ticks();
        assert!(huge.len() < 12 && huge.iter().all(|(at, _)| at.is_finite()), "{huge:?}");
        assert_eq!(Scale::from_zero(3.0, 4.0, 5.0).low, 0.0);
    }
}
