//! What certificates and their lines say, in words.

use foregone_proof::certificate::{Header, OTHERS, shown};
use foregone_proof::{Claim, Notation, Outcome, Side};

use crate::data::{Kind, Summary};
use crate::index::{Index, kind_of};

/// What a certificate says of itself.
pub(crate) fn summary(header: &Header, claims: Option<u64>) -> Summary {
    Summary {
        claims_that: claims_that(header),
        game: header.game.clone(),
        position: header.position.clone(),
        kind: kind_of(header),
        formula: header.formula.as_ref().map(|(formula, _)| formula.clone()),
        prover: header.prover.clone(),
        claims,
    }
}

/// What it says it proves. Whether it does is for a checker to say.
pub(crate) fn claims_that(header: &Header) -> String {
    let [prover, outcome] = [&header.prover, &header.outcome].map(|text| shown(text));
    let max = header.max.as_deref().map_or_else(|| "the first player".to_owned(), shown);
    let said = match (kind_of(header), header.relation.as_str()) {
        (Kind::InTurn, "below") if prover == OTHERS => {
            format!("the others keep {max} from outcome {outcome} and better")
        }
        (Kind::Scores, _) => format!("the scores of the players are {outcome}, by max^n"),
        (Kind::Formula, relation) => {
            let (formula, agent) = header.formula.clone().unwrap_or_default();
            let holds = if relation == "at-least" { "holds" } else { "does not hold" };
            format!("{} {holds} for {}", shown(&formula), shown(&agent))
        }
        (Kind::InTurn, "at-least") if outcome == "win" => format!("{prover} wins"),
        (Kind::InTurn, "at-least") => format!("{prover} reaches at least {outcome}"),
        (Kind::InTurn, _) if outcome == "win" => {
            format!("{prover} keeps the opponent from winning")
        }
        (Kind::InTurn, _) => format!("{prover} keeps the outcome below {outcome}"),
        (Kind::Mixed, "at-least") => format!("{prover} gets at least {outcome}"),
        (Kind::Mixed, _) => format!("{prover} pays at most {outcome}"),
        (Kind::Expected, "at-least") => format!("{prover} gets at least {outcome} on average"),
        (Kind::Expected, "exactly") => {
            format!("{prover} gets exactly {outcome} on average against the opponent of this file")
        }
        (Kind::Expected, _) => format!("{prover} pays at most {outcome} on average"),
    };
    said + if header.or_endless { ", or the game never ends" } else { "" }
}

/// What the prover forces: the end of a sentence.
pub(crate) fn goal<G: Notation>(game: &G, header: &Header, claim: Claim) -> String {
    let outcome = shown(&header.outcome);
    let max = shown(header.max.as_deref().unwrap_or(game.players()[0]));
    let said = match claim.prover {
        _ if header.formula.is_some() => match claim.prover {
            Side::Max => "so it holds".to_owned(),
            Side::Min => "so it does not hold".to_owned(),
        },
        Side::Max if outcome == "win" => "and forces a win".to_owned(),
        Side::Max => format!("and forces at least {outcome}"),
        Side::Min if game.one_player() => format!("so the score stays below {outcome}"),
        Side::Min if outcome == "win" => format!("and keeps {max} from winning"),
        Side::Min => format!("and keeps {max} below {outcome}"),
    };
    said + if claim.or_endless { ", or the game never ends" } else { "" }
}

/// What an outcome is, for people.
pub(crate) fn ended<G: Notation>(game: &G, header: &Header, outcome: Outcome) -> String {
    let name = game.scale().name(outcome).to_owned();
    if header.formula.is_some() {
        let holds = if outcome == Outcome::WIN { "holds" } else { "does not hold" };
        return format!("answered here: it {holds}");
    }
    let [max, min] = game.players();
    match name.as_str() {
        _ if game.scale().scores().is_some() => format!("over: {}", shown(&name)),
        "win" if game.one_player() => "over: won".to_owned(),
        "loss" if game.one_player() => "over: lost".to_owned(),
        "win" => format!("over: {max} wins"),
        "loss" => format!("over: {min} wins"),
        "draw" => "over: a draw".to_owned(),
        other => format!("over: {}", shown(other)),
    }
}

/// Why nothing is known of a place.
pub(crate) fn not_read(index: &Index) -> String {
    match &index.problem {
        Some(problem) => format!("the file is damaged before this place: {problem}"),
        None => "this part of the file has not been read yet".to_owned(),
    }
}

/// So many things.
pub(crate) fn moves(count: usize) -> String {
    if count == 1 { "one move".to_owned() } else { format!("{count} moves") }
}

/// What answers all moves that have no block: the words behind `*: `.
pub(crate) fn others(words: &str) -> String {
    match words.strip_prefix("as ") {
        Some(label) => format!("all other moves: as claim #{}, replayed here", shown(label)),
        None => format!("all other moves: known {}", shown(words)),
    }
}
