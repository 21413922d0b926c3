//! How long it takes to look into a certificate: the first screen without an index, the index, and steps
//! of random walks with it.
//!
//! ```text
//! cargo run --release -p foregone-explorer --example index -- FILE
//! ```

use std::sync::Arc;
use std::time::{Duration, Instant};

use foregone_explorer::Book;
use foregone_games::{files::Files, registry};
use foregone_model::Rng;

/// So many walks from the start, or fewer in so much time.
const WALKS: u32 = 400;
const TIME: Duration = Duration::from_secs(20);
/// A page lists so many ways on.
const PAGE: usize = 100;

#[allow(clippy::print_stdout, reason = "it prints figures")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: index FILE")?;
    let bytes = std::fs::read(&path)?;
    let length = bytes.len();
    let book = Book::new(Arc::new(bytes));
    let game = registry::open(&Files::from_disk(), &book.header(0)?.game)?;

    let began = Instant::now();
    let first = book.node(&game, 0, &[], 0, PAGE)?;
    let below = match first.children.first() {
        Some(child) => book.node(&game, 0, std::slice::from_ref(&child.played), 0, PAGE)?,
        None => first.clone(),
    };
    println!("first screen without an index: {:?}", began.elapsed());
    println!("  {}; {} of {} ways on", first.sentence, first.children.len(), first.children_total);
    println!("  {}; {} of {} ways on", below.sentence, below.children.len(), below.children_total);

    let began = Instant::now();
    let mut longest = Duration::ZERO;
    loop {
        let slice = Instant::now();
        let complete = book.index_more(1 << 20)?;
        longest = longest.max(slice.elapsed());
        if complete {
            break;
        }
    }
    let seconds = began.elapsed().as_secs_f64();
    let claims = book.outline()?.claims.unwrap_or(0);
    let (size, megabytes) = (book.index_bytes(), length as f64 / 1e6);
    println!("index of {claims} claims, {megabytes:.1} MB: {seconds:.3} s, longest MB {longest:?}");
    println!("  {:.0} MB/s, {:.1} M claims/s", megabytes / seconds, claims as f64 / 1e6 / seconds);
    println!("  {size} bytes, {:.2} % of the text", 100.0 * size as f64 / length as f64);

    let mut rng = Rng::new(1);
    let (mut steps, mut depth, mut slowest) = (0u32, 0, Duration::ZERO);
    let mut last = String::new();
    let began = Instant::now();
    for _ in 0..WALKS {
        let mut path: Vec<String> = Vec::new();
        loop {
            let step = Instant::now();
            let node = book.node(&game, 0, &path, 0, PAGE)?;
            slowest = slowest.max(step.elapsed());
            steps += 1;
            depth = depth.max(path.len());
            if node.children.is_empty() || path.len() > 1000 {
                last = node.view.position;
                break;
            }
            let picked = rng.below(node.children.len() as u32) as usize;
            path.push(node.children[picked].played.clone());
        }
        if began.elapsed() > TIME {
            break;
        }
    }
    let mean = began.elapsed() / steps.max(1);
    println!("{steps} steps of random walks, {depth} deep: mean {mean:?}, slowest {slowest:?}");

    // A position from the end of the last walk.
    let began = Instant::now();
    let mut share = 0.0;
    let found = book.find(&game, 0, &[], &last, &mut |now| {
        share = now;
        began.elapsed() < TIME
    })?;
    let found = if found.path.is_some() { "found" } else { "not found" };
    println!("{found} after {:?}, {:.1} % of the proof", began.elapsed(), 100.0 * share);
    Ok(())
}
