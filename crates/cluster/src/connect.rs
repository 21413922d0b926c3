//! Where the server is and who we are to it: from the address, from options, from the environment.

use std::path::{Path, PathBuf};

use crate::{ClusterError, Result};

/// How to reach a server. What is secret in it is never printed: `Debug` shows the address alone.
#[derive(Clone, Default)]
pub struct Connect {
    /// `nats://HOST:PORT` or `tls://HOST:PORT`; several with commas between them. `USER:PASSWORD@` or `TOKEN@` may
    /// stand before the host.
    pub url: String,
    /// A token.
    pub token: Option<String>,
    /// A user, with `password`.
    pub user: Option<String>,
    /// The password of `user`.
    pub password: Option<String>,
    /// A file with the seed of an NKey.
    pub nkey: Option<PathBuf>,
    /// A file of credentials (a JWT and a seed), as `nsc` writes it.
    pub credentials: Option<PathBuf>,
    /// A file of certificates that the server's one is checked against, besides those of the system.
    pub tls_ca: Option<PathBuf>,
    /// Our own certificate, with `tls_key`.
    pub tls_cert: Option<PathBuf>,
    /// The key of `tls_cert`.
    pub tls_key: Option<PathBuf>,
    /// What all subjects and buckets begin with: `foregone` if empty.
    pub prefix: String,
}

impl std::fmt::Debug for Connect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Connect").field("url", &self.shown()).finish_non_exhaustive()
    }
}

/// One server of the address, and the secrets that stood before its name.
pub(crate) struct Server {
    pub(crate) url: String,
    pub(crate) user: Option<String>,
    pub(crate) password: Option<String>,
}

impl Connect {
    /// A server without credentials.
    #[must_use]
    pub fn new(url: impl Into<String>) -> Self {
        Self { url: url.into(), ..Self::default() }
    }

    /// A server, and what the environment says about who we are: `FOREGONE_NATS_TOKEN`, `FOREGONE_NATS_USER`,
    /// `FOREGONE_NATS_PASSWORD`, `FOREGONE_NATS_NKEY` and `FOREGONE_NATS_CREDS` (files), `FOREGONE_NATS_CA`,
    /// `FOREGONE_NATS_CERT`, `FOREGONE_NATS_KEY` (files), `FOREGONE_NATS_PREFIX`. What stands in the address goes first.
    #[must_use]
    pub fn from_environment(url: impl Into<String>) -> Self {
        Self::from_variables(url, |name| std::env::var(name).ok())
    }

    /// As [`Self::from_environment`], with another environment.
    #[must_use]
    pub fn from_variables(url: impl Into<String>, read: impl Fn(&str) -> Option<String>) -> Self {
        let text =
            |name: &str| read(&format!("FOREGONE_NATS_{name}")).filter(|text| !text.is_empty());
        let path = |name: &str| text(name).map(PathBuf::from);
        Self {
            url: url.into(),
            token: text("TOKEN"),
            user: text("USER"),
            password: text("PASSWORD"),
            nkey: path("NKEY"),
            credentials: path("CREDS"),
            tls_ca: path("CA"),
            tls_cert: path("CERT"),
            tls_key: path("KEY"),
            prefix: text("PREFIX").unwrap_or_default(),
        }
    }

    /// The address without what is secret in it.
    #[must_use]
    pub fn shown(&self) -> String {
        let one = |url: &str| {
            let (scheme, rest) = url.split_once("://").unwrap_or(("nats", url));
            // The last `@`: a password may hold one.
            let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
            format!("{scheme}://{host}")
        };
        self.url.split(',').map(|url| one(url.trim())).collect::<Vec<_>>().join(",")
    }

    /// What all names begin with.
    pub(crate) fn prefix(&self) -> &str {
        if self.prefix.is_empty() { "foregone" } else { &self.prefix }
    }

    /// The servers of the address.
    pub(crate) fn servers(&self) -> Result<Vec<Server>> {
        self.url.split(',').map(|url| self.server(url.trim())).collect()
    }

    fn server(&self, url: &str) -> Result<Server> {
        let bad = |reason: &str| ClusterError::BadUrl { url: self.shown(), reason: reason.into() };
        let (scheme, rest) = url.split_once("://").unwrap_or(("nats", url));
        if !matches!(scheme, "nats" | "tls") {
            return Err(bad("it begins with neither nats:// nor tls://"));
        }
        let (secret, host) = match rest.rsplit_once('@') {
            Some((secret, host)) => (Some(secret), host),
            None => (None, rest),
        };
        let host = host.trim_end_matches('/');
        if host.is_empty() || host.contains(['/', '?', '#', ' ']) {
            return Err(bad("there must be a host and nothing behind it"));
        }
        let decode = |text: &str| decode(text).ok_or_else(|| bad("a %-sequence in it is broken"));
        let (user, password) = match secret.map(|secret| secret.split_once(':').ok_or(secret)) {
            None => (None, None),
            Some(Ok((user, password))) => (Some(decode(user)?), Some(decode(password)?)),
            Some(Err(token)) => (Some(decode(token)?), None),
        };
        Ok(Server { url: format!("{scheme}://{host}"), user, password })
    }

