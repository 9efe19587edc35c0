//! How much text is looked at, for the test that says that each piece is looked at a few times and
//! not once for each piece after it.

#[cfg(test)]
thread_local! {
    static LOOKED_AT: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

#[cfg(test)]
pub(super) fn spend(bytes: usize) {
    LOOKED_AT.with(|looked_at| looked_at.set(looked_at.get() + bytes));
}

#[cfg(not(test))]
pub(super) fn spend(_bytes: usize) {}

/// The bytes since the last time.
#[cfg(test)]
pub(super) fn spent() -> usize {
    LOOKED_AT.with(std::cell::Cell::take)
}
