//! Which selectors there are.

use cssparser::{CowRcStr, ParseError, SourceLocation, ToCss, serialize_identifier};
use precomputed_hash::PrecomputedHash;
use selectors::SelectorImpl;
use selectors::parser::{self, SelectorParseErrorKind};
use std::borrow::Borrow;
use std::fmt;

/// The parser of selectors, and the types of which they are made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Language;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Name(String);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PseudoClass {
    Link,
    Checked,
    Disabled,
    Enabled,
    Required,
    Optional,
    /// What a person does with a page that is open.
    Never,
}

/// There is none: elements are selected, not what is painted beside them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PseudoElement {}

impl SelectorImpl for Language {
    type ExtraMatchingData<'a> = ();
    type AttrValue = Name;
    type Identifier = Name;
    type LocalName = Name;
    type NamespaceUrl = Name;
    type NamespacePrefix = Name;
    type BorrowedNamespaceUrl = str;
    type BorrowedLocalName = str;
    type NonTSPseudoClass = PseudoClass;
    type PseudoElement = PseudoElement;
}

impl<'i> parser::Parser<'i> for Language {
    type Impl = Self;
    type Error = SelectorParseErrorKind<'i>;

    fn parse_is_and_where(&self) -> bool {
        true
    }

    fn parse_has(&self) -> bool {
        true
    }

    fn parse_nth_child_of(&self) -> bool {
        true
    }

    fn parse_non_ts_pseudo_class(
        &self,
        location: SourceLocation,
        name: CowRcStr<'i>,
    ) -> Result<PseudoClass, ParseError<'i, Self::Error>> {
        Ok(match name.to_ascii_lowercase().as_str() {
            "link" | "any-link" => PseudoClass::Link,
            "checked" => PseudoClass::Checked,
            "disabled" => PseudoClass::Disabled,
            "enabled" => PseudoClass::Enabled,
            "required" => PseudoClass::Required,
            "optional" => PseudoClass::Optional,
            "active" | "focus" | "focus-visible" | "focus-within" | "hover" | "target" | "visited" => {
                PseudoClass::Never
            }
            _ => {
                let unknown = SelectorParseErrorKind::UnsupportedPseudoClassOrElement(name);
                return Err(location.new_custom_error(unknown));
            }
        })
    }
}

impl parser::NonTSPseudoClass for PseudoClass {
    type Impl = Language;

    fn is_active_or_hover(&self) -> bool {
        false
    }

    fn is_user_action_state(&self) -> bool {
        false
    }
}

impl parser::PseudoElement for PseudoElement {
    type Impl = Language;
}

impl ToCss for PseudoClass {
    fn to_css<W: fmt::Write>(&self, to: &mut W) -> fmt::Result {
        write!(to, ":{self:?}")
    }
}

impl ToCss for PseudoElement {
    fn to_css<W: fmt::Write>(&self, _to: &mut W) -> fmt::Result {
        match *self {}
    }
}

impl ToCss for Name {
    fn to_css<W: fmt::Write>(&self, to: &mut W) -> fmt::Result {
        serialize_identifier(&self.0, to)
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for Name {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl PrecomputedHash for Name {
    /// Only filters that nobody asks for here would look at it.
    fn precomputed_hash(&self) -> u32 {
        self.0.bytes().fold(0, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into()))
    }
}
