//! Whole matches over sockets: a little game manager that speaks as ggp-base does, against players
//! that listen on the loopback, while others send junk to them.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use foregone_gdl::{Machine, Move, Program};
use foregone_model::Rng;
use foregone_player::{Clock, Player, Settings, serve};

const TICTACTOE: &str = include_str!("games/tictactoe.kif");
const MAZE: &str = include_str!("games/maze.kif");
const RPS: &str = include_str!("games/rps.kif");
const THREE: &str = include_str!("games/three.kif");

/// A player that listens.
struct Server {
    address: SocketAddr,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// It thinks for a quarter of a clock of one second.
    fn new() -> Server {
        let clock = Clock { margin: Duration::from_millis(750), percent: 0 };
        let player = Arc::new(Player::new(Settings { clock, ..Settings::default() }));
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let stop = Arc::<AtomicBool>::default();
        let told = Arc::clone(&stop);
        let thread = thread::spawn(move || serve(listener, player, &told).unwrap());
        Server { address, stop, thread: Some(thread) }
    }

    /// Sends a message as ggp-base does. It must be answered within its clock of one second.
    fn say(&self, message: &str) -> String {
        let begin = Instant::now();
        let answer = post(self.address, message);
        let time = begin.elapsed();
        assert!(time < Duration::from_secs(1), "{message:.30} took {time:?}");
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 200 OK\r\n"), "{message}: {answer}");
        assert!(head.contains("Content-Type: text/acl"), "{head}");
        assert!(head.contains(&format!("Content-Length: {}\r\n", body.len())), "{head}");
        body.to_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        let ended = self.thread.take().unwrap().join();
        assert!(ended.is_ok() || thread::panicking());
    }
}

