//! The audit log.

use mirasa_domain::audit::{AdminAction, AuditEntry};

use crate::engines::{execute_sql, for_each_engine, read, write};

fn entry(id: &str, at_ms: i64, action: AdminAction) -> AuditEntry {
    AuditEntry {
        id: id.into(),
        at_ms,
        actor: "admin@mirasa.example".into(),
        action,
        subject_id: "goda-masala".into(),
        detail: "detail".into(),
    }
}

#[tokio::test]
async fn audit_log_returns_every_action_newest_first() {
    for_each_engine(|shop| async move {
        let mut entries: Vec<_> = AdminAction::ALL
            .into_iter()
            .enumerate()
            .map(|(at, action)| entry(&format!("a{at:02}"), at as i64, action))
            .collect();
        let inserted = entries.clone();
        write!(shop.db, tx => for entry in &inserted {
            tx.insert_audit_entry(entry).await?;
        });
        entries.reverse();
        let log = read!(shop.db, db => db.audit_log_for("goda-masala").await?);
        assert_eq!(log, entries);
        assert!(read!(shop.db, db => db.audit_log_for("other").await?).is_empty());
    })
    .await;
}

#[tokio::test]
async fn audit_entry_with_an_action_of_a_later_version_is_left_out() {
    for_each_engine(|shop| async move {
        let stored = [
            entry("a1", 1, AdminAction::ProductAdded),
            entry("a2", 2, AdminAction::ProductAdded),
        ];
        let inserted = stored.clone();
        write!(shop.db, tx => for entry in &inserted {
            tx.insert_audit_entry(entry).await?;
        });
        execute_sql(
            &shop,
            "update audit set action = 'product eaten' where id = 'a2'",
        )
        .await;
        let log = read!(shop.db, db => db.audit_log_for("goda-masala").await?);
        assert_eq!(log, stored[..1]);
    })
    .await;
}

#[tokio::test]
async fn first_of_several_entries_about_an_order_counts() {
    for_each_engine(|shop| async move {
        let entry = |id: &str, at_ms, order: &str, actor: &str, detail: &str| AuditEntry {
            actor: actor.into(),
            subject_id: order.into(),
            detail: detail.into(),
            ..entry(id, at_ms, AdminAction::OrderStatusSet)
        };
        let inserted = [
            entry("a2", 1, "one", "asha@mirasa.example", "packed"),
            entry("a3", 2, "one", "ravi@mirasa.example", "packed"),
            entry(
                "a1",
                0,
                "two",
                "asha@mirasa.example",
                "confirmed to shipped",
            ),
            entry("a4", 0, "other", "asha@mirasa.example", "packed"),
        ];
        write!(shop.db, tx => tx.insert_audit_entries(&inserted).await?);
        let ids = ["one".into(), "two".into()];
        let action = AdminAction::OrderStatusSet;
        let found = read!(shop.db, db => db.first_audited(&ids, action, "packed").await?);
        assert_eq!(found, [("one".into(), "asha@mirasa.example".to_owned())]);
        assert!(read!(shop.db, db => db.first_audited(&[], action, "packed").await?).is_empty());
    })
    .await;
}
