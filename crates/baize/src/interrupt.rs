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
    // Until then a signal would end the program without `clear`.
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
