//! Renders pages: the web app's server build runs in QuickJS, on a thread of its own. A script that runs
//! away is stopped, one that eats memory is started anew; the shop never goes down with its renderer.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mirasa_app::catalogue::Snapshot;
use mirasa_app::failpoints;
use mirasa_app::supervision::{Need, Worker};
use rquickjs::{CatchResultExt as _, Context, Function, Runtime};
use serde::Deserialize;
use tokio::sync::{mpsc, oneshot};

use crate::assets;
use crate::state::AppState;

const DEADLINE: Duration = Duration::from_secs(2);
const MEMORY: usize = 256 * 1024 * 1024;
const SCRIPT_STACK: usize = 3 * 1024 * 1024;
const THREAD_STACK: usize = 8 * 1024 * 1024;
const FEW_ORDERS: usize = 4;

/// What the web app's `render(path)` returns.
#[derive(Debug, Deserialize)]
pub struct Rendered {
    pub status: u16,
    pub head: String,
    pub body: String,
    pub state: String,
    /// Whether all of its data was there: only then it may be shown to others, too.
    pub cacheable: bool,
}

struct RenderJob {
    state: AppState,
    snapshot: Arc<Snapshot>,
    path: String,
    done: oneshot::Sender<anyhow::Result<Rendered>>,
}

/// A handle to the thread that renders.
pub struct Renderer {
    jobs: mpsc::Sender<RenderJob>,
}

impl Renderer {
    pub fn start() -> Renderer {
        let (orders, inbox) = mpsc::channel(256);
        let thread = std::thread::Builder::new()
            .name("renderer".into())
            .stack_size(THREAD_STACK);
        if let Err(error) = thread.spawn(move || run(inbox)) {
            tracing::error!(%error, "pages are served as plain shells: no thread for the renderer");
        }
        Renderer { jobs: orders }
    }

    /// Whether a page that nobody else will see may be rendered: those that everybody sees come first.
    pub fn is_idle(&self) -> bool {
        self.jobs.max_capacity() - self.jobs.capacity() < FEW_ORDERS
    }

    pub async fn render(
        &self,
        state: AppState,
        snapshot: Arc<Snapshot>,
        path: String,
    ) -> anyhow::Result<Rendered> {
        let (done, answer) = oneshot::channel();
        self.jobs
            .try_send(RenderJob {
                state,
                snapshot,
                path,
                done,
            })
            .map_err(|_| anyhow::anyhow!("the renderer is not there or too busy"))?;
        answer.await?
    }
}

type HostState = Rc<RefCell<Option<(AppState, Arc<Snapshot>)>>>;

struct JsEngine {
    runtime: Runtime,
    context: Context,
    host: HostState,
    deadline: Rc<RefCell<Option<Instant>>>,
}

fn run(mut inbox: mpsc::Receiver<RenderJob>) {
    let worker = Worker::register("renderer", Need::Optional, None);
    let mut engine = None;
    while let Some(order) = inbox.blocking_recv() {
        let rendering = AssertUnwindSafe(|| render(&mut engine, &order));
        let result = match catch_unwind(rendering) {
            Ok(result) => {
                worker.completed();
                result
            }
            // No backoff: the next page is rendered by a new engine, or its visitor gets the plain shell.
            Err(_) => {
                worker.panicked();
                Err(anyhow::anyhow!("the renderer panicked"))
            }
        };
        if result.is_err() {
            // Whatever went wrong may have left the engine in any state.
            engine = None;
        }
        drop(order.done.send(result));
    }
}

fn render(engine: &mut Option<JsEngine>, order: &RenderJob) -> anyhow::Result<Rendered> {
    failpoints::failpoint("worker renderer");
    if engine.is_none() {
        *engine = JsEngine::start()
            .inspect_err(|error| {
                tracing::error!(error = format!("{error:#}"), "the renderer cannot start")
            })
            .ok();
    }
    match engine {
        Some(ready) => ready.render(order),
        None => Err(anyhow::anyhow!("the renderer cannot start")),
    }
}

