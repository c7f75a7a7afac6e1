//! Deliberate bugs, switched on by the fault simulation to show that it finds them.
//!
//! Without the feature `storm`, which no program enables, [`is`] is a constant `false` and the bugs are compiled out.

#[cfg(feature = "storm")]
thread_local! {
    static FAULT: std::cell::Cell<Option<&'static str>> = const { std::cell::Cell::new(None) };
}

/// Whether this bug is switched on.
#[cfg(feature = "storm")]
#[must_use]
pub fn is(fault: &'static str) -> bool {
    FAULT.get() == Some(fault)
}

/// Always `false` without the feature `storm`.
#[cfg(not(feature = "storm"))]
#[inline(always)]
#[must_use]
pub const fn is(_fault: &'static str) -> bool {
    false
}

/// Switches one bug on for this thread, or all off.
#[cfg(feature = "storm")]
pub fn put(fault: Option<&'static str>) {
    FAULT.set(fault);
}
