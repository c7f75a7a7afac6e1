//! Ctrl-C and SIGTERM during long work: the first one asks it to stop and tell what it knows, the second one ends the program.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Says from now on whether the program was asked to stop. Asked a second time, it runs `clear` and ends.
pub(crate) fn watch(clear: impl Fn() + Send + 'static) -> Arc<AtomicBool> {
    follow(Arc::new(AtomicBool::new(false)), clear)
}

/// Asked to stop, the program runs `clear` and ends at once: there is nothing to tell.
pub(crate) fn end_with(clear: impl Fn() + Send + 'static) {
    follow(Arc::new(AtomicBool::new(true)), clear);
}

fn follow(asked: Arc<AtomicBool>, clear: impl Fn() + Send + 'static) -> Arc<AtomicBool> {
    let noted = Arc::clone(&asked);
    std::thread::spawn(move || {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_io().build() else { return };
        runtime.block_on(async {
            loop {
                stopped().await;
                if noted.swap(true, Ordering::Relaxed) {
                    clear();
                    process::exit(130);
                }
            }
        });
    });
    asked
}

/// Waits for Ctrl-C, or where there is one for SIGTERM.
async fn stopped() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut end) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = end.recv() => {}
            }
            return;
        }
    }
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
