//! Ctrl-C: whatever takes long looks at one flag, and ends with what is known when it is set.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

/// The exit code of a process that was ended by the signal of Ctrl-C.
const ENDED_BY_SIGNAL: i32 = 130;

static FLAG: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| {
    let flag = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&flag);
    // Whoever presses it twice does not want to wait for what is known. Without a handler the first time is enough.
    let _ = ctrlc::set_handler(move || {
        if set.swap(true, Ordering::Relaxed) {
            std::process::exit(ENDED_BY_SIGNAL);
        }
    });
    flag
});

/// Set when Ctrl-C was pressed. The first call makes it so: until then, Ctrl-C ends the process.
pub(crate) fn flag() -> &'static Arc<AtomicBool> {
    &FLAG
}
