//! Faults that are put into the code on purpose, so that the simulation of faults can show that it finds them.
//!
//! Without the feature `storm`, which no program has, [`is`] is `false` for the compiler, and nothing of a fault is built.

#[cfg(feature = "storm")]
thread_local! {
    static FAULT: std::cell::Cell<Option<&'static str>> = const { std::cell::Cell::new(None) };
}

/// Whether this fault is in the code now.
#[cfg(feature = "storm")]
#[must_use]
pub fn is(fault: &'static str) -> bool {
    FAULT.get() == Some(fault)
}

/// Whether this fault is in the code now: it never is.
#[cfg(not(feature = "storm"))]
#[inline(always)]
#[must_use]
pub const fn is(_fault: &'static str) -> bool {
    false
}

/// Puts a fault into everything that runs on this thread, or takes it out again.
#[cfg(feature = "storm")]
pub fn put(fault: Option<&'static str>) {
    FAULT.set(fault);
}
