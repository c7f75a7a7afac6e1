//! The approved games as validated data: every value with its paragraph.
