//! The words of schemes, drivers and leaves, and which of them go together.

use foregone_search::drive::{OrderBy, Threats, Walk};
use foregone_search::scheme::{AnyScheme, Blind, Mcts, MinMax, Pn, Pp, Sbmcts};
use foregone_search::{DriverSpec, Guidance, Init, SchemeSpec, all_guidances};

#[test]
fn all_words_are_read_as_they_are_written() {
    let words: Vec<String> = SchemeSpec::all().into_iter().map(SchemeSpec::word).collect();
    let expected = [
        "minmax",
        "pn",
        "pp",
        "mcts",
        "blind",
        "sbmcts",
        "mo(minmax)",
        "mo(pn)",
        "mo(pp)",
        "mo(mcts)",
    ];
    assert_eq!(words, expected);
    for scheme in SchemeSpec::all() {
        assert_eq!(scheme.to_string().parse(), Ok(scheme));
    }
    let words: Vec<&str> = DriverSpec::ALL.map(DriverSpec::word).to_vec();
    let searches = ["tree", "dag", "squared", "dfs", "alphabeta", "df"];
    let own = ["connections", "threats", "parts", "lambda"];
    assert_eq!(words, [&searches[..], &own].concat());
    for driver in DriverSpec::ALL {
        assert_eq!(driver.to_string(), driver.word());
        assert_eq!(driver.to_string().parse(), Ok(driver));
    }
    for init in Init::ALL {
        assert_eq!(init.to_string().parse(), Ok(init));
    }
    for guidance in all_guidances(true) {
        assert_eq!(guidance.to_string().parse(), Ok(guidance), "{guidance}");
    }
}

#[test]
fn options_that_are_not_the_default_are_part_of_the_text() {
    let mcts = Mcts { exploration: 0.4, ..Mcts::PLAIN };
    let one = Mcts { one_node: true, rave: 20.0, ..Mcts::PLAIN };
    let sbmcts = Sbmcts { gamma: -0.1, delta: 1e-7, cuts: false, rave: 1.0 / 3.0, ..Sbmcts::PLAIN };
    let texts = [
        (SchemeSpec::new(mcts), "mcts(exploration=0.4)"),
        (SchemeSpec::mo(mcts), "mo(mcts(exploration=0.4))"),
        (SchemeSpec::mo(one), "mo(mcts(rave=20,expand=one))"),
        (SchemeSpec::new(Sbmcts { one_node: true, ..Sbmcts::PLAIN }), "sbmcts(expand=one)"),
        (
            SchemeSpec::new(sbmcts),
            "sbmcts(gamma=-0.1,delta=0.0000001,cuts=no,rave=0.3333333333333333)",
        ),
    ];
    for (scheme, text) in texts {
        assert_eq!(scheme.to_string(), text);
        assert_eq!(text.parse(), Ok(scheme));
    }
    let drivers = [
        (DriverSpec::Squared { inner: Some(mcts.into()) }, "squared(inner=mcts(exploration=0.4))"),
        (DriverSpec::Lambda(Threats { order: 5, zones: false }), "lambda(order=5,zones=no)"),
        (DriverSpec::Lambda(Threats { order: 0, zones: true }), "lambda(order=0)"),
        (
            DriverSpec::AlphaBeta { by: OrderBy::MonteCarlo(7), walk: Walk::Deepen },
            "alphabeta(order=montecarlo,walk=deepen,plays=7)",
        ),
        (
            DriverSpec::AlphaBeta { by: OrderBy::History, walk: Walk::Null },
            "alphabeta(order=history)",
        ),
    ];
    for (driver, text) in drivers {
        assert_eq!(driver.to_string(), text);
        assert_eq!(text.parse(), Ok(driver));
    }
}

/// The message and the part of the text at fault, and the choices.
fn error<T: std::str::FromStr<Err = foregone_model::TextError>>(
    text: &str,
) -> (String, String, Vec<String>) {
    match text.parse::<T>() {
        Ok(_) => panic!("`{text}` was read"),
        Err(error) => (error.message, text[error.span].to_owned(), error.choices),
    }
}

#[test]
fn errors_name_the_word_at_fault_and_what_would_be_right() {
    let (message, fault, choices) = error::<SchemeSpec>("pm");
    assert_eq!((message.as_str(), fault.as_str()), ("`pm` is not a scheme", "pm"));
    assert!(choices.contains(&"pn".to_owned()) && choices.contains(&"mo(pn)".to_owned()));
    let (message, fault, _) = error::<SchemeSpec>("mo(blind)");
    assert_eq!(fault, "blind", "{message}");
    let (message, fault, choices) = error::<SchemeSpec>("mo(mcts(exploitation=1))");
    assert_eq!(
        (fault.as_str(), choices),
        ("exploitation", ["exploration=", "rave=", "expand="].map(str::to_owned).to_vec())
    );
    assert_eq!(message, "`exploitation` is not an option here");
    for (text, wrong) in [
        ("mcts(exploration=x)", "x"),
        ("mcts(exploration=-1)", "-1"),
        ("mcts(exploration=inf)", "inf"),
        ("mcts(exploration=NaN)", "NaN"),
        ("sbmcts(cuts=maybe)", "maybe"),
        ("pn(1)", "1"),
        ("pn()", ""),
        ("pn(", "pn("),
        ("mo(pn", "mo(pn"),
        ("mo(pn))", "mo(pn))"),
        ("mo", "mo"),
        ("", ""),
    ] {
        assert_eq!(error::<SchemeSpec>(text).1, wrong, "{text}");
    }
    assert_eq!(error::<DriverSpec>("alphabeta(walk=slow)").1, "slow");
    assert_eq!(error::<DriverSpec>("alphabeta(plays=7)").1, "plays=7");
    assert_eq!(error::<DriverSpec>("squared(inner=mo(pn))").1, "mo");
    assert_eq!(error::<DriverSpec>("tree(inner=pn)").1, "inner");
    assert_eq!(error::<Guidance>("dag  pm one").1, "pm");
    assert_eq!(error::<Guidance>("dag pn two").1, "two");
    assert_eq!(error::<Guidance>("dag pn one more").1, "more");
}

