//! Walks through certificates of all kinds, right and damaged.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;
mod damage;
mod find;
mod keyed;
mod limits;
mod part;
mod pieces;
mod tree;
