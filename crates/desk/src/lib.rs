//! What a browser asks and how it is answered, whatever carries it: a server over HTTP, or a worker in
//! the page itself that runs this code as WebAssembly. Both say the same things in the same JSON.
//!
//! Short questions are answered at once ([`Desk::answer`]): what games there are, what a position looks
//! like, what stands at a place in a proof. Long work tells a [`Listener`] what happens ([`Desk::work`]),
//! and may be paused when its budget is used up. Certificates are kept, up to a limit, so that a page can
//! walk through them.
//!
//! No file is ever opened here: rules come with the request. `web/src/api.ts` holds the same types for
//! the page.
//!
//! ```
//! use foregone::NoClock;
//! use foregone_desk::{Desk, Limits};
//!
//! let desk = Desk::new(NoClock, Limits::default());
//! let view = desk.answer("view", r#"{"game":"nim:1,2","position":"start"}"#);
//! assert!(view.is_ok_and(|view| view.contains("\"to_move\":\"first\"")));
//! ```

mod choose;
mod failure;
mod games;
mod limits;
mod proofs;
mod view;
mod words;
mod work;

use std::sync::Arc;

use foregone::games::files::StopCheck;
use foregone::{Clock, Engine};
use foregone_explorer::{Book, Text};
use serde::Serialize;
use serde::de::DeserializeOwned;

pub use failure::{Failure, FailureKind};
pub use games::Texts;
pub use limits::Limits;
pub use proofs::ProofHandle;
pub use work::{Listener, More, OwnEvent, Work, WorkEvent};

use games::{Games, Open};
use proofs::Proofs;

/// Answers requests. Several may be answered at a time.
pub struct Desk {
    clock: Arc<dyn Clock>,
    limits: Limits,
    games: Games,
    proofs: Proofs,
}

impl Desk {
    /// A desk with this clock.
    pub fn new(clock: impl Clock + 'static, limits: Limits) -> Desk {
        let proofs = Proofs::new(limits.all_certificates);
        Desk { clock: Arc::new(clock), limits, games: Games::default(), proofs }
    }

    /// The same with names of certificates that begin like this: names from another run mean nothing then.
    #[must_use]
    pub fn named(mut self, run: &str) -> Desk {
        self.proofs.run = run.to_owned();
        self
    }

    /// What work may use.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Answers a short request: its name and its body, JSON in and out.
    pub fn answer(&self, name: &str, body: &str) -> Result<String, Failure> {
        match name {
            "words" => written(&words::words(&self.limits)),
            "games" => written(&words::games()),
            "view" => written(&self.view(&read(body)?)?),
            "outline" => written(&self.outline(&read(body)?)?),
            "node" => written(&self.node(&read(body)?)?),
            "find" => written(&self.find(&read(body)?)?),
            "export" => written(&self.export(&read(body)?)?),
            _ => Err(Failure::gone(format!("there is no request `{name}`"))),
        }
    }

    /// Keeps a certificate for walks through it. One that is larger than what may be kept is refused.
    pub fn keep(&self, text: Arc<dyn Text>) -> Result<ProofHandle, Failure> {
        let (most, bytes) = (self.limits.certificate, text.len());
        if bytes > most {
            return Err(Failure::limit(format!(
                "the certificate has {bytes} bytes, and at most {most} are taken here"
            ))
            .help("`foregone verify FILE` takes certificates of any size"));
        }
        self.proofs.keep(text)
    }

    /// The text of a certificate that is kept.
    pub fn text_of(&self, proof: &str) -> Result<Arc<dyn Text>, Failure> {
        self.proofs.text_of(proof)
    }

    /// The certificate of this name, for who makes its index.
    pub fn book(&self, proof: &str) -> Result<Arc<Book>, Failure> {
        self.proofs.book(proof)
    }

    /// An engine with these rules, which gives up opening a game when told.
    fn engine(&self, texts: &Texts, stop: StopCheck) -> Engine {
        games::engine(&self.clock, texts, stop)
    }

    /// Opens a game within the time of a short request, or until `cancelled` says so.
    fn open(
        &self,
        spec: &str,
        texts: &Texts,
        cancelled: impl Fn() -> bool + Send + Sync + 'static,
    ) -> Result<Open, Failure> {
        self.limits.check_texts(texts)?;
        let (stop, opened) = games::while_opening(&self.clock, self.limits.opening, cancelled);
        let open = self.games.open(&self.engine(texts, stop), spec, texts);
        opened.done();
        Ok(open?)
    }
}

/// Reads the body of a request.
fn read<T: DeserializeOwned>(body: &str) -> Result<T, Failure> {
    Ok(serde_json::from_str(body)?)
}

fn written<T: Serialize>(answer: &T) -> Result<String, Failure> {
    Ok(serde_json::to_string(answer)?)
}
