//! A streaming replica of PostgreSQL, for reads that may take long: lists, exports, reports. A read sees everything that was
//! committed before it, by any instance: it waits until the replica has replayed it, for a short time. If that does not
//! help, or if the replica fails, the primary serves.

use std::sync::Mutex;
use std::time::Duration;

use anyhow::{Context as _, anyhow};
use deadpool::managed::Pool;
use mirasa_app::repository::{StoreError, StoreResult};
use tokio::sync::OnceCell;
use tokio::time::{Instant, sleep, timeout};

use crate::postgres::connect::{Servers, Session};
use crate::postgres::pool::open_pool;
use crate::sql::engine::PoolSize;
use crate::sql::errors::postgres_error;

/// How long a read waits for the replica to replay the last commit.
const REPLAY_TIMEOUT: Duration = Duration::from_millis(200);
const REPLAY_POLL_INTERVAL: Duration = Duration::from_millis(10);
/// How long a server may take to tell its position.
const POSITION_TIMEOUT: Duration = Duration::from_secs(1);
/// How long the replica is not used after a failure.
const PAUSE: Duration = Duration::from_secs(5);

pub struct Replica {
    pub pool: Pool<Servers>,
    is_probed: OnceCell<()>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    paused_until: Option<Instant>,
    is_failing: bool,
}

impl Replica {
    /// Opens no connection: the shop starts without its replica.
    pub fn new(url: &str, size: PoolSize) -> StoreResult<Replica> {
        let servers = Servers::parse(&standby_url(url)).map_err(StoreError::Broken)?;
        Ok(Replica {
            pool: open_pool(servers, size)?,
            is_probed: OnceCell::new(),
            state: Mutex::default(),
        })
    }

    pub fn is_paused(&self) -> bool {
        let now = Instant::now();
        self.update(|state| state.paused_until.is_some_and(|until| now < until))
    }

    /// Logs the first failure after a success.
    pub fn pause(&self, error: StoreError) {
        let is_first = self.update(|state| {
            state.paused_until = Some(Instant::now() + PAUSE);
            !std::mem::replace(&mut state.is_failing, true)
        });
        if is_first {
            let error = format!("{:#}", anyhow::Error::from(error));
            tracing::warn!(
                error,
                "the read replica is not used; the primary serves instead"
            );
        }
    }

    pub fn recovered(&self) {
        if self.update(|state| std::mem::replace(&mut state.is_failing, false)) {
            tracing::info!("the read replica is used again");
        }
    }

    fn update<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(
            &mut self
                .state
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner),
        )
    }

    pub async fn detect_pooler(&self) -> StoreResult<()> {
        let probe = || async { self.pool.manager().detect_pooler().await };
        self.is_probed.get_or_try_init(probe).await?;
        Ok(())
    }
}

/// A replica that was promoted is no replica any more.
fn standby_url(url: &str) -> String {
    if url.contains("target_session_attrs=") {
        return url.to_owned();
    }
    let separator = if url.contains('?') { '&' } else { '?' };
    format!("{url}{separator}target_session_attrs=read-only")
}

/// The position in the log up to which the primary has committed. Only what is flushed is sent to the replica soon; a commit
/// may be acknowledged before that if the primary is configured so.
pub async fn written_position(primary: &Session) -> StoreResult<String> {
    const POSITION: &str = "select case when current_setting('synchronous_commit') = 'off'
        then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end";
    let position = ask(primary, POSITION).await?;
    let position = position.context("no position of the primary");
    position.map_err(StoreError::Unavailable)
}

pub async fn wait_until_replayed(replica: &Session, position: &str) -> StoreResult<()> {
    let text =
        format!("select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= '{position}'::pg_lsn");
    let deadline = Instant::now() + REPLAY_TIMEOUT;
    while ask(replica, &text).await?.as_deref() != Some("t") {
        if Instant::now() > deadline {
            let lag = anyhow!("it has not replayed the last commit within {REPLAY_TIMEOUT:?}");
            return Err(StoreError::Unavailable(lag));
        }
        sleep(REPLAY_POLL_INTERVAL).await;
    }
    Ok(())
}

async fn ask(session: &Session, text: &str) -> StoreResult<Option<String>> {
    let answer = timeout(POSITION_TIMEOUT, session.first_value(text)).await;
    let late = |_| StoreError::Unavailable(anyhow!("no position within {POSITION_TIMEOUT:?}"));
    answer.map_err(late)?.map_err(postgres_error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replica_url_accepts_only_a_standby() {
        for (url, expected) in [
            (
                "postgres://h/d",
                "postgres://h/d?target_session_attrs=read-only",
            ),
            (
                "postgres://h/d?sslmode=require",
                "postgres://h/d?sslmode=require&target_session_attrs=read-only",
            ),
            (
                "postgres://h/d?target_session_attrs=any",
                "postgres://h/d?target_session_attrs=any",
            ),
        ] {
            assert_eq!(standby_url(url), expected);
        }
    }
}
