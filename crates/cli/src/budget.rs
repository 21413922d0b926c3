//! Budgets that do not mean what they seem to: said aloud, on standard error.
use foregone::text::{bytes_text, counted};

use crate::args::BudgetArgs;
use crate::commands::warn;
use crate::memory::{free_bytes, peak_bytes_of_process};

/// Says that threads were asked for where there is work for one; `why` says where there is.
pub(crate) fn warn_of_threads(budget: &BudgetArgs, why: &str) {
    if budget.threads > 1 {
        let threads = counted(budget.threads.into(), "thread");
        warn(&format!("{threads} do no more than one here: {why}"));
    }
}

/// Says before a search that there is less memory than it may hold.
pub(crate) fn warn_of_scarcity(budget: &BudgetArgs) {
    if let (Some(wanted), Some(free)) = (budget.memory, free_bytes())
        && wanted > free
    {
        let free = bytes_text(free);
        warn(&format!("`--memory` allows more than the {free} that are free"));
    }
}

/// Says after a search that the program held more than it was to.
pub(crate) fn warn_of_memory(budget: &BudgetArgs) {
    if let (Some(wanted), Some(peak)) = (budget.memory, peak_bytes_of_process())
        && peak > wanted
    {
        let [wanted, peak] = [wanted, peak].map(bytes_text);
        warn(&format!(
            "`--memory` was not kept: {peak} were held, not {wanted}; it limits what a search \
             stores, and the program and its proofs come on top"
        ));
    }
}