fn post(address: SocketAddr, message: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    let request = format!(
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: 127.0.0.1\r\nSender: GAMESERVER\r\n\
         Receiver: SOMEBODY\r\nContent-Type: text/acl\r\nContent-Length: {}\r\n\r\n{message}",
        message.len()
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// Plays a match: each role by a player, or by chance where there is none. Returns the goals.
fn play(name: &str, rules: &str, players: &[Option<&Server>], seed: u64) -> Vec<i32> {
    play_until(name, rules, players, seed, &|| {})
}

/// The same, and something is done between the last move and the last message.
fn play_until(
    name: &str,
    rules: &str,
    players: &[Option<&Server>],
    seed: u64,
    before_stop: &(dyn Fn() + Sync),
) -> Vec<i32> {
    let mut machine = Machine::new(&Program::read(rules).unwrap(), None).unwrap();
    let roles: Vec<String> = machine.roles().to_vec();
    assert_eq!(players.len(), roles.len());
    let mut rng = Rng::new(seed);
    // To all at once, as managers do.
    let tell = |messages: Vec<String>| -> Vec<Option<String>> {
        thread::scope(|scope| {
            let asked: Vec<_> = players
                .iter()
                .zip(&messages)
                .map(|(player, m)| player.map(|p| scope.spawn(move || p.say(m))))
                .collect();
            asked.into_iter().map(|a| a.map(|a| a.join().unwrap())).collect()
        })
    };
    // Managers send rules on one line, without comments.
    let rules: Vec<&str> = rules.lines().filter(|l| !l.starts_with(';')).collect();
    let rules = rules.join(" ");
    let start = |r: &String| format!("( START {name} {r} ({rules}) 1 1 )");
    for ready in tell(roles.iter().map(start).collect()).into_iter().flatten() {
        assert_eq!(ready, "ready");
    }
    let mut state = machine.initial().unwrap();
    let mut last = "NIL".to_owned();
    loop {
        let view = machine.view(&state).unwrap();
        if view.terminal {
            before_stop();
            for done in tell(vec![format!("( STOP {name} {last} )"); roles.len()]) {
                assert!(done.is_none_or(|d| d == "done"));
            }
            return view.goals.into_iter().map(Option::unwrap).collect();
        }
        let answers = tell(vec![format!("( PLAY {name} {last} )"); roles.len()]);
        let mut moves: Vec<Move> = Vec::new();
        for (role, answer) in answers.into_iter().enumerate() {
            let legal = &view.legal[role];
            moves.push(match answer {
                Some(text) => machine.read(&text).unwrap(),
                None => legal[rng.below(legal.len() as u32) as usize],
            });
            assert!(legal.contains(&moves[role]), "{} by {role}", machine.show(moves[role]));
        }
        let texts: Vec<String> = moves.iter().map(|&m| machine.show(m).to_uppercase()).collect();
        last = format!("({})", texts.join(" "));
        state = machine.next(&state, &moves).unwrap();
    }
}

/// Sends things that are no messages until it is told to stop, and counts the answers that say so.
fn pester(address: SocketAddr, stop: &AtomicBool) -> usize {
    let mut rng = Rng::new(9);
    // Silent clients, and clients that stop in the middle: they stay until the end.
    let mut silent = Vec::new();
    let mut refused = 0;
    while !stop.load(Ordering::SeqCst) {
        let bytes: Vec<u8> = (0..rng.below(300)).map(|_| rng.bits() as u8).collect();
        let second = format!("(START second robot ({MAZE}) 1 1)");
        let second = format!("POST / HTTP/1.0\r\nContent-Length: {}\r\n\r\n{second}", second.len());
        let junk: &[u8] = match rng.below(8) {
            0 => &bytes,
            1 => b"POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n(INFO)",
            2 => b"POST / HTTP/1.1\r\nContent-Length: 3000000\r\n\r\n(START",
            3 => b"GET / HTTP/1.1\r\n\r\n",
            4 => b"POST / HTTP/1.0\r\nContent-Length: 12\r\n\r\n(play x nil)",
            5 => b"POST / HTTP/1.0\r\nContent-Length: 5\r\n\r\n(((((",
            6 => b"",
            _ => second.as_bytes(),
        };
        let mut stream = TcpStream::connect(address).unwrap();
        let sent = stream.write_all(junk);
        if rng.below(4) == 0 {
            silent.push(stream);
        } else if sent.is_ok() && stream.shutdown(Shutdown::Write).is_ok() {
            let mut answer = Vec::new();
            let _ = stream.read_to_end(&mut answer);
            let answer = String::from_utf8_lossy(&answer).into_owned();
            assert!(!answer.contains("ready"), "{answer}");
            refused += usize::from(answer.starts_with("HTTP/1.1 4") || answer.contains("busy"));
        }
        thread::sleep(Duration::from_millis(10));
    }
    refused
}

#[test]
fn players_meet_over_sockets_while_others_send_junk() {
    let (first, second) = (Server::new(), Server::new());
    let (stop, is_quiet) = (AtomicBool::new(false), AtomicBool::new(false));
    // Junk tries to start another match: it must begin after this one does, and end before.
    let silence = || {
        stop.store(true, Ordering::SeqCst);
        let begin = Instant::now();
        while !is_quiet.load(Ordering::SeqCst) && begin.elapsed() < Duration::from_secs(10) {
            thread::sleep(Duration::from_millis(5));
        }
        // What was sent last is answered.
        thread::sleep(Duration::from_millis(100));
    };
    thread::scope(|scope| {
        let junk = scope.spawn(|| {
            while !first.say("( INFO )").contains("busy") {
                thread::sleep(Duration::from_millis(5));
            }
            let refused = pester(first.address, &stop);
            is_quiet.store(true, Ordering::SeqCst);
            refused
        });
        let players = [Some(&first), Some(&second)];
        let goals = play_until("ttt.1", TICTACTOE, &players, 1, &silence);
        assert_eq!(goals.iter().sum::<i32>(), 100);
        let refused = junk.join().unwrap();
        assert!(refused > 5, "{refused} refused");
    });
    assert_eq!(first.say("(INFO)"), "((name foregone) (status available))");
}

#[test]
fn random_players_seldom_win() {
    let server = Server::new();
    let mut sum = 0;
    for seed in 0..3 {
        let x = play(&format!("x.{seed}"), TICTACTOE, &[Some(&server), None], seed)[0];
        let o = play(&format!("o.{seed}"), TICTACTOE, &[None, Some(&server)], seed)[1];
        sum += x + o;
    }
    // Five wins and a draw on an idle machine; a busy one leaves less time to think.
    assert!(sum >= 400, "{sum} of 600");
}

#[test]
fn a_maze_is_left_with_the_key() {
    assert_eq!(play("maze", MAZE, &[Some(&Server::new())], 0), [100]);
}

#[test]
fn hands_are_shown_at_once() {
    let (left, right) = (Server::new(), Server::new());
    let goals = play("rps.1", RPS, &[Some(&left), Some(&right)], 1);
    assert_eq!(goals.iter().sum::<i32>(), 100);
    play("rps.2", RPS, &[Some(&left), None], 2);
}

#[test]
fn three_take_stones() {
    let [a, b, c] = [Server::new(), Server::new(), Server::new()];
    let goals = play("three.1", THREE, &[Some(&a), Some(&b), Some(&c)], 1);
    assert_eq!(goals.iter().sum::<i32>(), 150);
    play("three.2", THREE, &[None, Some(&b), None], 2);
}

#[test]
fn many_silent_clients_do_not_keep_others_out() {
    let server = Server::new();
    let silent: Vec<TcpStream> = (0..200)
        .map(|n| {
            let mut stream = TcpStream::connect(server.address).unwrap();
            if n % 2 == 0 {
                stream.write_all(b"POST / HTTP/1.1\r\nContent-Le").unwrap();
            }
            stream
        })
        .collect();
    assert_eq!(server.say("(INFO)"), "((name foregone) (status available))");
    assert_eq!(play("maze", MAZE, &[Some(&server)], 0).len(), 1);
    drop(silent);
}
