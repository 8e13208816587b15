//! Reads on a streaming replica, with a primary and a standby of the test's own.

use std::net::TcpListener;
use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use mirasa_app::repository::Database;
use mirasa_store::{DatabaseUrl, PoolSize};
use tokio::time::Instant;

use crate::engines::{add_user, connect_directly, postgres};

/// A primary and its standby. They are stopped and deleted at the end.
struct Cluster {
    folder: PathBuf,
    programs: String,
    ports: [u16; 2],
}

const PRIMARY: usize = 0;
const STANDBY: usize = 1;
const NAMES: [&str; 2] = ["primary", "standby"];

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

impl Cluster {
    async fn start() -> Cluster {
        let server = std::env::var("MIRASA_TEST_POSTGRES").unwrap();
        let find = "select setting from pg_config where name = 'BINDIR'";
        let client = connect_directly(&server).await;
        let programs = client.query_one(find, &[]).await.unwrap().get(0);
        // The path of a Unix socket must be short.
        let folder = tempfile::Builder::new()
            .prefix("mirasa-replica.")
            .tempdir_in("/tmp")
            .unwrap()
            .keep();
        let cluster = Cluster {
            folder,
            programs,
            ports: [free_port(), free_port()],
        };
        if is_root() {
            let mut command = Command::new("chown");
            let owned = command.arg("postgres").arg(&cluster.folder).status();
            assert!(owned.unwrap().success());
        }
        let arguments = "-D primary -U mirasa -A trust -E UTF8 --locale C.UTF-8 -N";
        cluster.run("initdb", arguments);
        cluster.start_server(PRIMARY);
        let port = cluster.ports[PRIMARY];
        let copy = format!("-D standby -h 127.0.0.1 -p {port} -U mirasa -R -X stream -c fast");
        cluster.run("pg_basebackup", &copy);
        cluster.start_server(STANDBY);
        cluster
    }

    /// PostgreSQL refuses to run as root.
    fn run(&self, program: &str, arguments: &str) {
        let program = format!("{}/{program}", self.programs);
        let mut command = if is_root() {
            let mut command = Command::new("runuser");
            command.args(["-u", "postgres", "--", &program]);
            command
        } else {
            Command::new(program)
        };
        command.current_dir(&self.folder);
        let done = command.args(arguments.split(' ')).output().unwrap();
        assert!(done.status.success(), "{command:?}: {done:?}");
    }

    fn start_server(&self, server: usize) {
        let (name, port) = (NAMES[server], self.ports[server]);
        let settings = format!(
            "port = {port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\nfsync = off\n"
        );
        let file = self.folder.join(name).join("postgresql.conf");
        let before = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, format!("{before}\n{settings}")).unwrap();
        self.run("pg_ctl", &format!("start -D {name} -l {name}.log -w -s"));
    }

    fn stop_server(&self, server: usize) {
        let name = NAMES[server];
        self.run("pg_ctl", &format!("stop -D {name} -m immediate -s"));
    }

    fn url(&self, server: usize) -> String {
        format!(
            "postgres://mirasa@127.0.0.1:{}/postgres",
            self.ports[server]
        )
    }

    async fn open(&self) -> Database {
        let [url, replica] =
            [PRIMARY, STANDBY].map(|server| DatabaseUrl::Postgres(self.url(server)));
        mirasa_store::open_with_replica(&url, Some(&replica), PoolSize(4))
            .await
            .unwrap()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for server in [STANDBY, PRIMARY] {
            if self
                .folder
                .join(NAMES[server])
                .join("postmaster.pid")
                .exists()
            {
                self.stop_server(server);
            }
        }
        std::fs::remove_dir_all(&self.folder).unwrap();
    }
}

fn is_root() -> bool {
    std::fs::metadata("/proc/self").unwrap().uid() == 0
}

async fn list(db: &Database) -> Vec<String> {
    let users = db
        .replica_read(async move |db| db.find_users("", 0, 1000).await)
        .await
        .unwrap();
    let mut names: Vec<_> = users.into_iter().map(|user| user.name).collect();
    names.sort();
    names
}

/// Whether a list was read on the standby since the last call.
async fn served_by_standby(cluster: &Cluster) -> bool {
    let client = connect_directly(&cluster.url(STANDBY)).await;
    let count = "select count(pg_terminate_backend(pid)) from pg_stat_activity where query like 'select * from users%'";
    client.query_one(count, &[]).await.unwrap().get::<_, i64>(0) > 0
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn replica_read_sees_all_commits_and_survives_the_loss_of_the_replica() {
    let cluster = Cluster::start().await;
    let db = cluster.open().await;
    let mut expected = Vec::new();
    for number in 10..20 {
        let name = format!("user{number}");
        add_user(&db, &name).await;
        expected.push(name);
        assert_eq!(list(&db).await, expected);
    }
    assert!(served_by_standby(&cluster).await);

    // The server has ended the connection, so the primary may serve for some seconds.
    let standby = connect_directly(&cluster.url(STANDBY)).await;
    let deadline = Instant::now() + Duration::from_secs(20);
    while !served_by_standby(&cluster).await {
        assert!(Instant::now() < deadline, "the replica is not used again");
        assert_eq!(list(&db).await, expected);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }

    // A standby that does not replay is reachable, but does not have the last commit.
    let late = cluster.open().await;
    standby
        .batch_execute("select pg_wal_replay_pause()")
        .await
        .unwrap();
    add_user(&late, "user20").await;
    expected.push("user20".into());
    assert_eq!(list(&late).await, expected);
    assert_eq!(list(&late).await, expected);
    assert!(!served_by_standby(&cluster).await);
    standby
        .batch_execute("select pg_wal_replay_resume()")
        .await
        .unwrap();

    // It is lost while lists are read.
    let reader = cluster.open().await;
    assert_eq!(list(&reader).await, expected);
    let (some_are_read, some_were_read) = tokio::sync::oneshot::channel();
    let reading = tokio::spawn(async move {
        for _ in 0..10 {
            assert_eq!(list(&reader).await, expected);
        }
        some_are_read.send(()).unwrap();
        for _ in 0..290 {
            assert_eq!(list(&reader).await, expected);
        }
    });
    some_were_read.await.unwrap();
    tokio::task::block_in_place(|| cluster.stop_server(STANDBY));
    reading.await.unwrap();
}

#[tokio::test]
async fn shop_opens_while_its_replica_is_down() {
    let shop = postgres().await;
    let replica = format!("postgres://mirasa@127.0.0.1:{}/postgres", free_port());
    let replica = DatabaseUrl::Postgres(replica);
    let db = mirasa_store::open_with_replica(&shop.url, Some(&replica), PoolSize(2))
        .await
        .unwrap();

    add_user(&db, "asha").await;
    assert_eq!(list(&db).await, ["asha"]);
    assert_eq!(list(&db).await, ["asha"]);
}
