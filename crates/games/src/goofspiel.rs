//! Goofspiel: both players hold the cards 1 to n and play one each at the same time for a prize
//! that lies open; the higher card takes it, equal cards discard it.
//!
//! As in *Solving Games and All That* (section 5.5.1): the prizes come in an order that both know.
//! Who has the higher sum of prizes wins; or the score is the difference of the sums.
//!
//! A state is over as soon as nothing is left to choose: with one card each, and where only who
//! wins counts, when the prizes left cannot change that any more.

use foregone_model::scene::{Anchor, Glyph, Paint, Scene};
use foregone_model::{Joint, JointNotation, Side, TextError};

use crate::options::{Options, Value};
use crate::picture::boxes;
use crate::registry::{Entry, GameError, Opened};

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry::joint(
    "goofspiel",
    "CARDS[,points][,ascending or PRIZE-PRIZE-…] (5)",
    "Play cards at once for a prize that lies open; the higher sum of prizes wins",
    open,
);

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let mut values = options.values().into_iter();
    let cards = values.next().map_or(Ok(5), |value| value.number(1, MOST_CARDS))?;
    let (mut prizes, mut count) = (Goofspiel::descending(cards), Count::Win);
    for value in values {
        match value.text {
            "points" => count = Count::Points,
            "win" => count = Count::Win,
            "descending" => prizes = Goofspiel::descending(cards),
            "ascending" => prizes = (1..=cards).collect(),
            text if text.starts_with(|c: char| c.is_ascii_digit()) => {
                prizes = order_of_prizes(value, cards)?;
            }
            text => {
                let message = format!(
                    "`{text}` is not an option, expected win, points, or the prizes in their order"
                );
                let choices = ["win", "points", "ascending", "descending"];
                return Err(GameError::Spec(value.not_among(&choices, message)));
            }
        }
    }
    Ok(Opened::pictured_joint(Goofspiel::new(prizes, count), Goofspiel::scene))
}

/// `3-1-2`: each prize of 1 to the number of cards once.
fn order_of_prizes(value: Value<'_>, cards: u32) -> Result<Vec<u32>, TextError> {
    let mut prizes = Vec::new();
    let mut at = value.at;
    for text in value.text.split('-') {
        let word = Value { text, at };
        let prize = word.number(1, cards)?;
        if prizes.contains(&prize) {
            return Err(word.error(format!("the prize {prize} is listed twice")));
        }
        prizes.push(prize);
        at += text.len() + 1;
    }
    if prizes.len() != cards as usize {
        return Err(value.error(format!("there are {} prizes for {cards} cards", prizes.len())));
    }
    Ok(prizes)
}

/// The most cards that a hand can have.
pub const MOST_CARDS: u32 = 13;

/// What is counted at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Who has more: 1, 0 or -1.
    Win,
    /// By how much.
    Points,
}

/// The rules for some prizes.
#[derive(Clone, Debug)]
pub struct Goofspiel {
    prizes: Vec<u32>,
    /// The sum of the prizes that are left when so many cards are left.
    left: Vec<i32>,
    /// The sum of the best prizes, of those that are left when so many cards are left, and so many
    /// of them.
    sure: Vec<Vec<i32>>,
    count: Count,
}

/// The hands, and how much more Max has taken than Min.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hands {
    max: u16,
    min: u16,
    ahead: i16,
}

/// A card, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Card(u8);

impl Goofspiel {
    /// The game with these prizes in this order: each of 1 to n once.
    pub fn new(prizes: Vec<u32>, count: Count) -> Goofspiel {
        let n = prizes.len();
        let sum = |cards: usize| prizes[n - cards..].iter().sum::<u32>() as i32;
        let best = |cards: usize| {
            let mut left = prizes[n - cards..].to_vec();
            left.sort_unstable_by_key(|&prize| std::cmp::Reverse(prize));
            (0..=cards).map(|wins| left[..wins].iter().sum::<u32>() as i32).collect()
        };
        let (left, sure) = ((0..=n).map(sum).collect(), (0..=n).map(best).collect());
        Goofspiel { left, sure, prizes, count }
    }

    /// The usual order: the highest prize first.
    pub fn descending(cards: u32) -> Vec<u32> {
        (1..=cards).rev().collect()
    }

    fn ahead_by(&self, max: u32, min: u32, prize: u32) -> i32 {
        (i32::from(max > min) - i32::from(max < min)) * prize as i32
    }

    fn prize(&self, s: &Hands) -> u32 {
        self.prizes[self.prizes.len() - s.max.count_ones() as usize]
    }

    fn score(&self, ahead: i32) -> i64 {
        match self.count {
            Count::Win => i64::from(ahead.signum()),
            Count::Points => i64::from(ahead),
        }
    }
}

