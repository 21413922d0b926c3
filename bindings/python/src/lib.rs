//! The module `_foregone`, on which the Python package `foregone` stands: the library's jobs, answers and games as
//! functions and objects of Python. What is plain data passes as JSON, which is that of the program's `--json`.

mod attend;
mod commands;
mod error;
mod game;
mod own;
mod solve;

use pyo3::prelude::*;
use serde::Serialize;

use error::{ForegoneError, ProofError, RulesError, defect};

/// Plain data as JSON.
fn text<T: Serialize>(data: &T) -> PyResult<String> {
    serde_json::to_string(data).map_err(|e| defect(&format!("the answer can't be written: {e}")))
}

#[pymodule]
fn _foregone(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("Error", py.get_type::<ForegoneError>())?;
    module.add("ProofError", py.get_type::<ProofError>())?;
    module.add("RulesError", py.get_type::<RulesError>())?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<game::Game>()?;
    module.add_class::<solve::Found>()?;
    module.add_function(wrap_pyfunction!(solve::solve, module)?)?;
    module.add_function(wrap_pyfunction!(solve::check, module)?)?;
    module.add_function(wrap_pyfunction!(commands::games, module)?)?;
    module.add_function(wrap_pyfunction!(commands::schemes, module)?)?;
    module.add_function(wrap_pyfunction!(commands::verify, module)?)?;
    module.add_function(wrap_pyfunction!(commands::nash, module)?)?;
    module.add_function(wrap_pyfunction!(commands::compare, module)?)?;
    module.add_function(wrap_pyfunction!(commands::play_match, module)?)?;
    module.add_function(wrap_pyfunction!(commands::choose, module)?)?;
    module.add_function(wrap_pyfunction!(commands::table_build, module)?)?;
    module.add_function(wrap_pyfunction!(commands::table_probe, module)?)?;
    module.add_function(wrap_pyfunction!(commands::table_info, module)?)?;
    module.add_function(wrap_pyfunction!(commands::table_list, module)?)?;
    module.add_function(wrap_pyfunction!(commands::table_verify, module)?)?;
    module.add_function(wrap_pyfunction!(commands::gdl_check, module)?)?;
    module.add_function(wrap_pyfunction!(commands::run, module)?)?;
    Ok(())
}
