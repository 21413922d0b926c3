//! How a Monte Carlo search is to be made, as plain data and as a word:
//! `uct(exploration=0.3)`, `ucd(inf,0,1)`, `update-all(rave=200)`.

use std::fmt;
use std::str::FromStr;

use foregone_model::TextError;

use crate::spec::text::{Call, Part, check_number, one_of, write_call, yes_or_no};

/// How far below an edge an adapted score looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// So many levels. 0: at the edge itself.
    Levels(u8),
    /// As far as there is anything.
    All,
}

impl Depth {
    /// The deepest that is not all. A node holds a number a level.
    pub const MOST: u8 = 16;
}

/// What positions that are reached in several ways are to the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Graph {
    /// A node for every way: plain UCT.
    Tree,
    /// A node a position, with edges judged by what lies below them: `d1` levels for the mean, `d2`
    /// for the playouts of the node, `d3` for the playouts of the edge.
    Ucd([Depth; 3]),
    /// A node a position, and a playout counts for every edge that leads to where it began.
    UpdateAll,
}

/// The options of a Monte Carlo search for a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// What positions that are reached in several ways are.
    pub graph: Graph,
    /// The constant before the square root of the UCB formula, for payoffs from 0 to 1.
    pub exploration: f64,
    /// With [`Graph::Ucd`]: the payoffs that an edge got before its end had children are kept there,
    /// for all edges to it together, and not at each edge.
    pub prior_at_nodes: bool,
    /// After so many playouts an edge's own mean weighs as much as that of its move anywhere below.
    /// Nothing: only the edge's own counts.
    pub rave: Option<f64>,
    /// Whether results that are certain are backed up, so that solved positions are played well and
    /// need no more playouts.
    pub solve: bool,
    /// No nodes are added beyond so many bytes; playouts then begin where the tree ends.
    pub most_bytes: u64,
}

impl Options {
    /// The constant of the UCB formula when nobody says: what the experiments of 2010 have.
    pub const EXPLORATION: f64 = 0.3;
    /// The bytes of the tree when nobody says.
    pub const MOST_BYTES: u64 = 1 << 30;

    /// The usual options for this kind of graph.
    pub fn new(graph: Graph) -> Options {
        Options {
            graph,
            exploration: Options::EXPLORATION,
            prior_at_nodes: false,
            rave: None,
            solve: true,
            most_bytes: Options::MOST_BYTES,
        }
    }

    /// Plain UCT as in the experiments of 2010: nothing is proved.
    pub fn plain(graph: Graph) -> Options {
        Options { solve: false, ..Options::new(graph) }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options::new(Graph::Tree)
    }
}

/// The words of the kinds of graphs.
const WORDS: [&str; 3] = ["uct", "ucd", "update-all"];

impl fmt::Display for Depth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Depth::Levels(levels) => levels.fmt(f),
            Depth::All => f.write_str("inf"),
        }
    }
}

fn read_depth(part: Part<'_>) -> Result<Depth, TextError> {
    if part.text.eq_ignore_ascii_case("inf") {
        return Ok(Depth::All);
    }
    match part.text.parse() {
        Ok(levels) if levels <= Depth::MOST => Ok(Depth::Levels(levels)),
        _ => {
            let message = format!("`{}` is not a depth: 0 to {}, or inf", part.text, Depth::MOST);
            Err(part.error(message))
        }
    }
}

impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = Options::new(self.graph);
        let mut options = Vec::new();
        if self.exploration != usual.exploration {
            options.push(("exploration", self.exploration.to_string()));
        }
        if let Some(rave) = self.rave {
            options.push(("rave", rave.to_string()));
        }
        if self.solve != usual.solve {
            options.push(("solve", yes_or_no(self.solve).to_owned()));
        }
        match self.graph {
            Graph::Tree => write_call(f, WORDS[0], &options),
            Graph::UpdateAll => write_call(f, WORDS[2], &options),
            Graph::Ucd([d1, d2, d3]) => {
                if self.prior_at_nodes {
                    options.push(("prior", "nodes".to_owned()));
                }
                write!(f, "{}({d1},{d2},{d3}", WORDS[1])?;
                for (key, value) in options {
                    write!(f, ",{key}={value}")?;
                }
                f.write_str(")")
            }
        }
    }
}

impl FromStr for Options {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Options, TextError> {
        let part = Part::whole(text);
        let Call { word, arguments } = part.call()?;
        let word = one_of("a Monte Carlo search", word, &WORDS, str::to_owned)?;
        let mut named = &arguments[..];
        let graph = match word {
            "uct" => Graph::Tree,
            "ucd" => {
                let (depths, rest) = arguments.split_at(arguments.len().min(3));
                let [d1, d2, d3] = depths else {
                    return Err(part.error("`ucd` takes three depths, as in `ucd(0,1,2)`"));
                };
                named = rest;
                Graph::Ucd([read_depth(*d1)?, read_depth(*d2)?, read_depth(*d3)?])
            }
            _ => Graph::UpdateAll,
        };
        let mut options = Options::new(graph);
        let keys: &[&str] = match graph {
            Graph::Ucd(_) => &["exploration", "rave", "solve", "prior"],
            Graph::Tree | Graph::UpdateAll => &["exploration", "rave", "solve"],
        };
        for argument in named {
            let (key, value) = argument.pair(keys)?;
            match key.text {
                "exploration" => options.exploration = read_number(value)?,
                "rave" => options.rave = Some(read_number(value)?),
                "solve" => {
                    let read =
                        one_of("yes or no", value, &[true, false], |on| yes_or_no(on).into());
                    options.solve = read?;
                }
                _ => {
                    let place = |at_nodes| if at_nodes { "nodes" } else { "edges" }.to_owned();
                    options.prior_at_nodes =
                        one_of("edges or nodes", value, &[false, true], place)?;
                }
            }
        }
        Ok(options)
    }
}

fn read_number(part: Part<'_>) -> Result<f64, TextError> {
    let wrong = |_| part.error(format!("`{}` is not a number", part.text));
    let number = part.text.parse().map_err(wrong)?;
    check_number(number, Some(0.0)).map_err(|message| part.error(message))?;
    Ok(number)
}
