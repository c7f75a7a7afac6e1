//! Ctrl-C and SIGTERM during long commands: the first stops the work and prints the results so far, the second ends the program.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Returns a flag that is set by the first signal. A second signal runs `clear` and ends the program.
pub(crate) fn watch(clear: impl Fn() + Send + 'static) -> Arc<AtomicBool> {
    follow(Arc::new(AtomicBool::new(false)), clear)
}

/// From now on, the first signal runs `clear` and ends the program.
pub(crate) fn end_with(clear: impl Fn() + Send + 'static) {
    follow(Arc::new(AtomicBool::new(true)), clear);
}

fn follow(asked: Arc<AtomicBool>, clear: impl Fn() + Send + 'static) -> Arc<AtomicBool> {
    let noted = Arc::clone(&asked);
    let (following, followed) = std::sync::mpsc::channel::<()>();
    std::thread::spawn(move || {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_io().build() else { return };
        runtime.block_on(async {
            let Some(mut signals) = Signals::follow() else { return };
            drop(following);
            loop {
                signals.next().await;
                if noted.swap(true, Ordering::Relaxed) {
                    clear();
                    process::exit(130);
                }
            }
        });
    });
    // Wait until the handler is installed.
    let _ = followed.recv();
    asked
}

/// Ctrl-C, and SIGTERM where there is one.
pub(crate) struct Signals {
    #[cfg(unix)]
    signals: [tokio::signal::unix::Signal; 2],
}

#[cfg(unix)]
impl Signals {
    pub(crate) fn follow() -> Option<Signals> {
        use tokio::signal::unix::{SignalKind, signal};
        Some(Signals {
            signals: [signal(SignalKind::interrupt()).ok()?, signal(SignalKind::terminate()).ok()?],
        })
    }

    pub(crate) async fn next(&mut self) {
        let [interrupt, end] = &mut self.signals;
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = end.recv() => {}
        }
    }
}

#[cfg(not(unix))]
impl Signals {
    pub(crate) fn follow() -> Option<Signals> {
        Some(Signals {})
    }

    pub(crate) async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
