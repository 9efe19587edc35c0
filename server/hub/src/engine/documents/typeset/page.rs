//! What is drawn on pages, and what of it belongs together for those who have them read aloud.

use super::lines::Placed;
use crate::engine::job::Paper;
use krilla::color::rgb;
use std::num::NonZeroU16;

/// A paper, in points, with its margins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sheet {
    pub(super) width: f32,
    pub(super) height: f32,
}

impl Sheet {
    pub(super) const A4: Self = Self { width: 595.28, height: 841.89 };
    pub(super) const LETTER: Self = Self { width: 612.0, height: 792.0 };
    pub(super) const SIDE: f32 = 74.0;
    pub(super) const TOP: f32 = 78.0;
    const FOOT: f32 = 80.0;

    pub(super) fn of(paper: Paper) -> Self {
        match paper {
            Paper::A4 => Self::A4,
            Paper::Letter => Self::LETTER,
        }
    }

    /// On its side.
    pub(super) fn turned(self) -> Self {
        Self { width: self.height, height: self.width }
    }

    pub(super) fn bottom(self) -> f32 {
        self.height - Self::FOOT
    }

    pub(super) fn measure(self) -> f32 {
        self.width - 2.0 * Self::SIDE
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ink {
    Text,
    Quiet,
    Link,
    Rule,
    Strong,
    Ground,
    Mark,
    Paper,
}

impl Ink {
    pub(super) fn color(self) -> rgb::Color {
        let [red, green, blue] = match self {
            Self::Text => [0x20, 0x26, 0x23],
            Self::Quiet => [0x5c, 0x66, 0x61],
            Self::Link | Self::Mark => [0x1f, 0x6f, 0x4d],
            Self::Rule => [0xdc, 0xe1, 0xde],
            Self::Strong => [0x8b, 0x96, 0x90],
            Self::Ground => [0xf4, 0xf6, 0xf5],
            Self::Paper => [0xff, 0xff, 0xff],
        };
        rgb::Color::new(red, green, blue)
    }
}

/// The place of a group in the structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GroupId(pub(super) usize);

#[derive(Clone, Debug)]
pub(super) enum Group {
    Whole,
    Heading(NonZeroU16),
    Paragraph,
    Code,
    Quote,
    List { is_numbered: bool },
    Item,
    Label,
    Body,
    Table,
    Row,
    HeadCell,
    Cell,
    Figure(String),
    Note,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) width: f32,
    pub(super) height: f32,
}

/// Something drawn.
#[derive(Debug)]
pub(super) enum Mark {
    /// `place`: where its line begins, and the line on which letters stand.
    Text {
        run: Placed,
        left: f32,
        baseline: f32,
        ink: Ink,
        group: Option<GroupId>,
    },
    Area {
        place: Place,
        radius: f32,
        ink: Ink,
    },
    /// By its number.
    Picture {
        picture: usize,
        place: Place,
        group: GroupId,
    },
}

#[derive(Debug, Default)]
pub(super) struct Page {
    /// What lies below all else.
    pub(super) ground: Vec<Mark>,
    pub(super) marks: Vec<Mark>,
}

/// A heading, as the outline has it.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) level: u8,
    pub(super) text: String,
    pub(super) page: usize,
    pub(super) y: f32,
}

/// The structure: groups, each with those within it.
#[derive(Debug)]
pub(super) struct Structure {
    pub(super) groups: Vec<(Group, Vec<GroupId>)>,
}

impl Structure {
    pub(super) const WHOLE: GroupId = GroupId(0);

    pub(super) fn new() -> Self {
        Self { groups: vec![(Group::Whole, Vec::new())] }
    }

    pub(super) fn begin(&mut self, group: Group, within: GroupId) -> GroupId {
        let id = GroupId(self.groups.len());
        self.groups.push((group, Vec::new()));
        self.groups[within.0].1.push(id);
        id
    }
}
