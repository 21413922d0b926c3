//! Chomp: a move eats a square and all that is right of it or below. Who eats square 00 loses.

use foregone::model::{Agent, Game, Notation, Outcome, TextError, Turn};
use foregone::{Cancel, Engine, Entry, Opened, Trust};

pub(crate) struct Chomp;
foregone::unguided!(Chomp);

impl Game for Chomp {
    type State = [u8; 4]; // the lengths of three rows, and who is to move
    type Move = u8; // row and column, as two digits
    fn start(&self) -> [u8; 4] {
        [4, 4, 4, 0]
    }
    fn turn(&self, s: &[u8; 4]) -> Turn {
        if s[0] == 0 { Turn::Over } else { Turn::Agent(Agent(s[3])) }
    }
    fn moves(&self, s: &[u8; 4], _: Agent, out: &mut Vec<u8>) {
        out.extend((0..3).flat_map(|r| (0..s[usize::from(r)]).map(move |c| 10 * r + c)));
    }
    fn play(&self, s: &mut [u8; 4], agent: Agent, m: u8) {
        s[usize::from(m / 10)..3].iter_mut().for_each(|length| *length = (*length).min(m % 10));
        s[3] = 1 - agent.0;
    }
    fn outcome(&self, s: &[u8; 4]) -> Outcome {
        if s[3] == 0 { Outcome::WIN } else { Outcome::LOSS }
    }
}

impl Notation for Chomp {
    fn name(&self) -> String {
        "chomp".to_owned()
    }
    fn players(&self) -> [&str; 2] {
        ["first", "second"]
    }
    fn write_move(&self, _: &[u8; 4], m: u8, out: &mut String) {
        out.push_str(&format!("{m:02}"));
    }
    fn parse_move(&self, _: &[u8; 4], text: &str) -> Option<u8> {
        text.parse().ok().filter(|m| format!("{m:02}") == text)
    }
    fn write_position(&self, s: &[u8; 4], out: &mut String) {
        out.extend(s.map(|n| char::from(b'0' + n)));
    }
    fn read_position(&self, text: &str) -> Result<[u8; 4], TextError> {
        let digits = text.bytes().map(|b| b.wrapping_sub(b'0')).collect::<Vec<u8>>().try_into();
        let fits = |s: &[u8; 4]| s[0] <= 4 && s[1] <= s[0] && s[2] <= s[1] && s[3] <= 1;
        digits.ok().filter(fits).ok_or_else(|| TextError::new("not like 4440", 0..text.len()))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let chomp = Entry::in_turn("chomp", "", "Don't eat 00", |_| Ok(Opened::in_turn(Chomp)));
    let engine = Engine::default().with_games([chomp]);
    let finished = engine.run(&"chomp proof=always".parse()?, &mut (), &Cancel::new())?;
    assert_eq!(finished.answer.value(), Some("win"));
    engine.verify(&mut finished.certificate.as_bytes(), &mut Trust::default())?;
    Ok(())
}
