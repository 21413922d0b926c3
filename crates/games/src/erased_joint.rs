//! A game with joint moves whose type was forgotten: what [`crate::erased`] is for games in turn.

use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

use foregone_model::{Joint, JointNotation, Rules, Scene, Side, TextError};

use crate::held::{AnyMove, AnyState, MoveList, with_list};

/// Any game with joint moves.
#[derive(Clone)]
pub struct ErasedJoint(Arc<dyn AnyJoint>);

impl Debug for ErasedJoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.name())
    }
}

/// What is asked of a game without its type.
trait AnyJoint: Send + Sync {
    fn any(&self) -> &dyn Any;
    fn unit(&self) -> i64;
    fn range(&self) -> (i64, i64);
    fn start(&self) -> AnyState;
    fn payoff(&self, s: &AnyState) -> Option<i64>;
    fn moves(&self, s: &AnyState, side: Side, out: &mut Vec<AnyMove>);
    fn play(&self, s: &mut AnyState, max: AnyMove, min: AnyMove);
    fn bounds(&self, s: &AnyState) -> (i64, i64);
    fn rules_violation(&self) -> Option<String>;
    fn name(&self) -> String;
    fn players(&self) -> [&str; 2];
    fn write_move(&self, s: &AnyState, side: Side, m: AnyMove, out: &mut String);
    fn parse_move(&self, s: &AnyState, side: Side, text: &str) -> Option<AnyMove>;
    fn write_position(&self, s: &AnyState, out: &mut String);
    fn read_position(&self, text: &str) -> Result<AnyState, TextError>;
    fn draw(&self, s: &AnyState) -> String;
    fn scene(&self, s: &AnyState) -> Scene;
    fn rules(&self) -> Rules;
    fn independent_rules(&self) -> Option<ErasedJoint>;
}

/// How a position of a game is pictured.
pub type Picture<J> = fn(&J, &<J as Joint>::State) -> Scene;

/// A game with its picture, and the moves that came up, for moves that are not held in place.
struct Holder<J: Joint> {
    game: J,
    picture: Picture<J>,
    list: MoveList<J::Move>,
}

impl<J: JointNotation + Send + 'static> AnyJoint for Holder<J> {
    fn any(&self) -> &dyn Any {
        &self.game
    }

    fn unit(&self) -> i64 {
        self.game.unit()
    }

    fn range(&self) -> (i64, i64) {
        self.game.range()
    }

    fn start(&self) -> AnyState {
        AnyState::new(self.game.start())
    }

    fn payoff(&self, s: &AnyState) -> Option<i64> {
        self.game.payoff(s.get())
    }

    fn moves(&self, s: &AnyState, side: Side, out: &mut Vec<AnyMove>) {
        with_list(|plain| {
            self.game.moves(s.get(), side, plain);
            out.extend(plain.iter().map(|&m| self.list.hold(m)));
        });
    }

    fn play(&self, s: &mut AnyState, max: AnyMove, min: AnyMove) {
        self.game.play(s.get_mut(), self.list.plain(max), self.list.plain(min));
    }

    fn bounds(&self, s: &AnyState) -> (i64, i64) {
        self.game.bounds(s.get())
    }

    fn rules_violation(&self) -> Option<String> {
        self.game.rules_violation()
    }

    fn name(&self) -> String {
        self.game.name()
    }

    fn players(&self) -> [&str; 2] {
        self.game.players()
    }

    fn write_move(&self, s: &AnyState, side: Side, m: AnyMove, out: &mut String) {
        self.game.write_move(s.get(), side, self.list.plain(m), out);
    }

    fn parse_move(&self, s: &AnyState, side: Side, text: &str) -> Option<AnyMove> {
        self.game.parse_move(s.get(), side, text).map(|m| self.list.hold(m))
    }

    fn write_position(&self, s: &AnyState, out: &mut String) {
        self.game.write_position(s.get(), out);
    }

    fn read_position(&self, text: &str) -> Result<AnyState, TextError> {
        self.game.read_position(text).map(AnyState::new)
    }

    fn draw(&self, s: &AnyState) -> String {
        self.game.draw(s.get())
    }

    fn scene(&self, s: &AnyState) -> Scene {
        (self.picture)(&self.game, s.get())
    }

    fn rules(&self) -> Rules {
        self.game.rules()
    }

    fn independent_rules(&self) -> Option<ErasedJoint> {
        self.game.independent_rules().map(|game| ErasedJoint::pictured(game, self.picture))
    }
}

