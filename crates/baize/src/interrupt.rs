//! Ctrl-C during long work: the first one asks it to stop and tell what it knows, the second one ends the program.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Says from now on whether Ctrl-C was pressed.
pub(crate) fn watch() -> Arc<AtomicBool> {
    let pressed = Arc::new(AtomicBool::new(false));
    let noted = Arc::clone(&pressed);
    std::thread::spawn(move || {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_io().build() else { return };
        runtime.block_on(async {
            while tokio::signal::ctrl_c().await.is_ok() {
                if noted.swap(true, Ordering::Relaxed) {
                    process::exit(130);
                }
            }
        });
    });
    pressed
}