    /// What the credentials are, for messages.
    pub(crate) fn kind(&self, server: &Server) -> &'static str {
        match () {
            () if server.password.is_some() => "the user and password in the address",
            () if server.user.is_some() => "the token in the address",
            () if self.credentials.is_some() => "this credentials file",
            () if self.nkey.is_some() => "this NKey",
            () if self.token.is_some() => "this token",
            () if self.user.is_some() => "this user and password",
            () => "no credentials",
        }
    }

    /// The options of the client that say who we are.
    pub(crate) fn authenticate(
        &self,
        server: &Server,
        options: async_nats::ConnectOptions,
    ) -> Result<async_nats::ConnectOptions> {
        let options = match (&server.user, &server.password) {
            (Some(user), Some(password)) => {
                options.user_and_password(user.clone(), password.clone())
            }
            (Some(token), None) => options.token(token.clone()),
            _ => self.authenticate_by_options(options)?,
        };
        let mut options = options;
        if let Some(path) = &self.tls_ca {
            options = options.add_root_certificates(readable(path)?).require_tls(true);
        }
        match (&self.tls_cert, &self.tls_key) {
            (Some(cert), Some(key)) => {
                options = options
                    .add_client_certificate(readable(cert)?, readable(key)?)
                    .require_tls(true);
            }
            (None, None) => {}
            (Some(path), None) | (None, Some(path)) => {
                let reason = "a certificate and its key belong together".into();
                return Err(ClusterError::SecretFile { path: path.display().to_string(), reason });
            }
        }
        Ok(options)
    }

    fn authenticate_by_options(
        &self,
        options: async_nats::ConnectOptions,
    ) -> Result<async_nats::ConnectOptions> {
        if let Some(path) = &self.credentials {
            // The reason is our own: that of the parser could quote the file.
            let bad = || ClusterError::SecretFile {
                path: path.display().to_string(),
                reason: "it is no credentials file (a JWT and a seed)".into(),
            };
            return options.credentials(&secret(path)?).map_err(|_| bad());
        }
        if let Some(path) = &self.nkey {
            return Ok(options.nkey(seed(&secret(path)?, path)?));
        }
        if let Some(token) = &self.token {
            return Ok(options.token(token.clone()));
        }
        if let Some(user) = &self.user {
            return Ok(
                options.user_and_password(user.clone(), self.password.clone().unwrap_or_default())
            );
        }
        Ok(options)
    }
}

/// The line of a file that looks like a seed.
fn seed(text: &str, path: &Path) -> Result<String> {
    let line = text.lines().map(str::trim).find(|line| line.starts_with('S') && line.len() > 50);
    line.map(str::to_owned).ok_or_else(|| ClusterError::SecretFile {
        path: path.display().to_string(),
        reason: "there is no seed of an NKey in it".into(),
    })
}

/// A small file with secrets.
fn secret(path: &Path) -> Result<String> {
    let path = readable(path)?;
    std::fs::read_to_string(&path).map_err(|error| ClusterError::SecretFile {
        path: path.display().to_string(),
        reason: error.to_string(),
    })
}

/// The path, if there is a file of reasonable size.
fn readable(path: &Path) -> Result<PathBuf> {
    let bad =
        |reason: String| ClusterError::SecretFile { path: path.display().to_string(), reason };
    let data = std::fs::metadata(path).map_err(|error| bad(error.to_string()))?;
    match data.is_file() && data.len() < 1 << 20 {
        true => Ok(path.to_owned()),
        false => Err(bad("it is no file of less than a megabyte".into())),
    }
}

/// The text that `%41`-sequences stand for.
fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digit = |byte: Option<u8>| byte.and_then(|byte| char::from(byte).to_digit(16));
        let (high, low) = (digit(rest.next())?, digit(rest.next())?);
        bytes.push(u8::try_from(high * 16 + low).ok()?);
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_not_shown() {
        let connect = Connect::new("nats://me:se%40cret@host:4222, tls://to@ken@other");
        assert_eq!(connect.shown(), "nats://host:4222,tls://other");
        assert!(!format!("{connect:?}").contains("cret"));
        let servers = connect.servers().unwrap();
        assert_eq!(servers[0].password.as_deref(), Some("se@cret"));
        assert_eq!(servers[1].user.as_deref(), Some("to@ken"));
        for bad in ["http://x", "nats://", "nats://a/b", "nats://%4@host"] {
            assert!(Connect::new(bad).servers().is_err(), "{bad}");
        }
    }

    #[test]
    fn the_environment_is_read() {
        let connect = Connect::from_variables("nats://h", |name| match name {
            "FOREGONE_NATS_TOKEN" => Some("t".into()),
            "FOREGONE_NATS_USER" => Some(String::new()),
            "FOREGONE_NATS_CREDS" => Some("/no/such/file".into()),
            _ => None,
        });
        assert_eq!(connect.token.as_deref(), Some("t"));
        assert_eq!(connect.user, None);
        let server = &connect.servers().unwrap()[0];
        let error = connect.authenticate(server, async_nats::ConnectOptions::new()).err().unwrap();
        assert!(error.to_string().starts_with("cannot use /no/such/file"), "{error}");
    }
}
