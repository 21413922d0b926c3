//! Who may join.

use foregone_cluster::{ClusterError, Connect, Coordinator, list};

use crate::server::Server;
use crate::work::{Running, collect, info, jobs, quick, submit};

const JETSTREAM: &str = "jetstream { store_dir: \"STORE\" }";

/// An NKey made for this test alone; it opens nothing else.
const PUBLIC: &str = include_str!("nkey.pub");
const SEED: &str = include_str!("nkey.seed");

fn refused(connect: &Connect) {
    for error in [
        list(connect).err().unwrap(),
        Coordinator::create(connect, info("x"), Vec::new(), quick()).err().unwrap(),
        Running::start(connect, "stranger", 1).join().err().unwrap(),
    ] {
        assert!(matches!(error, ClusterError::Refused { .. }), "{error:?}");
        let text = error.to_string();
        assert!(text.contains("does not let us in") && !text.contains("guess"), "{text}");
    }
}

/// A solve from begin to end.
fn accepted(connect: &Connect) {
    let coordinator = Coordinator::create(connect, info("auth"), b"s".to_vec(), quick()).unwrap();
    let _worker = Running::start(connect, "friend", 1);
    let all = jobs(3, "x");
    submit(&coordinator, &all);
    collect(&coordinator, b"s", &all, std::time::Duration::from_secs(30));
    coordinator.finish(serde_json::json!(0)).unwrap();
}

#[test]
fn a_token_lets_in() {
    let Some(server) =
        Server::with("a_token_lets_in", "authorization { token: \"open-sesame\" }", JETSTREAM)
    else {
        return;
    };
    refused(&server.connect());
    refused(&Connect { token: Some("guess".into()), ..server.connect() });
    accepted(&Connect { token: Some("open-sesame".into()), ..server.connect() });
    accepted(&Connect::new(format!("nats://open-sesame@{}", server.address())));
}

#[test]
fn a_user_and_a_password_let_in() {
    let lines = "authorization { user: \"me\", password: \"p@ss/word\" }";
    let Some(server) = Server::with("a_user_and_a_password_let_in", lines, JETSTREAM) else {
        return;
    };
    refused(&server.connect());
    refused(&Connect::new(format!("nats://me:guess@{}", server.address())));
    accepted(&Connect::new(format!("nats://me:p%40ss%2Fword@{}", server.address())));
    accepted(&Connect {
        user: Some("me".into()),
        password: Some("p@ss/word".into()),
        ..server.connect()
    });
}

#[test]
fn an_nkey_lets_in() {
    let lines = format!("authorization {{ users: [ {{ nkey: {} }} ] }}", PUBLIC.trim());
    let Some(server) = Server::with("an_nkey_lets_in", &lines, JETSTREAM) else { return };
    refused(&server.connect());
    let file = server.folder().join("seed");
    std::fs::write(&file, SEED).unwrap();
    accepted(&Connect { nkey: Some(file.clone()), ..server.connect() });
    std::fs::write(&file, "this is no seed").unwrap();
    let error = list(&Connect { nkey: Some(file), ..server.connect() }).err().unwrap();
    assert!(matches!(error, ClusterError::SecretFile { .. }), "{error}");
}

#[test]
fn an_encrypted_connection_needs_the_right_certificate() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/tls");
    let file = |name: &str| folder.join(name);
    let lines = format!(
        "tls {{ cert_file: \"{}\", key_file: \"{}\" }}",
        file("server.pem").display(),
        file("server.key").display()
    );
    let Some(server) =
        Server::with("an_encrypted_connection_needs_the_right_certificate", &lines, JETSTREAM)
    else {
        return;
    };
    // Nobody vouches for this certificate but its own authority.
    let url = format!("tls://{}", server.address());
    let error = list(&Connect::new(&url)).err().unwrap();
    assert!(matches!(error, ClusterError::Tls { .. } | ClusterError::NoServer { .. }), "{error:?}");
    accepted(&Connect { tls_ca: Some(file("ca.pem")), ..Connect::new(&url) });
}
