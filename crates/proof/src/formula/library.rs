//! The library: classes of formulas after *Solving Games and All That*, in the language itself.
//!
//! What each says and where it comes from stands in `concepts.rs`. No definition can hide these.

/// The definitions, each ended by `;`: they stand before every text that is read.
pub const LIBRARY: &str = "
def reach(n) = reach(n, w); def reach(0, f) = f; def reach(n, f) = <A> reach(n-1, f);
def path(0) = w; def path(n) = w | <A> path(n-1);
def omega(0) = w; def omega(1) = w | <A> w; def omega(n) = w | <A>[B] omega(n-1);
def ladder(0) = w; def ladder(1) = w | <A> w;
def ladder(n) = w | <A>((w | <A> w) & [B] ladder(n-2));
from B def helpmate(0) = w; def helpmate(n) = w | <B><A> helpmate(n-1);
from B def selfmate(0) = w; def selfmate(n) = w | <B>(!l & [A] selfmate(n-1));
def PT(0) = w; def PT(1) = w | <A> w; def PT(n) = w | <A>(path(n-1) & [B] PT(n-1));
def lambda(0, n) = w; def lambda(d, 0) = w; def lambda(d, 1) = w | <A> w;
def lambda(d, n) = w | <A>(lambda(d-1, n-1) & [B] lambda(d, n-2));
def counter(0, n) = won(B); def counter(d, 0) = won(B); def counter(d, 1) = won(B) | <B> won(B);
def counter(d, n) = won(B) | <B>(counter(d-1, n-1) & [A] counter(d, n-2));
def dual(0, n) = w; def dual(d, 0) = w; def dual(d, 1) = w | <A> w;
def dual(d, n) = w | <A>(!counter(d-1, n-1) & dual(d-1, n-1) & [B] dual(d, n-2));
def null(0) = w; def null(1) = w | <A> w; def null(n) = w | [B] null(n-1) | <A>[B] null(n-1);
def APS(0) = w; def APS(1) = w | <A> w; def APS(n) = w | <A>(APS(n-1) & [B] APS(n-1));
def PA(0, i) = w; def PA(n, 0) = w | <A> PA(n-1, 1);
def PA(n, i) when i < k = [B(i)] PA(n-1, i+1); def PA(n, i) = [B(i)] PA(n-1, 0);
def PA(n) = PA(n, 0);
def beta(0) = w; def beta(1) = w | <A> w; def beta(n) = w | <A>[B*] beta(n-1);
def zugzwang(f) = !f & [B?] f; def gagnant(0) = <A> w; def gagnant(n) = <A> w | <A> gagne(n);
def gagne(0) = w; def gagne(n) = gagnant(n-1) & [B] gagnant(n-1);
from B def reflex(0) = w; def reflex(n) = !<B> won(B) & <B>(<A> w | !l & [A] reflex(n-1));
from B def helpself(1) = <B>(!l & [A] w); def helpself(n) = <B>(!l & [A] w | <A> helpself(n-1));
def drawn(0) = false; def drawn(1) = <A> draw; def drawn(n) = <A>(draw | !over & [B] drawn(n-1));
from B def helpdraw(0) = draw; def helpdraw(n) = draw | <B><A> helpdraw(n-1);
from B def selfdraw(0) = draw; def selfdraw(n) = draw | <B>(!over & [A] selfdraw(n-1));
def series(0) = false; def series(n) = <A>(w | !check & series(n-1));
from B def serhelp(0) = false; def serhelp(n) = <B>(<A> w | !check & serhelp(n-1));
from B def serself(0) = false; def serself(n) = <B>(!over & [A] w | !check & serself(n-1));
from B def serreflex(0) = false; def serreflex(n) = !<B>won(B) & <B>(<A>w | !check & serreflex(n-1));";
