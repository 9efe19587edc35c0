//! Whether a page still answers. It is asked now and then; silence means that a script keeps it busy.

/// Between two looks.
pub const BEAT_MS: u64 = 2000;
/// How long a page may be silent.
const PATIENCE_MS: f64 = 5000.0;
/// How much longer when the person waits for it.
const MORE_MS: f64 = 10_000.0;

#[derive(Debug, Default)]
pub struct Pulse {
    /// Since when an answer is due, and how long that may take.
    due: Option<(f64, f64)>,
    last: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beat {
    /// Ask whether it is there.
    Ask,
    Wait,
    /// It has not answered in time.
    Silent,
}

impl Pulse {
    /// At each look. When the looks themselves came late, the browser was held up and not the page.
    pub fn look(&mut self, now: f64) -> Beat {
        let was_held_up = now - self.last > 2.0 * BEAT_MS as f64;
        self.last = now;
        match &mut self.due {
            None => {
                self.due = Some((now, PATIENCE_MS));
                Beat::Ask
            }
            Some((since, _)) if was_held_up => {
                *since = now;
                Beat::Wait
            }
            Some((since, patience)) if now - *since >= *patience => Beat::Silent,
            Some(_) => Beat::Wait,
        }
    }

    /// Whether it was asked a while ago and has not answered.
    pub fn is_late(&self, now: f64) -> bool {
        self.due.is_some_and(|(since, _)| now - since >= BEAT_MS as f64)
    }

    /// It answered.
    pub fn on_answer(&mut self) {
        self.due = None;
    }

    /// The person gives it more time.
    pub fn wait(&mut self, now: f64) {
        self.due = Some((now, MORE_MS));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looks(pulse: &mut Pulse, seconds: &[u32]) -> Vec<Beat> {
        seconds.iter().map(|second| pulse.look(f64::from(*second) * 1000.0)).collect()
    }

    #[test]
    fn a_page_that_answers_is_asked_again_and_again() {
        let mut pulse = Pulse::default();
        for second in [100, 102, 104, 106, 108] {
            assert_eq!(looks(&mut pulse, &[second]), [Beat::Ask]);
            pulse.on_answer();
        }
    }

    #[test]
    fn five_seconds_of_silence_are_too_long() {
        let mut pulse = Pulse::default();
        let beats = looks(&mut pulse, &[100, 102, 104, 106, 108]);
        assert_eq!(beats, [Beat::Ask, Beat::Wait, Beat::Wait, Beat::Silent, Beat::Silent]);
        pulse.on_answer();
        assert_eq!(looks(&mut pulse, &[110]), [Beat::Ask], "it is there again");
    }

    #[test]
    fn a_person_may_wait_longer() {
        let mut pulse = Pulse::default();
        looks(&mut pulse, &[100, 102, 104, 106]);
        pulse.wait(106_000.0);
        assert_eq!(looks(&mut pulse, &[108, 110, 112, 114]), [Beat::Wait; 4]);
        assert_eq!(looks(&mut pulse, &[116]), [Beat::Silent]);
    }

    #[test]
    fn a_browser_that_slept_blames_no_page() {
        let mut pulse = Pulse::default();
        looks(&mut pulse, &[100, 102]);
        assert_eq!(
            looks(&mut pulse, &[400, 402, 404, 406]),
            [Beat::Wait, Beat::Wait, Beat::Wait, Beat::Silent]
        );
    }
}
