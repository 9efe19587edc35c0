//! How often a page may want something, and how much of it at once.

use protocol::frame::Want;

/// What is counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Notice,
    View,
    Permission,
    Position,
    Watch,
    Speech,
    Voices,
    Listening,
    Media,
    Link,
}

/// So many at first, one more after so many milliseconds, and so many under way at once.
struct Rule {
    burst: f64,
    every_ms: f64,
    at_once: usize,
}

#[derive(Debug, Default)]
pub struct Limits {
    /// What is left of each kind, and when that was counted.
    left: [Option<(f64, f64)>; Kind::COUNT],
}

impl Kind {
    const COUNT: usize = 10;

    pub fn of(want: &Want) -> Self {
        match want {
            Want::NotifyUser { .. } => Self::Notice,
            Want::ViewState { .. } => Self::View,
            Want::Permission { .. } => Self::Permission,
            Want::Position { .. } => Self::Position,
            Want::WatchPosition { .. } => Self::Watch,
            Want::Speak { .. } => Self::Speech,
            Want::Voices => Self::Voices,
            Want::Listen { .. } => Self::Listening,
            Want::Camera { .. } | Want::Microphone | Want::Screen { .. } => Self::Media,
            Want::OpenLink { .. } => Self::Link,
        }
    }

    fn rule(self) -> Rule {
        let (burst, every_ms, at_once) = match self {
            Self::Notice => (3.0, 5_000.0, 3),
            Self::View => (4.0, 15_000.0, 1),
            Self::Permission => (10.0, 2_000.0, 10),
            Self::Position => (10.0, 1_000.0, 10),
            Self::Watch => (5.0, 5_000.0, 4),
            Self::Speech => (10.0, 1_000.0, 10),
            Self::Voices => (10.0, 1_000.0, 10),
            Self::Listening => (5.0, 2_000.0, 1),
            Self::Media => (6.0, 5_000.0, 4),
            Self::Link => (3.0, 1_000.0, 1),
        };
        Rule { burst, every_ms, at_once }
    }
}

impl Limits {
    /// Takes one of this kind, of which `under_way` are not over yet. Why not, in words for the page.
    pub fn take(&mut self, kind: Kind, under_way: usize, now: f64) -> Result<(), &'static str> {
        let Rule { burst, every_ms, at_once } = kind.rule();
        if under_way >= at_once {
            return Err("As many of these as may be are under way already.");
        }
        let (left, at) = self.left[kind as usize].unwrap_or((burst, now));
        let left = (left + (now - at).max(0.0) / every_ms).min(burst);
        if left < 1.0 {
            self.left[kind as usize] = Some((left, now));
            return Err("This page asks for that too often.");
        }
        self.left[kind as usize] = Some((left - 1.0, now));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_asks_too_often_has_to_wait() {
        let mut limits = Limits::default();
        for _ in 0..3 {
            assert_eq!(limits.take(Kind::Notice, 0, 1_000.0), Ok(()));
        }
        assert!(limits.take(Kind::Notice, 0, 1_000.0).is_err());
        assert_eq!(limits.take(Kind::Speech, 0, 1_000.0), Ok(()), "another kind is counted apart");
        assert!(limits.take(Kind::Notice, 0, 5_999.0).is_err());
        assert_eq!(limits.take(Kind::Notice, 0, 6_000.0), Ok(()));
        assert!(limits.take(Kind::Notice, 0, 6_000.0).is_err());
    }

    #[test]
    fn a_rest_gives_back_no_more_than_a_page_begins_with() {
        let mut limits = Limits::default();
        assert_eq!(limits.take(Kind::View, 0, 0.0), Ok(()));
        for _ in 0..4 {
            assert_eq!(limits.take(Kind::View, 0, 1e9), Ok(()));
        }
        assert!(limits.take(Kind::View, 0, 1e9).is_err());
    }

    #[test]
    fn only_so_many_are_under_way_at_once() {
        let mut limits = Limits::default();
        assert_eq!(limits.take(Kind::Listening, 0, 0.0), Ok(()));
        assert!(limits.take(Kind::Listening, 1, 0.0).is_err());
        assert_eq!(limits.take(Kind::Media, 3, 0.0), Ok(()));
        assert!(limits.take(Kind::Media, 4, 0.0).is_err());
    }
}
