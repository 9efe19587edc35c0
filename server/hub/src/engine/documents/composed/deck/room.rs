//! Where things stand on a slide, in EMU.

use crate::engine::structure::Ratio;

#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    pub(super) wide: u64,
    pub(super) high: u64,
}

/// Left, top, width and height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Room {
    pub(super) x: u64,
    pub(super) y: u64,
    pub(super) wide: u64,
    pub(super) high: u64,
}

const HIGH: u64 = 6_858_000;
/// Between what stands side by side.
const GAP: u64 = 304_800;

impl Size {
    pub(super) const fn of(ratio: Ratio) -> Self {
        match ratio {
            Ratio::Wide => Self { wide: 12_192_000, high: HIGH },
            Ratio::Narrow => Self { wide: 9_144_000, high: HIGH },
        }
    }

    /// Left free at each side.
    const fn margin(self) -> u64 {
        self.wide * 11 / 160
    }

    const fn across(self, y: u64, high: u64) -> Room {
        Room { x: self.margin(), y, wide: self.wide - 2 * self.margin(), high }
    }

    pub(super) const fn title(self) -> Room {
        self.across(365_125, 1_200_000)
    }

    pub(super) const fn body(self) -> Room {
        self.across(1_700_000, 4_600_000)
    }

    /// The title of the whole deck, or of a part of it, and what stands below that.
    pub(super) const fn opening(self) -> (Room, Room) {
        (self.across(1_300_000, 2_200_000), self.across(3_600_000, 1_500_000))
    }

    pub(super) const fn whole(self) -> Room {
        self.across(500_000, HIGH - 1_000_000)
    }
}

impl Room {
    /// For so many: side by side where it is wide, otherwise one below the other.
    pub(super) fn shared(self, count: usize) -> Vec<Self> {
        if self.wide * 2 >= self.high * 3 {
            return self.split(count);
        }
        let turned = Self { x: self.y, y: self.x, wide: self.high, high: self.wide };
        turned
            .split(count)
            .iter()
            .map(|one| Self { x: one.y, y: one.x, wide: one.high, high: one.wide })
            .collect()
    }

    /// So many of one width, side by side.
    pub(super) fn split(self, count: usize) -> Vec<Self> {
        let count = u64::try_from(count).unwrap_or(1).max(1);
        let wide = (self.wide - GAP * (count - 1)) / count;
        (0..count).map(|at| Self { x: self.x + at * (wide + GAP), wide, ..self }).collect()
    }

    /// Three fifths of it and two.
    pub(super) fn uneven(self) -> (Self, Self) {
        let wide = (self.wide - GAP) * 3 / 5;
        let rest = Self { x: self.x + wide + GAP, wide: self.wide - GAP - wide, ..self };
        (Self { wide, ..self }, rest)
    }

    /// A picture of so many pixels as large as there is room, in its middle.
    pub(super) fn around(self, width: u32, height: u32) -> Self {
        let (width, height) = (u64::from(width.max(1)), u64::from(height.max(1)));
        let (wide, high) = match self.wide * height <= self.high * width {
            true => (self.wide, (self.wide * height / width).max(1)),
            false => ((self.high * width / height).max(1), self.high),
        };
        Self { x: self.x + (self.wide - wide) / 2, y: self.y + (self.high - high) / 2, wide, high }
    }

    pub(super) fn xml(self, names: char) -> String {
        let Self { x, y, wide, high } = self;
        format!(
            "<{names}:xfrm><a:off x=\"{x}\" y=\"{y}\"/><a:ext cx=\"{wide}\" cy=\"{high}\"/></{names}:xfrm>"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_side_by_side_stays_within_its_room_and_pictures_keep_their_shape() {
        let body = Size::of(Ratio::Wide).body();
        for count in 1..=4 {
            let rooms = body.split(count);
            assert!(rooms.windows(2).all(|pair| pair[0].x + pair[0].wide < pair[1].x), "{rooms:?}");
            let last = rooms[count - 1];
            assert!(last.x + last.wide <= body.x + body.wide, "{rooms:?}");
        }
        let column = body.split(2)[0];
        let shared = column.shared(2);
        assert!(shared[0].y + shared[0].high < shared[1].y && shared[1].x == column.x, "{shared:?}");
        assert_eq!(body.shared(2), body.split(2));
        let room = Room { x: 10, y: 20, wide: 400, high: 400 };
        assert_eq!(room.around(200, 100), Room { x: 10, y: 120, wide: 400, high: 200 });
        assert_eq!(room.around(100, 200), Room { x: 110, y: 20, wide: 200, high: 400 });
    }
}
