//! The house as its users see it.

mod playing;
mod server;
mod support;
