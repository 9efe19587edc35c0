//! Words beside a control: plain, with something in them, or none.

use crate::prelude::*;

#[derive(Default)]
pub struct Text(Option<AnyView>);

impl Text {
    pub fn is_none(&self) -> bool {
        self.0.is_none()
    }

    pub fn into_view(self) -> Option<AnyView> {
        self.0
    }
}

impl From<&'static str> for Text {
    fn from(words: &'static str) -> Self {
        Self(Some(words.into_any()))
    }
}

impl From<String> for Text {
    fn from(words: String) -> Self {
        Self(Some(words.into_any()))
    }
}

impl From<Option<&'static str>> for Text {
    fn from(words: Option<&'static str>) -> Self {
        Self(words.map(IntoAny::into_any))
    }
}

impl From<AnyView> for Text {
    fn from(view: AnyView) -> Self {
        Self(Some(view))
    }
}
