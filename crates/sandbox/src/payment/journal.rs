//! One thread owns the state. It runs the waiting jobs, saves all changes with one fsync, and only
//! then sends the results, so that a crash loses no change that a client knows of.

use std::fs::{File, OpenOptions};
use std::io::Result;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};

use tokio::sync::oneshot;

use super::state::GatewayState;

const FILE_NAME: &str = "gateway.jsonl";
/// Large enough to share one fsync, small enough to keep the first job's wait short.
const MAX_BATCH: usize = 256;

type Job = Box<dyn FnOnce(&mut GatewayState) -> Reply + Send>;
/// Called with whether the changes are on disk.
type Reply = Box<dyn FnOnce(bool) + Send>;

pub(super) struct Journal(Sender<Job>);

#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("the sandbox gateway cannot keep its record")]
pub(super) struct WriteFailed;

impl Journal {
    pub(super) fn open(folder: &Path) -> Result<Journal> {
        std::fs::create_dir_all(folder)?;
        let file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .mode(0o600)
            .open(folder.join(FILE_NAME))?;
        let state = GatewayState::open(file)?;
        // Makes the file's directory entry durable too.
        File::open(folder)?.sync_all()?;
        let (sender, jobs) = channel();
        std::thread::Builder::new()
            .name("sandbox-gateway".into())
            .spawn(move || writer_loop(state, &jobs))?;
        Ok(Journal(sender))
    }

    /// Runs a job on the state, and returns its result when its changes are on disk.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut GatewayState) -> T + Send + 'static,
    ) -> std::result::Result<T, WriteFailed> {
        let (sender, receiver) = oneshot::channel();
        let job: Job = Box::new(move |state| {
            let outcome = work(state);
            Box::new(move |written| {
                let _ = sender.send(written.then_some(outcome));
            })
        });
        self.0.send(job).map_err(|_| WriteFailed)?;
        receiver.await.ok().flatten().ok_or(WriteFailed)
    }
}

fn writer_loop(mut state: GatewayState, jobs: &Receiver<Job>) {
    while let Ok(first) = jobs.recv() {
        let batch = std::iter::once(first)
            .chain(jobs.try_iter())
            .take(MAX_BATCH);
        let replies = batch.map(|job| job(&mut state)).collect::<Vec<_>>();
        let saved = state.save();
        for reply in replies {
            reply(saved);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use serde_json::{Value, json};

    use super::super::state::{GatewayState, Order, PaymentOutcome, State};
    use super::{FILE_NAME, Journal};

    fn order(id: &str) -> Order {
        Order {
            merchant_order_id: id.into(),
            order_id: format!("OMO{id}"),
            amount: 6_500,
            message: String::new(),
            redirect_url: "http://shop.example/".into(),
            meta_info: Value::Null,
            created_at: 1,
            expire_at: 1_000,
            state: State::Pending,
            settled_at: None,
            payment_mode: None,
            transaction_id: None,
            error_code: None,
            detailed_error_code: None,
        }
    }

    #[tokio::test]
    async fn reopen_reads_saved_orders_and_drops_torn_line() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::open(folder.path()).unwrap();
        for id in ["a", "b"] {
            let opened = journal.run(|state| state.create_order(order(id))).await;
            assert!(opened.unwrap().is_ok());
        }
        let again = journal.run(|state| state.create_order(order("a"))).await;
        assert_eq!(again.unwrap().unwrap_err().status, 417);
        drop(journal);

        let path = folder.path().join(FILE_NAME);
        let mut file = std::fs::OpenOptions::new()
            .append(true)
            .open(&path)
            .unwrap();
        file.write_all(b"{\"order\":{\"merchantOr").unwrap();
        for _ in 0..2 {
            let journal = Journal::open(folder.path()).unwrap();
            let record = journal.run(|state| state.dump(1)).await.unwrap();
            assert_eq!(record["orders"].as_array().unwrap().len(), 2);
            assert_eq!(record["orders"][0]["state"], json!("PENDING"));
        }
        file.write_all(b"nonsense\n").unwrap();
        assert!(Journal::open(folder.path()).is_err());
    }

    #[tokio::test]
    async fn order_state_is_same_before_and_after_reopen() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::open(folder.path()).unwrap();
        let pay = |state: &mut GatewayState, page: &str| {
            let paid = PaymentOutcome::Paid {
                mode: "UPI_QR".into(),
            };
            state.settle(page, paid, "T1".into(), 2, false).unwrap().1
        };
        let before_save = journal.run(move |state| {
            state.create_order(order("a")).unwrap();
            state.create_order(order("b")).unwrap();
            let first = pay(state, "OMOa");
            (
                first,
                pay(state, "OMOa"),
                state.order("b", 3).unwrap().state,
            )
        });
        assert_eq!(before_save.await.unwrap(), (true, false, State::Pending));
        drop(journal);

        let journal = Journal::open(folder.path()).unwrap();
        let after_reopen = journal.run(move |state| {
            let expired = state.order("b", 1_000).unwrap().state;
            (pay(state, "OMOa"), pay(state, "OMOb"), expired)
        });
        assert_eq!(after_reopen.await.unwrap(), (false, false, State::Failed));
        let final_states = journal.run(|state| {
            let by_page = state.order_by_page("OMOa", 3).unwrap();
            (by_page.transaction_id, state.order("b", 3).unwrap().state)
        });
        assert_eq!(
            final_states.await.unwrap(),
            (Some("T1".into()), State::Failed)
        );
    }

    #[tokio::test]
    async fn unreadable_log_fails_every_read() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::open(folder.path()).unwrap();
        let opened = journal.run(|state| state.create_order(order("a"))).await;
        assert!(opened.unwrap().is_ok());
        std::fs::write(folder.path().join(FILE_NAME), "{").unwrap();
        for id in ["a", "unheard of"] {
            let found = journal.run(|state| state.order(id, 1)).await;
            assert!(found.is_err(), "{id}");
        }
    }

    #[tokio::test]
    async fn concurrent_creates_write_each_order_once() {
        let folder = tempfile::tempdir().unwrap();
        let journal = std::sync::Arc::new(Journal::open(folder.path()).unwrap());
        let tasks = (0..200).map(|at| {
            let journal = journal.clone();
            tokio::spawn(async move {
                let id = format!("n{}", at % 100);
                let opened = journal.run(move |state| state.create_order(order(&id)));
                opened.await.unwrap().is_ok()
            })
        });
        let mut opened = 0;
        for task in tasks.collect::<Vec<_>>() {
            opened += usize::from(task.await.unwrap());
        }
        assert_eq!(opened, 100);
        let lines = std::fs::read_to_string(folder.path().join(FILE_NAME)).unwrap();
        assert_eq!(lines.lines().count(), 100);
    }
}
