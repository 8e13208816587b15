//! Search on PostgreSQL with and without trigram indexes: the same results, with an index if there is one.

use mirasa_app::repository::Database;
use mirasa_app::repository::customers::NewUser;
use mirasa_app::repository::orders::search::OrderFilter;
use mirasa_domain::user::{Role, UserId};
use mirasa_store::{DatabaseUrl, PoolSize};
use tokio_postgres::Client;

use crate::engines::{TestDatabase, connect_directly, postgres, read, write};
use crate::orders::{line, order};

const PARTS: [&str; 24] = [
    "a",
    "ab",
    "abc",
    "f00",
    "-7a",
    "0-7",
    "-",
    "%",
    "_",
    "\\",
    "'",
    "\"",
    "a%c",
    "a_c",
    "100%_",
    "o\"n",
    "o'b",
    "ZOË",
    "आशा",
    "शा",
    "mirasa",
    "user-00",
    "c\\d",
    "nowhere",
];

fn url(shop: &TestDatabase) -> &str {
    let DatabaseUrl::Postgres(url) = &shop.url else {
        unreachable!()
    };
    url
}

async fn fill(db: &Database) {
    let special = [
        "Zoë O\"Neil",
        "O'Brien",
        "100%_Sure",
        "c\\d",
        "आशा पाटील",
        "A_C",
    ];
    let users: Vec<NewUser> = (0..60)
        .map(|number| NewUser {
            id: UserId(format!("user-{number:02}")),
            issuer: "https://accounts.google.com".into(),
            subject: format!("sub-{number}"),
            email: format!("p{number}_x%@mirasa.example"),
            name: special
                .get(number)
                .map_or_else(|| format!("Ravi {number}"), |name| (*name).to_owned()),
            photo: None,
            role: Role::Customer,
        })
        .collect();
    let orders: Vec<_> = (0..400_u32)
        .map(|number| {
            let mixed = number.wrapping_mul(2_654_435_761);
            let id = format!("019a8d2e-{:04x}-7a10-abcd-f00{mixed:09x}", number % 977);
            let user = UserId(format!("user-{:02}", number % 60));
            order(&id, &user, i64::from(number), vec![line("goda", 1, 0)])
        })
        .collect();
    write!(db, tx => {
        for user in &users {
            tx.insert_user(user, 1).await?;
        }
        for order in &orders {
            tx.insert_order(order).await?;
        }
    });
}

/// What each part finds in the ids of orders, the ids of users, and the names and emails of users.
async fn find_all(db: &Database) -> Vec<[Vec<String>; 3]> {
    let mut found = Vec::new();
    for part in PARTS {
        let by_order = OrderFilter {
            order_id: part.into(),
            ..OrderFilter::default()
        };
        let by_user = OrderFilter {
            user_id: part.into(),
            ..OrderFilter::default()
        };
        let mut lists = Vec::new();
        for filter in [by_order, by_user] {
            let orders = read!(db, db => {
                let total = db.count_orders(&filter).await?;
                let orders = db.orders_page(&filter, total, 0, 1000).await?;
                assert_eq!(orders.len() as i64, total);
                orders
            });
            lists.push(orders.into_iter().map(|order| order.id.0).collect());
        }
        let users = read!(db, db => db.find_users(part, 0, 1000).await?);
        lists.push(users.into_iter().map(|user| user.id.0).collect());
        found.push(lists.try_into().unwrap());
    }
    found
}

async fn valid_indexes(client: &Client) -> i64 {
    let count = "select count(*) from pg_index where indisvalid
        and indexrelid in (to_regclass('orders_id_trigrams'), to_regclass('users_trigrams'))";
    client.query_one(count, &[]).await.unwrap().get(0)
}

#[tokio::test]
async fn search_finds_the_same_with_and_without_trigram_indexes() {
    let shop = postgres().await;
    fill(&shop.db).await;
    let client = connect_directly(url(&shop)).await;
    assert_eq!(valid_indexes(&client).await, 0);
    let before = find_all(&shop.db).await;
    let found = before.iter().flatten().filter(|list| !list.is_empty());
    assert!(found.count() > 20);

    // Two instances at the same time.
    let other = mirasa_store::open(&shop.url, PoolSize(1)).await.unwrap();
    let (first, second) = tokio::join!(
        shop.db.create_search_indexes(),
        other.create_search_indexes()
    );
    first.unwrap();
    second.unwrap();
    assert_eq!(valid_indexes(&client).await, 2);

    // The planner prefers other plans for so few rows. The setting is for new connections.
    let name: String = client
        .query_one("select current_database()::text", &[])
        .await
        .unwrap()
        .get(0);
    let settings = ["seqscan", "indexscan", "indexonlyscan"]
        .map(|plan| format!("alter database {name} set enable_{plan} = off"));
    client.batch_execute(&settings.join(";")).await.unwrap();
    let indexed = mirasa_store::open(&shop.url, PoolSize(2)).await.unwrap();
    assert_eq!(find_all(&indexed).await, before);
    let scans = "select idx_scan > 0 from pg_stat_user_indexes where indexrelname = $1";
    for index in ["orders_id_trigrams", "users_trigrams"] {
        let deadline = tokio::time::Instant::now() + std::time::Duration::from_secs(20);
        // A connection reports its statistics after a second.
        while !client
            .query_one(scans, &[&index])
            .await
            .unwrap()
            .get::<_, bool>(0)
        {
            assert!(
                tokio::time::Instant::now() < deadline,
                "{index} was not used"
            );
            find_all(&indexed).await;
            tokio::time::sleep(std::time::Duration::from_millis(200)).await;
        }
    }
}

#[tokio::test]
async fn an_invalid_search_index_is_created_again() {
    let shop = postgres().await;
    let client = connect_directly(url(&shop)).await;
    // As after a creation that did not end.
    client
        .batch_execute(
            "create extension pg_trgm; create index orders_id_trigrams on orders using gin (id gin_trgm_ops);
             update pg_index set indisvalid = false where indexrelid = 'orders_id_trigrams'::regclass",
        )
        .await
        .unwrap();
    assert_eq!(valid_indexes(&client).await, 0);
    shop.db.create_search_indexes().await.unwrap();
    assert_eq!(valid_indexes(&client).await, 2);
}

#[tokio::test]
async fn a_role_that_may_not_create_the_extension_searches_all_rows() {
    let shop = postgres().await;
    fill(&shop.db).await;
    let expected = find_all(&shop.db).await;
    let client = connect_directly(url(&shop)).await;
    let name: String = client
        .query_one("select current_database()::text", &[])
        .await
        .unwrap()
        .get(0);
    // The role may use the tables, but create nothing in the database.
    let role = format!("{name}_clerk");
    client
        .batch_execute(&format!(
            "create role {role} login; grant all on all tables in schema public to {role}"
        ))
        .await
        .unwrap();
    let (server, _) = url(&shop).split_once("//").unwrap();
    let (_, host) = url(&shop).split_once('@').unwrap();
    let clerk_url: DatabaseUrl = format!("{server}//{role}@{host}").parse().unwrap();
    let clerk = mirasa_store::open(&clerk_url, PoolSize(2)).await.unwrap();
    clerk.create_search_indexes().await.unwrap();
    assert_eq!(valid_indexes(&client).await, 0);
    assert_eq!(find_all(&clerk).await, expected);
    drop(clerk);
    let drop_role = format!("drop owned by {role}; drop role {role}");
    client.batch_execute(&drop_role).await.unwrap();
}
