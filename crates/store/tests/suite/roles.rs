//! The source of an admin's role.

use mirasa_app::repository::Database;
use mirasa_app::repository::customers::NewUser;
use mirasa_app::repository::customers::RoleSource::{self, Config, Console};
use mirasa_domain::user::{Role, UserId};

use crate::engines::{add_user, execute_sql, for_each_engine, read, write};

async fn source(db: &Database, id: &UserId) -> Option<Option<RoleSource>> {
    let roles = read!(db, db => db.admin_roles().await?);
    let role = roles.into_iter().find(|role| role.id == *id);
    role.map(|role| role.source)
}

#[tokio::test]
async fn role_source_is_recorded() {
    for_each_engine(|shop| async move {
        let named = NewUser {
            id: UserId("named".into()),
            issuer: "i".into(),
            subject: "s".into(),
            email: "named@mirasa.example".into(),
            name: "Named".into(),
            photo: None,
            role: Role::Admin,
        };
        let id = named.id.clone();
        write!(shop.db, tx => tx.insert_user(&named, 1).await?);
        assert_eq!(source(&shop.db, &id).await, Some(Some(Config)));

        let customer = add_user(&shop.db, "asha").await;
        assert_eq!(source(&shop.db, &customer.id).await, None);
        let set = async |role| {
            let (id, name) = (customer.id.clone(), customer.name.clone());
            write!(shop.db, tx => tx.update_user(&id, &name, None, role, 2).await?);
            source(&shop.db, &customer.id).await
        };
        assert_eq!(set(Role::Admin).await, Some(Some(Console)));
        let sign_in = async |id: &UserId, role| {
            let id = id.clone();
            write!(shop.db, tx => tx.update_identity(&id, "x@mirasa.example", None, role, 3).await?);
        };
        sign_in(&customer.id, Role::Admin).await;
        assert_eq!(
            source(&shop.db, &customer.id).await,
            Some(Some(Console)),
            "was an admin before the configuration named them"
        );
        assert_eq!(set(Role::Customer).await, None);
        sign_in(&customer.id, Role::Admin).await;
        assert_eq!(source(&shop.db, &customer.id).await, Some(Some(Config)));
        assert_eq!(
            set(Role::Admin).await,
            Some(Some(Config)),
            "a change of the name does not change the source"
        );
        let revoked = id.clone();
        write!(shop.db, tx => tx.revoke_admin(&revoked, 4).await?);
        assert_eq!(source(&shop.db, &id).await, None);
    })
    .await;
}

#[tokio::test]
async fn admins_without_a_role_source_have_none() {
    for_each_engine(|shop| async move {
        let id = add_user(&shop.db, "asha").await.id;
        execute_sql(&shop, "update users set role = 'admin'").await;
        assert_eq!(source(&shop.db, &id).await, Some(None));
        let recorded = id.clone();
        write!(shop.db, tx => tx.set_role_source(&recorded, Console).await?);
        assert_eq!(source(&shop.db, &id).await, Some(Some(Console)));
    })
    .await;
}