/// The cards of a hand, the lowest first.
fn cards(hand: u16) -> impl Iterator<Item = u32> {
    (0..16).filter(move |bit| hand >> bit & 1 == 1).map(|bit| bit + 1)
}

impl Joint for Goofspiel {
    type State = Hands;
    type Move = Card;

    fn range(&self) -> (i64, i64) {
        let most = self.score(self.left[self.prizes.len()]);
        (-most, most)
    }

    fn start(&self) -> Hands {
        let all = ((1u32 << self.prizes.len()) - 1) as u16;
        Hands { max: all, min: all, ahead: 0 }
    }

    #[inline]
    fn payoff(&self, s: &Hands) -> Option<i64> {
        let ahead = i32::from(s.ahead);
        match s.max.count_ones() {
            0 => Some(self.score(ahead)),
            1 => {
                let by =
                    self.ahead_by(s.max.trailing_zeros(), s.min.trailing_zeros(), self.prize(s));
                Some(self.score(ahead + by))
            }
            left => {
                let decided = self.count == Count::Win && ahead.abs() > self.left[left as usize];
                decided.then(|| self.score(ahead))
            }
        }
    }

    /// The highest card first: it is the one that matters most.
    #[inline]
    fn moves(&self, s: &Hands, side: Side, out: &mut Vec<Card>) {
        let mut hand = if side == Side::Max { s.max } else { s.min };
        while hand != 0 {
            let top = 15 - hand.leading_zeros();
            out.push(Card(top as u8 + 1));
            hand ^= 1 << top;
        }
    }

    #[inline]
    fn play(&self, s: &mut Hands, max: Card, min: Card) {
        s.ahead += self.ahead_by(max.0.into(), min.0.into(), self.prize(s)) as i16;
        s.max ^= 1 << (max.0 - 1);
        s.min ^= 1 << (min.0 - 1);
    }

    /// Who holds so many cards above all of the other's wins any so many of the prizes left.
    #[inline]
    fn bounds(&self, s: &Hands) -> (i64, i64) {
        let ahead = i32::from(s.ahead);
        let cards = s.max.count_ones() as usize;
        let above = |own: u16, other: u16| (own & !low_bits(other)).count_ones() as usize;
        // The best prizes for who is sure of some, all others for the other side.
        let sure = |wins: usize| 2 * self.sure[cards][wins] - self.left[cards];
        let low = ahead + sure(above(s.max, s.min));
        let high = ahead - sure(above(s.min, s.max));
        (self.score(low), self.score(high))
    }
}

/// All bits up to the highest one of a hand.
#[inline]
fn low_bits(hand: u16) -> u16 {
    ((1u32 << (16 - hand.leading_zeros())) - 1) as u16
}

impl Goofspiel {
    /// A picture of a position.
    fn scene(&self, s: &Hands) -> Scene {
        let mut scene = Scene::new();
        let left = &self.prizes[self.prizes.len() - s.max.count_ones() as usize..];
        let hand = |hand| cards(hand).map(|c| c.to_string()).collect::<Vec<_>>();
        boxes(&mut scene, "Max", hand(s.max), 0.0, Paint::Blue);
        boxes(&mut scene, "Min", hand(s.min), 2.6, Paint::Red);
        scene.anchored([-0.9, 1.3], "prizes", 0.36, Anchor::End, Paint::Ink);
        for (place, prize) in left.iter().enumerate() {
            // The first one lies open, the others wait.
            let paint = if place == 0 { Paint::Yellow } else { Paint::Plain };
            let at = [place as f64 * 0.85, 1.3];
            let cell = scene.rectangle(format!("prize {prize}"), at, [0.7, 0.9], paint);
            scene.piece(cell, Glyph::Word(prize.to_string()), Paint::Ink);
        }
        scene.notes.push(match s.ahead {
            0 => "even".to_owned(),
            n if n > 0 => format!("Max is {n} ahead"),
            n => format!("Min is {} ahead", -n),
        });
        scene
    }
}

impl JointNotation for Goofspiel {
    fn name(&self) -> String {
        let n = self.prizes.len() as u32;
        let points = if self.count == Count::Points { ",points" } else { "" };
        if self.prizes == Goofspiel::descending(n) {
            return format!("goofspiel:{n}{points}");
        }
        let prizes: Vec<String> = self.prizes.iter().map(u32::to_string).collect();
        format!("goofspiel:{n}{points},{}", prizes.join("-"))
    }

    fn players(&self) -> [&str; 2] {
        ["Max", "Min"]
    }

    fn write_move(&self, _s: &Hands, _side: Side, m: Card, out: &mut String) {
        out.push_str(&m.0.to_string());
    }

    fn parse_move(&self, _s: &Hands, _side: Side, text: &str) -> Option<Card> {
        let card: u8 = text.parse().ok()?;
        (1..=self.prizes.len()).contains(&usize::from(card)).then_some(Card(card))
    }

