//! Parallel loops over the machine's cores. Results do not depend on the number of cores.

use std::sync::{Mutex, PoisonError};

/// How many threads to use.
pub(crate) fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Calls `fill` once for each row, with the row's index.
pub(crate) fn fill_rows<T: Send>(rows: &mut [T], fill: impl Fn(usize, &mut T) + Sync) {
    fill_rows_with(rows, || (), |(), index, row| fill(index, row));
}

/// The same with a state per thread. The rows of a thread come in ascending order.
pub(crate) fn fill_rows_with<T: Send, S>(
    rows: &mut [T],
    start: impl Fn() -> S + Sync,
    fill: impl Fn(&mut S, usize, &mut T) + Sync,
) {
    const CHUNK: usize = 32;
    let queue = Mutex::new(rows.chunks_mut(CHUNK).enumerate());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    std::thread::scope(|scope| {
        for _ in 0..threads() {
            scope.spawn(|| {
                let mut kept = start();
                while let Some((chunk, rows)) = next() {
                    for (offset, row) in rows.iter_mut().enumerate() {
                        fill(&mut kept, chunk * CHUNK + offset, row);
                    }
                }
            });
        }
    });
}

/// Sums `items` in one accumulator per thread and returns the accumulators.
pub(crate) fn accumulate<I: Sync, A: Send>(
    items: &[I],
    start: impl Fn() -> A + Sync,
    add: impl Fn(&mut A, &I) + Sync,
) -> Vec<A> {
    const CHUNK: usize = 64;
    let queue = Mutex::new(items.chunks(CHUNK));
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    std::thread::scope(|scope| {
        let work = || {
            let mut sum = start();
            while let Some(items) = next() {
                for item in items {
                    add(&mut sum, item);
                }
            }
            sum
        };
        let workers: Vec<_> = (0..threads()).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}
