//! Search of users by a part of their name or email, after inserts, changes and deletions.

use mirasa_app::repository::Database;
use mirasa_app::repository::customers::NewUser;
use mirasa_domain::user::{Role, UserId};
use mirasa_store::DatabaseUrl;

use crate::engines::{for_each_engine, read, write};

fn user(number: usize, name: &str) -> NewUser {
    NewUser {
        id: UserId(format!("id-{number}")),
        issuer: "https://accounts.google.com".into(),
        subject: format!("sub-{number}"),
        email: format!("p{number}@mirasa.example"),
        name: name.into(),
        photo: None,
        role: Role::Customer,
    }
}

async fn find(db: &Database, search: &str, offset: i64, limit: i64) -> Vec<String> {
    let search = search.to_owned();
    let users = read!(db, db => db.find_users(&search, offset, limit).await?);
    users.into_iter().map(|user| user.name).collect()
}

#[tokio::test]
async fn user_search_finds_any_part_of_name_or_email() {
    for_each_engine(|shop| async move {
        // More than MAX_CANDIDATES of the index.
        let many: Vec<_> = (0..700).map(|n| user(n, &format!("Ravi {n}"))).collect();
        let special = ["Zoë O\"Neil", "100%_Sure*", "आशा पाटील", "Al"];
        let special: Vec<_> = (700..)
            .zip(special)
            .map(|(n, name)| user(n, name))
            .collect();
        write!(shop.db, tx => for (at, user) in (0..).zip(many.iter().chain(&special)) {
            tx.insert_user(user, at).await?;
        });
        let none: [&str; 0] = [];
        for (search, names) in [
            (
                "avi 42",
                &[
                    "Ravi 429", "Ravi 428", "Ravi 427", "Ravi 426", "Ravi 425", "Ravi 424",
                    "Ravi 423", "Ravi 422", "Ravi 421", "Ravi 420", "Ravi 42",
                ][..],
            ),
            ("P77@MIRASA", &["Ravi 77"]),
            ("ravi 600", &["Ravi 600"]),
            ("o\"n", &["Zoë O\"Neil"]),
            ("zoë", &["Zoë O\"Neil"]),
            ("0%_", &["100%_Sure*"]),
            ("ure*", &["100%_Sure*"]),
            ("शा पा", &["आशा पाटील"]),
            ("al", &["Al"]),
            // A match must not cross from the name into the email.
            ("Ravi 1p1", &none),
            ("ravi AND 42", &none),
            ("ra%i", &none),
        ] {
            assert_eq!(find(&shop.db, search, 0, 20).await, names, "{search}");
        }
        assert_eq!(find(&shop.db, "ravi", 0, 2).await, ["Ravi 699", "Ravi 698"]);
        assert_eq!(find(&shop.db, "ravi", 698, 20).await, ["Ravi 1", "Ravi 0"]);
        assert_eq!(find(&shop.db, "avi 42", 10, 20).await, ["Ravi 42"]);
        assert_eq!(find(&shop.db, "mirasa.ex", 0, 1).await, ["Al"]);
        assert_eq!(find(&shop.db, "", 3, 2).await, ["Zoë O\"Neil", "Ravi 699"]);
    })
    .await;
}

#[tokio::test]
async fn user_search_does_not_find_old_names_or_deleted_users() {
    for_each_engine(|shop| async move {
        let (asha, ravi) = (user(1, "Asha Kulkarni"), user(2, "Ravi Shinde"));
        let (first, second) = (asha.id.clone(), ravi.id.clone());
        let (changed, email) = (asha.id.clone(), asha.email.clone());
        write!(shop.db, tx => {
            tx.insert_user(&asha, 1).await?;
            tx.insert_user(&ravi, 2).await?;
            tx.update_user(&changed, "Asha Qxyz", None, Role::Customer, 3).await?
        });
        assert_eq!(find(&shop.db, "kulkarni", 0, 9).await, [""; 0]);
        assert_eq!(find(&shop.db, "a qxy", 0, 9).await, ["Asha Qxyz"]);
        assert_eq!(find(&shop.db, "p1@mirasa", 0, 9).await, ["Asha Qxyz"]);

        write!(shop.db, tx => tx.erase_user(&first, &email, 4).await?);
        write!(shop.db, tx => tx.delete_user(&second, 5).await?);
        for search in ["a qxy", "p1@mirasa", "shinde", "mirasa"] {
            assert_eq!(find(&shop.db, search, 0, 9).await, [""; 0], "{search}");
        }
        if let DatabaseUrl::Sqlite(path) = &shop.url {
            // The name of the erased user is not in the index either.
            let index = rusqlite::Connection::open(path).unwrap();
            let blocks_with = |text: &str| -> i64 {
                let count = "select count(*) from people_words_data where instr(block, cast(?1 as blob)) > 0";
                index.query_row(count, [text], |row| row.get(0)).unwrap()
            };
            assert_eq!((blocks_with("qxy"), blocks_with("vi ")), (0, 1));
            let check = "insert into people_words (people_words, rank) values ('integrity-check', 1)";
            index.execute_batch(check).unwrap();
        }
    })
    .await;
}
