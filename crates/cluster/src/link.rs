//! One connection to the server, and what is needed of JetStream: streams, keys, objects.
//!
//! Only what server 2.9 has is used. Every call ends: requests by the client's own limits, loops by ours.

use std::time::Duration;

use async_nats::jetstream::{self, consumer, kv, stream};
use bytes::Bytes;
use futures_util::TryStreamExt;
use serde::de::DeserializeOwned;

use crate::names::{CONSUMER, Names, SolveNames};
use crate::wire::{Terms, value};
use crate::{ClusterError, Connect, Result};

/// How long one request to the server may take.
pub(crate) const REQUEST: Duration = Duration::from_secs(5);

/// A connection, and the names under its prefix.
#[derive(Clone)]
pub(crate) struct Link {
    pub(crate) client: async_nats::Client,
    pub(crate) js: jetstream::Context,
    pub(crate) names: Names,
    pub(crate) url: String,
}

/// A stream in files, without limits of its own.
pub(crate) fn stored() -> stream::Config {
    stream::Config {
        max_bytes: -1,
        max_messages: -1,
        max_messages_per_subject: -1,
        max_consumers: -1,
        storage: stream::StorageType::File,
        num_replicas: 1,
        ..Default::default()
    }
}

/// Whether we are connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wire {
    Up,
    Down,
}

impl Link {
    /// Connects, and says which servers were tried if none answers.
    pub(crate) async fn open(
        connect: &Connect,
        name: &str,
        on: impl Fn(Wire) + Clone + Send + Sync + 'static,
    ) -> Result<Self> {
        let names = Names::new(connect.prefix())?;
        let servers = connect.servers()?;
        let urls: Vec<&str> = servers.iter().map(|server| server.url.as_str()).collect();
        let first = servers.first().ok_or_else(|| ClusterError::BadUrl {
            url: String::new(),
            reason: "it is empty".into(),
        })?;
        let options = async_nats::ConnectOptions::new()
            .name(name)
            .connection_timeout(REQUEST)
            .request_timeout(Some(REQUEST))
            .ping_interval(Duration::from_secs(10))
            .reconnect_delay_callback(|tries| Duration::from_millis(100 * tries.min(20) as u64))
            .event_callback(move |event| {
                let on = on.clone();
                async move {
                    match event {
                        async_nats::Event::Connected => on(Wire::Up),
                        async_nats::Event::Disconnected | async_nats::Event::Closed => {
                            on(Wire::Down)
                        }
                        _ => {}
                    }
                }
            });
        let options = connect.authenticate(first, options)?;
        let addresses: std::result::Result<Vec<async_nats::ServerAddr>, _> =
            urls.iter().map(|url| url.parse()).collect();
        let addresses = addresses.map_err(|error| ClusterError::BadUrl {
            url: connect.shown(),
            reason: error.to_string(),
        })?;
        let client = options.connect(addresses).await.map_err(|error| {
            use async_nats::ConnectErrorKind as Kind;
            let (url, reason) = (connect.shown(), error.to_string());
            match error.kind() {
                Kind::Authentication | Kind::AuthorizationViolation => {
                    ClusterError::Refused { url, with: connect.kind(first).into() }
                }
                Kind::Tls => ClusterError::Tls { url, reason },
                Kind::ServerParse => ClusterError::BadUrl { url, reason },
                _ => ClusterError::NoServer { url, reason },
            }
        })?;
        let js = jetstream::ContextBuilder::new()
            .timeout(REQUEST)
            .max_ack_inflight(4096)
            .backpressure_on_inflight(true)
            .build(client.clone());
        Ok(Self { client, js, names, url: connect.shown() })
    }

    /// The bucket of all solves, made if it is not there.
    pub(crate) async fn bucket(&self) -> Result<kv::Store> {
        if let Ok(store) = self.js.get_key_value(self.names.bucket()).await {
            return Ok(store);
        }
        // Made as a stream and not by the client's own call: that one first asks for what servers before 2.11 do not tell.
        let bucket = self.names.bucket();
        let config = stream::Config {
            name: format!("KV_{bucket}"),
            subjects: vec![format!("$KV.{bucket}.>")],
            description: Some("solves and their coordinators".into()),
            max_messages_per_subject: 1,
            max_message_size: 512 << 10,
            discard: stream::DiscardPolicy::New,
            allow_rollup: true,
            allow_direct: true,
            deny_delete: true,
            ..stored()
        };
        let what = "making the bucket of solves";
        self.js.create_stream(config).await.map_err(|error| self.failed(what, &error))?;
        self.js.get_key_value(bucket).await.map_err(|error| self.failed(what, &error))
    }