impl JsEngine {
    fn start() -> anyhow::Result<JsEngine> {
        let script = assets::server_bundle()
            .ok_or_else(|| anyhow::anyhow!("the web app's server build is missing"))?;
        JsEngine::running(&script)
    }

    fn running(script: &[u8]) -> anyhow::Result<JsEngine> {
        let runtime = Runtime::new()?;
        runtime.set_memory_limit(MEMORY);
        runtime.set_max_stack_size(SCRIPT_STACK);
        let deadline = Rc::new(RefCell::new(Some(Instant::now() + DEADLINE * 5)));
        let context = Context::full(&runtime)?;
        let host: HostState = Rc::default();
        let watched = deadline.clone();
        set_interrupt(&runtime, watched);
        context.with(|js| {
            let seen = host.clone();
            js.globals().set(
                "hostGet",
                Function::new(js.clone(), move |path: String| get_for_render(&seen, &path))?,
            )?;
            js.eval::<(), _>(script)
                .catch(&js)
                .map_err(|error| anyhow::anyhow!("{error}"))
        })?;
        *deadline.borrow_mut() = None;
        Ok(JsEngine {
            runtime,
            context,
            host,
            deadline,
        })
    }

    fn render(&self, order: &RenderJob) -> anyhow::Result<Rendered> {
        *self.host.borrow_mut() = Some((order.state.clone(), order.snapshot.clone()));
        let text = self.call(&order.path);
        *self.host.borrow_mut() = None;
        self.runtime.run_gc();
        Ok(serde_json::from_str(&text?)?)
    }

    /// What the script's own `render` says, if it says it in time.
    fn call(&self, path: &str) -> anyhow::Result<String> {
        *self.deadline.borrow_mut() = Some(Instant::now() + DEADLINE);
        let text = self.context.with(|js| -> anyhow::Result<String> {
            let render: Function = js.globals().get("render")?;
            render
                .call((path,))
                .catch(&js)
                .map_err(|error| anyhow::anyhow!("{error}"))
        });
        *self.deadline.borrow_mut() = None;
        text
    }
}

fn set_interrupt(runtime: &Runtime, deadline: Rc<RefCell<Option<Instant>>>) {
    runtime.set_interrupt_handler(Some(Box::new(move || {
        deadline
            .borrow()
            .is_some_and(|deadline| Instant::now() > deadline)
    })));
}

/// The page's own calls, answered from memory without leaving the thread.
fn get_for_render(host: &HostState, path: &str) -> String {
    let borrowed = host.borrow();
    let (status, body) = match &*borrowed {
        Some((state, snapshot)) => state.response_cache.get_for_render(snapshot, path),
        None => (503, bytes::Bytes::from_static(b"null")),
    };
    format!(
        "{{\"status\":{status},\"body\":{}}}",
        String::from_utf8_lossy(&body)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes of a script, and how long it took. On a thread like the renderer's own.
    fn outcome(script: &'static str) -> (Result<String, String>, Duration) {
        let thread = std::thread::Builder::new().stack_size(THREAD_STACK);
        let worked = thread.spawn(move || {
            let began = Instant::now();
            let said = JsEngine::running(script.as_bytes()).and_then(|engine| engine.call("/"));
            (said.map_err(|error| error.to_string()), began.elapsed())
        });
        worked.unwrap().join().unwrap()
    }

    #[test]
    fn a_script_that_runs_away_is_stopped() {
        let (said, _) = outcome("globalThis.render = (path) => `page ${path}`");
        assert_eq!(said, Ok("page /".into()));

        let (said, took) = outcome("globalThis.render = () => { for (;;) {} }");
        assert!(said.is_err());
        assert!(took >= DEADLINE && took < DEADLINE * 3, "{took:?}");

        let greedy = "globalThis.render = () => { const all = []; for (;;) all.push(new Array(100000).fill(all)) }";
        let (said, _) = outcome(greedy);
        assert!(said.is_err_and(|said| !said.contains("interrupted")));

        let (said, _) =
            outcome("globalThis.render = () => { const deep = () => deep() + 1; return deep() }");
        assert!(said.is_err_and(|said| said.contains("stack")));
    }
}
