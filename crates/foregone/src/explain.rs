//! A formula in words.

use foregone_model::formula::{Formula, Id, Node, Proposition, Text as _};
use foregone_model::{Agent, Notation, OffTurn};

/// What a formula says: written out, class by class, and in words.
pub(crate) fn explain<G: Notation>(game: &G, formula: &Formula) -> String {
    let mut out = String::new();
    let name = |agent: Agent| game.agent_name(agent).to_owned();
    out.push_str(&format!("A is {}", name(formula.protagonist)));
    for i in 1..formula.agents {
        let b = formula.opponent(i);
        out.push_str(&format!(", {} is {}", formula.letter(b), name(b)));
    }
    out.push_str(&format!("\n\n{}\n", formula.text(formula.root, true, 2000)));
    let classes = formula.classes();
    if !classes.is_empty() {
        out.push_str("\nclass by class:\n");
        for (id, class) in classes {
            out.push_str(&format!("  {class} = {}\n", formula.text(id, false, 500)));
        }
    }
    out.push_str("\nin words:\n");
    out.push_str(&format!("  {}\n", words(formula, formula.root, &name, true)));
    out.push_str(match game.off_turn() {
        OffTurn::Moves => {
            "\nAn agent that is asked to move out of turn moves as if it were its turn, or passes \
             where it has no move.\n"
        }
        OffTurn::Passes => {
            "\nAn agent that is asked to move out of turn passes: the position stays.\n"
        }
    });
    out.push_str(
        "In a final position that A has not won, A has no move and all others pass; in one that \
         A has won, nobody moves.\n",
    );
    out
}

/// A subformula in words; members of classes below the first level stay names.
fn words(formula: &Formula, id: Id, name: &impl Fn(Agent) -> String, top: bool) -> String {
    if let Some(class) = formula.name_of(id).filter(|_| !top) {
        return class;
    }
    let inside = |id: Id| words(formula, id, name, false);
    match formula.node(id) {
        Node::Constant(value) | Node::Stuck(_, value) => value.to_string(),
        Node::Literal(p, holds) => {
            let not = if holds { "" } else { " not" };
            match p {
                Proposition::Won(a) => format!("{} has{not} won", name(a)),
                Proposition::Lost(a) if holds => {
                    format!("the game is over and {} has not won", name(a))
                }
                Proposition::Lost(a) => format!("the game goes on or {} has won", name(a)),
                Proposition::Over => format!("the game is{not} over"),
                Proposition::Draw => format!("the game is{not} drawn"),
                Proposition::Turn(a) => format!("it is{not} the turn of {}", name(a)),
                Proposition::AtLeast(_) | Proposition::Game(_) => {
                    let text = formula.text(id, false, usize::MAX);
                    format!("{} is{not} true", text.trim_start_matches('!'))
                }
            }
        }
        Node::And(a, b) => format!("({}) and ({})", inside(a), inside(b)),
        Node::Or(a, b) => format!("{}, or {}", inside(a), inside(b)),
        Node::Box(agent, f) => format!("whatever {} plays, {}", name(agent), inside(f)),
        Node::Diamond(agent, f) => format!("{} has a move after which {}", name(agent), inside(f)),
    }
}