    /// An error of JetStream; one that says that there is no JetStream at all is told apart.
    pub(crate) fn failed(&self, what: &str, error: &dyn std::error::Error) -> ClusterError {
        let mut text = error.to_string();
        let mut source = error.source();
        // The reason stands deep in the chain.
        while let Some(inner) = source {
            let inner_text = inner.to_string();
            if !text.contains(&inner_text) {
                text = format!("{text}: {inner_text}");
            }
            source = inner.source();
        }
        let low = text.to_lowercase();
        let none = ["jetstream not enabled", "no responders", "jetstream unavailable"];
        match none.iter().any(|words| low.contains(words)) {
            true => ClusterError::NoJetStream { url: self.url.clone() },
            false => ClusterError::server(what, text),
        }
    }

    /// The names of all solves that have a key of this kind.
    pub(crate) async fn ids(&self, bucket: &kv::Store, kind: &str) -> Result<Vec<String>> {
        let begin = self.names.keys(kind);
        let failed =
            |error: &dyn std::error::Error| self.failed("asking which solves there are", error);
        let subjects =
            bucket.stream.info_with_subjects(format!("{begin}*")).await.map_err(|e| failed(&e))?;
        let mut ids: Vec<String> = subjects
            .try_filter_map(|(subject, _)| {
                let id = subject.strip_prefix(&begin).map(str::to_owned);
                std::future::ready(Ok(id))
            })
            .try_collect()
            .await
            .map_err(|e| failed(&e))?;
        ids.sort();
        Ok(ids)
    }

    /// A value of the bucket and its revision.
    pub(crate) async fn read<T: DeserializeOwned>(
        &self,
        bucket: &kv::Store,
        key: &str,
    ) -> Result<Option<(T, u64)>> {
        let entry =
            bucket.entry(key).await.map_err(|error| self.failed("reading a key", &error))?;
        let Some(entry) = entry.filter(|entry| entry.operation == kv::Operation::Put) else {
            return Ok(None);
        };
        let value = serde_json::from_slice(&entry.value)
            .map_err(|error| ClusterError::server(format!("reading the key {key}"), error))?;
        Ok(Some((value, entry.revision)))
    }

    /// Writes a value of the bucket.
    pub(crate) async fn write(
        &self,
        bucket: &kv::Store,
        key: &str,
        json: &impl serde::Serialize,
    ) -> Result<()> {
        let written = bucket.put(key, value(json)).await;
        written.map(|_| ()).map_err(|error| self.failed("writing a key", &error))
    }

    /// Removes all trace of a key.
    pub(crate) async fn erase(
        &self,
        bucket: &kv::Store,
        names: &SolveNames,
        kind: &str,
    ) -> Result<()> {
        let purged = bucket.stream.purge().filter(names.key_subject(kind)).await;
        purged.map(|_| ()).map_err(|error| self.failed("removing a key", &error))
    }

    /// The work queue of one epoch and the consumer that all workers share, made if they are not there.
    pub(crate) async fn jobs(
        &self,
        names: &SolveNames,
        epoch: u64,
        terms: &Terms,
        replicas: usize,
    ) -> Result<stream::Stream> {
        let failed = |error: &dyn std::error::Error| self.failed("making the queue of jobs", error);
        let config = stream::Config {
            name: names.jobs_stream(epoch),
            subjects: vec![format!("{}*", names.jobs_subjects(epoch))],
            retention: stream::RetentionPolicy::WorkQueue,
            discard: stream::DiscardPolicy::New,
            max_message_size: i32::try_from(terms.max_job + (4 << 10)).unwrap_or(i32::MAX),
            duplicate_window: Duration::from_secs(120),
            num_replicas: replicas,
            ..stored()
        };
        let stream = self.js.get_or_create_stream(config).await.map_err(|e| failed(&e))?;
        let config = consumer::pull::Config {
            durable_name: Some(CONSUMER.into()),
            ack_policy: consumer::AckPolicy::Explicit,
            ack_wait: terms.ack_wait,
            max_ack_pending: 1 << 16,
            max_waiting: 1 << 13,
            ..Default::default()
        };
        stream.get_or_create_consumer(CONSUMER, config).await.map_err(|e| failed(&e))?;
        Ok(stream)
    }

    /// The stream of results, made if it is not there.
    pub(crate) async fn results(
        &self,
        names: &SolveNames,
        replicas: usize,
    ) -> Result<stream::Stream> {
        let config = stream::Config {
            name: names.results_stream(),
            subjects: vec![names.results()],
            retention: stream::RetentionPolicy::Limits,
            discard: stream::DiscardPolicy::New,
            duplicate_window: Duration::from_secs(120),
            num_replicas: replicas,
            ..stored()
        };
        self.js
            .get_or_create_stream(config)
            .await
            .map_err(|e| self.failed("making the stream of results", &e))
    }

    /// A plain message, given up if the connection has no room for it.
    pub(crate) async fn say(&self, subject: String, message: Bytes) {
        let _ = tokio::time::timeout(Duration::from_secs(1), self.client.publish(subject, message))
            .await;
    }
}
