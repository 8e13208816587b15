//! Contact messages and their replies.

use mirasa_app::repository::Database;
use mirasa_domain::message::{ContactMessage, Delivery, MessageReply, MessageState};
use tokio::task::JoinSet;

use crate::engines::{add_user, for_each_engine, read, write};
use crate::leases::email;

pub fn message(id: &str, from: &str, at_ms: i64) -> ContactMessage {
    let text = format!("Message {id}\nनमस्ते 🌶");
    ContactMessage::new(id.into(), "Asha".into(), from.into(), text, at_ms)
}

pub fn reply(id: &str, at_ms: i64) -> MessageReply {
    MessageReply {
        id: id.into(),
        text: "Yes, it is.".into(),
        author: "owner@mirasa.example".into(),
        at_ms,
        delivery: Delivery::Sent,
    }
}

pub async fn add_message(db: &Database, id: &str, from: &str, at_ms: i64) {
    let message = message(id, from, at_ms);
    write!(db, tx => tx.insert_message(&message).await?);
}

async fn listed(db: &Database, state: MessageState, offset: i64, limit: i64) -> Vec<String> {
    let messages = read!(db, db => db.messages(state, offset, limit).await?);
    messages.into_iter().map(|message| message.id.0).collect()
}

#[tokio::test]
async fn messages_are_listed_by_state_newest_first() {
    for_each_engine(|shop| async move {
        let db = shop.db;
        // Two have the same time.
        for (id, at_ms) in [("m1", 10), ("m2", 20), ("m3", 20), ("m4", 30)] {
            add_message(&db, id, "asha@mirasa.example", at_ms).await;
        }
        write!(db, tx => {
            tx.set_message_state(&"m2".into(), Some(40), None).await?;
            tx.set_message_state(&"m3".into(), Some(40), Some(50)).await?
        });
        for (state, ids) in [
            (MessageState::All, vec!["m4", "m3", "m2", "m1"]),
            (MessageState::Open, vec!["m4", "m2", "m1"]),
            (MessageState::Unread, vec!["m4", "m1"]),
            (MessageState::Done, vec!["m3"]),
        ] {
            assert_eq!(listed(&db, state, 0, 9).await, ids, "{state:?}");
            let count = read!(db, db => db.count_messages(state).await?);
            assert_eq!(count, ids.len() as i64, "{state:?}");
        }
        assert_eq!(listed(&db, MessageState::All, 1, 2).await, ["m3", "m2"]);
        assert!(listed(&db, MessageState::All, 9, 2).await.is_empty());

        let done = read!(db, db => db.message(&"m3".into()).await?).unwrap();
        assert_eq!((done.read_at_ms, done.done_at_ms), (Some(40), Some(50)));
        write!(db, tx => tx.set_message_state(&"m3".into(), None, None).await?);
        let again = read!(db, db => db.message(&"m3".into()).await?).unwrap();
        assert_eq!(again, message("m3", "asha@mirasa.example", 20));
        assert_eq!(read!(db, db => db.message(&"m9".into()).await?), None);
    })
    .await;
}

#[tokio::test]
async fn first_reply_begins_the_thread() {
    for_each_engine(|shop| async move {
        let db = shop.db;
        add_message(&db, "m1", "asha@mirasa.example", 10).await;
        add_message(&db, "m2", "asha@mirasa.example", 11).await;
        // The second one is older by its clock.
        write!(db, tx => tx.insert_reply(&"m1".into(), &reply("r2", 30)).await?);
        write!(db, tx => tx.insert_reply(&"m1".into(), &reply("r1", 20)).await?);
        let found = read!(db, db => db.messages(MessageState::Open, 0, 9).await?);
        assert_eq!(found[0].replies, []);
        assert_eq!(found[0].thread_id, None);
        assert_eq!(found[1].replies, [reply("r1", 20), reply("r2", 30)]);
        assert_eq!(found[1].thread_id, Some("r2".into()));
        let from = read!(db, db => db.messages_from("ASHA@mirasa.example").await?);
        assert_eq!(from, [found[1].clone(), found[0].clone()], "oldest first");
    })
    .await;
}

#[tokio::test]
async fn concurrent_replies_see_the_thread_that_the_first_one_begins() {
    for_each_engine(|shop| async move {
        add_message(&shop.db, "m1", "asha@mirasa.example", 10).await;
        let mut admins = JoinSet::new();
        for number in 0..20 {
            let db = shop.db.clone();
            admins.spawn(async move {
                write!(db, tx => {
                    let message = tx.lock_message(&"m1".into()).await?.unwrap();
                    let reply = reply(&format!("r{number}"), 20);
                    tx.insert_reply(&"m1".into(), &reply).await?;
                    message.thread_id
                })
            });
        }
        let seen = admins.join_all().await;
        let firsts = seen.iter().filter(|thread| thread.is_none()).count();
        assert_eq!(firsts, 1, "{seen:?}");
        let message = read!(shop.db, db => db.message(&"m1".into()).await?).unwrap();
        assert_eq!(message.replies.len(), 20);
        let others = seen.iter().flatten();
        assert!(
            others
                .into_iter()
                .all(|thread| Some(thread) == message.thread_id.as_ref())
        );
    })
    .await;
}

#[tokio::test]
async fn reply_has_the_state_of_its_email() {
    for_each_engine(|shop| async move {
        let db = shop.db;
        add_message(&db, "m1", "asha@mirasa.example", 10).await;
        write!(db, tx => {
            tx.insert_reply(&"m1".into(), &reply("r1", 20)).await?;
            tx.insert_email(&email("r1", 20)).await?
        });
        let delivery = async || {
            let message = read!(db, db => db.message(&"m1".into()).await?).unwrap();
            message.replies[0].delivery
        };
        assert_eq!(delivery().await, Delivery::Queued);
        write!(db, tx => tx.mark_email_failed(&"r1".into(), "refused", 50).await?);
        assert_eq!(delivery().await, Delivery::Failing);
        write!(db, tx => tx.mark_emails_sent(&["r1".into()], 60).await?);
        assert_eq!(delivery().await, Delivery::Sent);
    })
    .await;
}

/// The email is typed into the form, so its case may differ from the account's.
#[tokio::test]
async fn erasure_deletes_messages_replies_and_their_emails() {
    for_each_engine(|shop| async move {
        let db = shop.db;
        let asha = add_user(&db, "asha").await;
        for (message, reply_id, from) in [
            ("m1", "r1", "Asha@Mirasa.example"),
            ("m2", "r2", "ravi@mirasa.example"),
        ] {
            add_message(&db, message, from, 10).await;
            write!(db, tx => {
                tx.insert_reply(&message.into(), &reply(reply_id, 20)).await?;
                let mut email = email(reply_id, 20);
                email.recipient = from.into();
                tx.insert_email(&email).await?
            });
        }
        write!(db, tx => tx.erase_user(&asha.id, &asha.email, 30).await?);
        assert_eq!(read!(db, db => db.message(&"m1".into()).await?), None);
        assert_eq!(read!(db, db => db.email(&"r1".into()).await?), None);
        let kept = read!(db, db => db.message(&"m2".into()).await?).unwrap();
        assert_eq!(kept.replies.len(), 1);
        assert!(read!(db, db => db.email(&"r2".into()).await?).is_some());
        // The reply is gone: its id is free again.
        add_message(&db, "m3", "asha@mirasa.example", 40).await;
        write!(db, tx => tx.insert_reply(&"m3".into(), &reply("r1", 50)).await?);
    })
    .await;
}