impl ErasedJoint {
    /// Forgets the type of a game, whose picture is its drawing in text.
    pub fn new<J: JointNotation + Send + 'static>(game: J) -> ErasedJoint {
        let any: &dyn Any = &game;
        if let Some(erased) = any.downcast_ref::<ErasedJoint>() {
            return erased.clone();
        }
        ErasedJoint::pictured(game, |game, s| Scene::of_text(&game.draw(s)))
    }

    /// Forgets the type of a game that is pictured in this way.
    pub fn pictured<J: JointNotation + Send + 'static>(
        game: J,
        picture: Picture<J>,
    ) -> ErasedJoint {
        ErasedJoint(Arc::new(Holder { game, picture, list: MoveList::new() }))
    }

    /// A picture of a position, with the cells that every legal move touches.
    pub fn scene(&self, s: &AnyState) -> Scene {
        if self.payoff(s).is_some() {
            return self.0.scene(s).with_moves(&[]);
        }
        let legal = [Side::Max, Side::Min].map(|side| {
            let mut moves = Vec::new();
            self.moves(s, side, &mut moves);
            let texts = moves.iter().map(|&m| self.move_text(s, side, m)).collect();
            (self.players()[side.index()], texts)
        });
        self.0.scene(s).with_moves(&legal)
    }

    /// The game itself, if it is of this type.
    pub fn get<J: JointNotation + Send + 'static>(&self) -> Option<&J> {
        self.0.any().downcast_ref()
    }
}

impl Joint for ErasedJoint {
    type State = AnyState;
    type Move = AnyMove;

    fn unit(&self) -> i64 {
        self.0.unit()
    }

    fn range(&self) -> (i64, i64) {
        self.0.range()
    }

    fn start(&self) -> AnyState {
        self.0.start()
    }

    fn payoff(&self, s: &AnyState) -> Option<i64> {
        self.0.payoff(s)
    }

    fn moves(&self, s: &AnyState, side: Side, out: &mut Vec<AnyMove>) {
        self.0.moves(s, side, out);
    }

    fn play(&self, s: &mut AnyState, max: AnyMove, min: AnyMove) {
        self.0.play(s, max, min);
    }

    fn bounds(&self, s: &AnyState) -> (i64, i64) {
        self.0.bounds(s)
    }

    fn rules_violation(&self) -> Option<String> {
        self.0.rules_violation()
    }
}

impl JointNotation for ErasedJoint {
    fn name(&self) -> String {
        self.0.name()
    }

    fn players(&self) -> [&str; 2] {
        self.0.players()
    }

    fn write_move(&self, s: &AnyState, side: Side, m: AnyMove, out: &mut String) {
        self.0.write_move(s, side, m, out);
    }

    fn parse_move(&self, s: &AnyState, side: Side, text: &str) -> Option<AnyMove> {
        self.0.parse_move(s, side, text)
    }

    fn write_position(&self, s: &AnyState, out: &mut String) {
        self.0.write_position(s, out);
    }

    fn read_position(&self, text: &str) -> Result<AnyState, TextError> {
        self.0.read_position(text)
    }

    fn draw(&self, s: &AnyState) -> String {
        self.0.draw(s)
    }

    fn rules(&self) -> Rules {
        self.0.rules()
    }

    fn independent_rules(&self) -> Option<ErasedJoint> {
        self.0.independent_rules()
    }
}
