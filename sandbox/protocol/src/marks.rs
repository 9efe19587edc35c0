//! Marks of what is said to people where nobody knows yet who reads it: in a log, in a failure, in the end of a run.
//! It is written down in English, and looked up in the catalogue of its reader (`language::sentence`) where it is
//! shown. A test finds the texts of the catalogues by these marks. What models read has none.

/// `format!`, for a sentence or a part of one.
#[macro_export]
macro_rules! told {
    ($($all:tt)*) => { ::std::format!($($all)*) };
}

/// The text itself, also in a constant.
#[macro_export]
macro_rules! words {
    ($text:literal $(,)?) => {
        $text
    };
}