#[test]
fn only_what_goes_together_is_guidance() {
    let refused = |driver: DriverSpec, scheme: Option<SchemeSpec>, leaves: Option<Init>| {
        let error = Guidance::new(driver, scheme, leaves).expect_err("it should not go together");
        (error.message, error.choices)
    };
    let (df, tree, dag) = (DriverSpec::Df, DriverSpec::Tree, DriverSpec::Dag);
    for scheme in [SchemeSpec::new(MinMax), SchemeSpec::new(Blind), SchemeSpec::mo(Mcts::default())]
    {
        let (message, choices) = refused(df, Some(scheme), None);
        assert_eq!(message, format!("the driver `df` does not take the scheme `{scheme}`"));
        assert_eq!(choices, ["pn", "pp", "mo(pn)", "mo(pp)"]);
    }
    let (message, choices) = refused(tree, Some(Pn.into()), Some(Init::Playout));
    assert_eq!(message, "leaves by `playout` do not go with the scheme `pn`");
    assert_eq!(choices, ["mobility", "one"]);
    let (message, choices) = refused(DriverSpec::Dfs, Some(Pn.into()), None);
    assert_eq!(message, "the driver `dfs` does not take `pn`");
    assert_eq!(choices, ["tree", "dag", "squared", "df"]);
    refused(DriverSpec::ALPHA_BETA, None, Some(Init::One));
    // The leaves of a squared search are those of inner searches.
    let by_pp = DriverSpec::Squared { inner: Some(Pp.into()) };
    refused(by_pp, Some(Pn.into()), Some(Init::One));
    assert!(Guidance::new(by_pp, Some(Pn.into()), Some(Init::Half)).is_ok());
    let by_blind = DriverSpec::Squared { inner: Some(Blind.into()) };
    assert_eq!(refused(by_blind, None, None).0, "`blind` is not a scheme for two outcomes");
    // Labels of moves come from random plays.
    let squared = DriverSpec::Squared { inner: None };
    let rave: [AnyScheme; 2] =
        [Sbmcts { rave: 10.0, ..Sbmcts::PLAIN }.into(), Mcts { rave: 10.0, ..Mcts::PLAIN }.into()];
    for rave in rave {
        refused(squared, Some(rave.into()), Some(Init::Playout));
        refused(tree, Some(rave.into()), Some(Init::Evaluation));
        assert!(Guidance::new(tree, Some(rave.into()), None).is_ok());
        assert!(Guidance::new(dag, Some(rave.into()), None).is_ok());
    }
    // One node a playout is for a tree.
    let one: AnyScheme = Mcts { one_node: true, ..Mcts::PLAIN }.into();
    for driver in [dag, squared] {
        let (message, _) = refused(driver, Some(one.into()), None);
        let expected = "`mcts(expand=one)` adds one node a playout: it goes with the driver `tree`";
        assert_eq!(message, expected);
    }
    let error = "mcts(expand=some)".parse::<SchemeSpec>().expect_err("neither");
    assert_eq!((error.message.as_str(), error.span), ("`some` is not all or one", 12..16));
    // Options that no text can set.
    refused(tree, Some(Mcts { exploration: f64::NAN, ..Mcts::PLAIN }.into()), None);
}

#[test]
fn what_is_not_named_is_picked() {
    let text = |driver: &str| driver.parse::<Guidance>().expect("a guidance").to_string();
    assert_eq!(text("dag"), "dag pn mobility");
    assert_eq!(text("tree pp"), "tree pp mobility");
    assert_eq!(text("tree mcts"), "tree mcts playout");
    assert_eq!(text("squared(inner=mcts) pn"), "squared(inner=mcts) pn playout");
    assert_eq!(text("alphabeta"), "alphabeta");
    let pp = SchemeSpec::new(Pp);
    assert_eq!(
        (pp.default_leaves(false), pp.default_leaves(true)),
        (Init::Mobility, Init::Evaluation)
    );
    assert_eq!(SchemeSpec::new(Pn).default_leaves(true), Init::Mobility);
    assert_eq!(SchemeSpec::mo(Mcts::default()).default_leaves(true), Init::Playout);
}

#[test]
fn all_guidances_are_all_that_there_are() {
    assert_eq!((all_guidances(false).len(), all_guidances(true).len()), (85, 100));
    let many = all_guidances(false).into_iter().filter(|g| g.many_outcomes()).count();
    assert_eq!(many, 45);
}
