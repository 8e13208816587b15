//! One thread owns the books: it does the work that is waiting, saves all of its changes with one fsync,
//! and only then lets anybody have an answer, so that nothing the gateway has ever said is forgotten in a
//! crash.

use std::fs::{File, OpenOptions};
use std::io::Result;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};

use tokio::sync::oneshot;

use super::books::Books;

const FILE: &str = "gateway.jsonl";
/// Enough to share one fsync well, little enough for the first in line.
const TOGETHER: usize = 256;

type Work = Box<dyn FnOnce(&mut Books) -> Answer + Send>;
/// Told whether the changes are on disk.
type Answer = Box<dyn FnOnce(bool) + Send>;

pub(super) struct Journal(Sender<Work>);

#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("the sandbox gateway cannot keep its record")]
pub(super) struct CannotWrite;

impl Journal {
    pub(super) fn open(folder: &Path) -> Result<Journal> {
        std::fs::create_dir_all(folder)?;
        let file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .mode(0o600)
            .open(folder.join(FILE))?;
        let books = Books::open(file)?;
        // The file's own name must survive too.
        File::open(folder)?.sync_all()?;
        let (sender, waiting) = channel();
        std::thread::Builder::new()
            .name("sandbox-gateway".into())
            .spawn(move || keep(books, &waiting))?;
        Ok(Journal(sender))
    }

    /// Does this to the books, and answers when what it wrote is safe.
    pub(super) async fn with<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Books) -> T + Send + 'static,
    ) -> std::result::Result<T, CannotWrite> {
        let (answer, answered) = oneshot::channel();
        let work: Work = Box::new(move |books| {
            let outcome = work(books);
            Box::new(move |written| {
                let _ = answer.send(written.then_some(outcome));
            })
        });
        self.0.send(work).map_err(|_| CannotWrite)?;
        answered.await.ok().flatten().ok_or(CannotWrite)
    }
}

fn keep(mut books: Books, waiting: &Receiver<Work>) {
    while let Ok(first) = waiting.recv() {
        let together = std::iter::once(first)
            .chain(waiting.try_iter())
            .take(TOGETHER);
        let answers = together.map(|work| work(&mut books)).collect::<Vec<_>>();
        let saved = books.save();
        for answer in answers {
            answer(saved);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use serde_json::{Value, json};

    use super::super::books::{Books, Order, Outcome, State};
    use super::{FILE, Journal};

    fn order(number: &str) -> Order {
        Order {
            merchant_order_id: number.into(),
            order_id: format!("OMO{number}"),
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
    async fn what_was_answered_is_read_back_and_a_torn_line_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::open(folder.path()).unwrap();
        for number in ["a", "b"] {
            let opened = journal.with(|books| books.open_order(order(number))).await;
            assert!(opened.unwrap().is_ok());
        }
        let again = journal.with(|books| books.open_order(order("a"))).await;
        assert_eq!(again.unwrap().unwrap_err().status, 417);
        drop(journal);

        let path = folder.path().join(FILE);
        let mut file = std::fs::OpenOptions::new()
            .append(true)
            .open(&path)
            .unwrap();
        file.write_all(b"{\"order\":{\"merchantOr").unwrap();
        for _ in 0..2 {
            let journal = Journal::open(folder.path()).unwrap();
            let record = journal.with(|books| books.record(1)).await.unwrap();
            assert_eq!(record["orders"].as_array().unwrap().len(), 2);
            assert_eq!(record["orders"][0]["state"], json!("PENDING"));
        }
        file.write_all(b"nonsense\n").unwrap();
        assert!(Journal::open(folder.path()).is_err());
    }

    #[tokio::test]
    async fn an_order_is_as_it_was_left_before_and_after_it_is_saved() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::open(folder.path()).unwrap();
        let pay = |books: &mut Books, page: &str| {
            let paid = Outcome::Paid {
                mode: "UPI_QR".into(),
            };
            books.settle(page, paid, "T1".into(), 2, false).unwrap().1
        };
        let at_once = journal.with(move |books| {
            books.open_order(order("a")).unwrap();
            books.open_order(order("b")).unwrap();
            let first = pay(books, "OMOa");
            (
                first,
                pay(books, "OMOa"),
                books.order("b", 3).unwrap().state,
            )
        });
        assert_eq!(at_once.await.unwrap(), (true, false, State::Pending));
        drop(journal);

        let journal = Journal::open(folder.path()).unwrap();
        let later = journal.with(move |books| {
            let expired = books.order("b", 1_000).unwrap().state;
            (pay(books, "OMOa"), pay(books, "OMOb"), expired)
        });
        assert_eq!(later.await.unwrap(), (false, false, State::Failed));
        let ends = journal.with(|books| {
            let of_page = books.order_of_page("OMOa", 3).unwrap();
            (of_page.transaction_id, books.order("b", 3).unwrap().state)
        });
        assert_eq!(ends.await.unwrap(), (Some("T1".into()), State::Failed));
    }

    #[tokio::test]
    async fn an_order_that_cannot_be_read_is_not_said_to_be_unknown() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::open(folder.path()).unwrap();
        let opened = journal.with(|books| books.open_order(order("a"))).await;
        assert!(opened.unwrap().is_ok());
        std::fs::write(folder.path().join(FILE), "{").unwrap();
        for number in ["a", "unheard of"] {
            let asked = journal.with(|books| books.order(number, 1)).await;
            assert!(asked.is_err(), "{number}");
        }
    }

    #[tokio::test]
    async fn a_crowd_is_answered_one_each() {
        let folder = tempfile::tempdir().unwrap();
        let journal = std::sync::Arc::new(Journal::open(folder.path()).unwrap());
        let crowd = (0..200).map(|at| {
            let journal = journal.clone();
            tokio::spawn(async move {
                let number = format!("n{}", at % 100);
                let opened = journal.with(move |books| books.open_order(order(&number)));
                opened.await.unwrap().is_ok()
            })
        });
        let mut opened = 0;
        for one in crowd.collect::<Vec<_>>() {
            opened += usize::from(one.await.unwrap());
        }
        assert_eq!(opened, 100);
        let lines = std::fs::read_to_string(folder.path().join(FILE)).unwrap();
        assert_eq!(lines.lines().count(), 100);
    }
}
