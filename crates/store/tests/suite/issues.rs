//! Order issues.

use mirasa_domain::issue::{IssueKind, OrderIssue};

use crate::engines::{add_user, for_each_engine, read, write};
use crate::orders::{line, order, place};

#[tokio::test]
async fn issue_same_kind_and_subject_is_opened_and_resolved_once() {
    for_each_engine(|shop| async move {
        let user = add_user(&shop.db, "asha").await.id;
        place(&shop.db, &order("o1", &user, 1, vec![line("goda", 1, 0)])).await;
        let issue = |id: &str, kind: IssueKind| OrderIssue {
            id: id.into(),
            order_id: "o1".into(),
            kind,
            subject_id: "M-o1".into(),
            detail: "detail".into(),
            created_at_ms: 1,
            order_is_deleted: false,
        };
        for (id, kind) in [
            ("c1", IssueKind::Refund),
            ("c2", IssueKind::Refund),
            ("c3", IssueKind::LatePayment),
        ] {
            let issue = issue(id, kind);
            write!(shop.db, tx => tx.open_issue(&issue).await?);
        }
        let open = read!(shop.db, db => db.open_issues().await?);
        let mut open: Vec<_> = open.into_iter().map(|open| open.issue).collect();
        open.sort_by(|a, b| a.id.cmp(&b.id));
        assert_eq!(
            open,
            [
                issue("c1", IssueKind::Refund),
                issue("c3", IssueKind::LatePayment)
            ]
        );
        assert!(write!(shop.db, tx => tx.resolve_issue(&"c1".into(), "", 5).await?));
        assert!(!write!(shop.db, tx => tx.resolve_issue(&"c1".into(), "", 6).await?));
        let again = issue("c4", IssueKind::Refund);
        write!(shop.db, tx => tx.open_issue(&again).await?);
        assert_eq!(
            read!(shop.db, db => db.open_issues().await?).len(),
            1,
            "a resolved issue is not opened again"
        );
    })
    .await;
}
