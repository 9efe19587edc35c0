//! What a parcel of settings holds, beside what is here.

/// One thing in a parcel that a person can take or leave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    pub part: Part,
    pub name: String,
    pub about: String,
    pub state: ItemStatus,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    Provider(usize),
    /// The key of the device, for that provider.
    Key(usize),
    Price(usize),
    Limits,
    Rule(usize),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ItemStatus {
    New,
    /// It is here already, as it is.
    Same,
    /// Something else is here; the words say what becomes of it.
    Differs(String),
}

impl ItemStatus {
    /// Whether it is taken unless the person says otherwise: what changes nothing that is here.
    pub fn is_chosen(&self) -> bool {
        matches!(self, Self::New)
    }
}
