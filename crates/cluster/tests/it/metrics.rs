//! Figures over HTTP.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use foregone_cluster::metrics::{Text, serve};

fn ask(address: std::net::SocketAddr, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    let _ = stream.write_all(request);
    let mut text = String::new();
    let _ = stream.read_to_string(&mut text);
    text
}

#[test]
fn figures_are_written_as_prometheus_reads_them() {
    let text = Text::new()
        .counter("foregone_jobs_total", "Jobs.", &[("solve", "a\"b\\\n"), ("state", "done")], 7)
        .counter("foregone_jobs_total", "Jobs.", &[("solve", "c"), ("state", "open")], 8)
        .gauge("foregone_workers", "Workers\nthat are there.", &[], 1.5)
        .gauge("foregone_speed", "Speed.", &[], f64::INFINITY)
        .finish();
    assert_eq!(
        text,
        "# HELP foregone_jobs_total Jobs.\n# TYPE foregone_jobs_total counter\n\
         foregone_jobs_total{solve=\"a\\\"b\\\\\\n\",state=\"done\"} 7\n\
         foregone_jobs_total{solve=\"c\",state=\"open\"} 8\n\
         # HELP foregone_workers Workers\\nthat are there.\n# TYPE foregone_workers gauge\nforegone_workers 1.5\n\
         # HELP foregone_speed Speed.\n# TYPE foregone_speed gauge\nforegone_speed +Inf\n"
    );
}

#[test]
fn figures_are_served_and_nobody_can_hold_the_door() {
    let handle = serve("0", Arc::new(|| "foregone_up 1\n".to_owned())).unwrap();
    let address = handle.address();
    assert!(address.ip().is_loopback());
    let text = ask(address, b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
    assert!(
        text.starts_with("HTTP/1.1 200 OK\r\n") && text.ends_with("\r\n\r\nforegone_up 1\n"),
        "{text}"
    );
    assert!(ask(address, b"GET / HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 404"));
    assert!(ask(address, b"POST /metrics HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 405"));
    assert!(
        ask(address, &[b'x'; 20_000]).is_empty()
            || ask(address, &[b'x'; 20_000]).starts_with("HTTP/1.1 400")
    );
    // Somebody who says nothing does not keep others waiting.
    let _silent = TcpStream::connect(address).unwrap();
    let begun = Instant::now();
    assert!(ask(address, b"GET /metrics HTTP/1.1\r\n\r\n").contains("foregone_up 1"));
    assert!(begun.elapsed() < Duration::from_secs(5));
    assert!(serve(&address.to_string(), Arc::new(String::new)).is_err());
    drop(handle);
    assert!(TcpStream::connect(address).is_err());
}
