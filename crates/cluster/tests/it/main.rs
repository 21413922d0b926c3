//! Tests with a real server.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests do as tests do")]

mod auth;
mod child;
mod happy;
mod metrics;
mod server;
mod speed;
mod trouble;
mod work;
