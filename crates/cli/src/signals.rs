//! Signals that end a job: Ctrl-C, and those by which a shell, a batch system or a closed terminal
//! ends what runs in the background.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use foregone::Cancel;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// The signal that came last; 0 as long as none did.
static CAUGHT: OnceLock<Arc<AtomicUsize>> = OnceLock::new();

/// What a shell adds to a signal's number to make an exit code of it.
const ENDED_BY: i32 = 128;

/// Lets the first signal end the job, so that what was found is told, and the second one the
/// program.
pub(crate) fn catch(cancel: &Cancel) {
    let caught = CAUGHT.get_or_init(Arc::default);
    let mut signals = vec![SIGINT, SIGTERM];
    #[cfg(unix)]
    if !hangup_is_ignored() {
        signals.push(signal_hook::consts::SIGHUP);
    }
    for signal in signals {
        // Without a handler a signal still ends the program, it only loses what was found. The
        // handlers run in this order, so that the first signal finds the flag not set yet.
        let _ = flag::register_conditional_shutdown(signal, ENDED_BY + signal, cancel.flag())
            .and_then(|_| flag::register_usize(signal, Arc::clone(caught), signal as usize))
            .and_then(|_| flag::register(signal, cancel.flag()));
    }
}

/// Whether who started the program wants it to outlive its terminal, as `nohup` does. Where the
/// system does not tell, it is taken to be so: then the signal does what it did without us.
#[cfg(unix)]
fn hangup_is_ignored() -> bool {
    let mask = crate::memory::status_of_process("SigIgn:");
    let mask = mask.and_then(|mask| u64::from_str_radix(&mask, 16).ok());
    mask.is_none_or(|mask| mask & 1 << (signal_hook::consts::SIGHUP - 1) != 0)
}

/// Whether a signal came.
pub(crate) fn caught() -> bool {
    CAUGHT.get().is_some_and(|caught| caught.load(Ordering::Relaxed) != 0)
}

/// The exit code of a job that was interrupted: 130 for Ctrl-C, and by the same rule 143 for
/// SIGTERM and 129 for SIGHUP.
pub(crate) fn exit_code() -> u8 {
    let caught = CAUGHT.get().map_or(0, |caught| caught.load(Ordering::Relaxed));
    let signal = if caught == 0 { SIGINT } else { caught as i32 };
    (ENDED_BY + signal) as u8
}