    /// Max's cards, Min's cards, how much Max is ahead: `1,3/1,2/3`.
    fn write_position(&self, s: &Hands, out: &mut String) {
        let list = |hand| cards(hand).map(|c| c.to_string()).collect::<Vec<_>>().join(",");
        out.push_str(&format!("{}/{}/{}", list(s.max), list(s.min), s.ahead));
    }

    fn read_position(&self, text: &str) -> Result<Hands, TextError> {
        let form = "expected Max's cards, Min's cards and the difference, such as 1,3/1,2/3";
        let parts: Vec<&str> = text.split('/').collect();
        let [max, min, ahead] = parts[..] else {
            return Err(TextError::new(form, 0..text.len()));
        };
        let n = self.prizes.len() as u32;
        let hand = |text: &str, mut at: usize| {
            let mut hand = 0u16;
            for word in text.split(',').filter(|_| !text.is_empty()) {
                let span = at..at + word.len();
                let card = word.trim().parse::<u32>().ok().filter(|c| (1..=n).contains(c));
                let Some(card) = card else {
                    let message = format!("`{word}` is not a card, expected 1 to {n}");
                    return Err(TextError::new(message, span));
                };
                if hand >> (card - 1) & 1 == 1 {
                    return Err(TextError::new(format!("card {card} is listed twice"), span));
                }
                hand |= 1 << (card - 1);
                at += word.len() + 1;
            }
            Ok(hand)
        };
        let max_hand = hand(max, 0)?;
        let min_hand = hand(min, max.len() + 1)?;
        if max_hand.count_ones() != min_hand.count_ones() {
            let span = 0..max.len() + 1 + min.len();
            return Err(TextError::new("both players must have the same number of cards", span));
        }
        let at = max.len() + min.len() + 2;
        let taken = self.left[n as usize] - self.left[max_hand.count_ones() as usize];
        match ahead.trim().parse::<i16>() {
            Ok(ahead) if i32::from(ahead).abs() <= taken => {
                Ok(Hands { max: max_hand, min: min_hand, ahead })
            }
            Ok(_) => {
                let message = format!("only prizes of {taken} have been taken");
                Err(TextError::new(message, at..text.len()))
            }
            Err(_) => {
                let message = format!("`{ahead}` is not a difference of points");
                Err(TextError::new(message, at..text.len()))
            }
        }
    }

    fn draw(&self, s: &Hands) -> String {
        let list = |hand| cards(hand).map(|c| c.to_string()).collect::<Vec<_>>().join(" ");
        let left = &self.prizes[self.prizes.len() - s.max.count_ones() as usize..];
        let prizes: Vec<String> = left.iter().map(u32::to_string).collect();
        let score = match s.ahead {
            0 => "even".to_owned(),
            n if n > 0 => format!("Max is {n} ahead"),
            n => format!("Min is {} ahead", -n),
        };
        format!(
            "Max     {}\nMin     {}\nprizes  {}\nscore   {score}\n",
            list(s.max),
            list(s.min),
            prizes.join(" ")
        )
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::testing::{joint_texts_round_trip, joint_tree};

    #[test]
    fn trees_have_the_sizes_of_table_5_3() {
        for (cards, nodes) in [(4, 109), (5, 1926), (6, 58173)] {
            let game = Goofspiel::new(Goofspiel::descending(cards), Count::Win);
            assert_eq!(joint_tree(&game, &game.start(), None), nodes);
        }
    }

    #[test]
    fn positions_with_a_table_are_as_many_as_counted_elsewhere() {
        for (cards, states) in [(4, 99), (5, 704), (6, 4759), (7, 27024)] {
            let game = Goofspiel::new(Goofspiel::descending(cards), Count::Win);
            assert_eq!(joint_tree(&game, &game.start(), Some(&mut HashSet::new())), states);
        }
    }

    #[test]
    fn texts_are_read_back() {
        for prizes in [Goofspiel::descending(5), vec![2, 5, 1, 4, 3]] {
            for count in [Count::Win, Count::Points] {
                joint_texts_round_trip(&Goofspiel::new(prizes.clone(), count));
            }
        }
    }

    #[test]
    fn bad_positions_are_shown() {
        let game = Goofspiel::new(Goofspiel::descending(4), Count::Win);
        for (text, span) in [
            ("1,2", 0..3),
            ("1,5/1,2/0", 2..3),
            ("1,2/1,1/0", 6..7),
            ("1,2/1/0", 0..5),
            ("1,2/1,2/8", 8..9),
            ("1,2/1,2/x", 8..9),
        ] {
            assert_eq!(game.read_position(text).unwrap_err().span, span, "{text}");
        }
    }
}
