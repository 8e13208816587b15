//! Renders pages: the web app's server build runs in QuickJS on its own thread. A script that takes too long is stopped,
//! and an engine that uses too much memory is replaced. The shop works without its renderer.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use mirasa_app::ErrorCode;
use mirasa_app::catalogue::Snapshot;
use mirasa_app::runtime::failpoints;
use mirasa_app::runtime::supervision::{Need, Worker};
use rquickjs::{CatchResultExt as _, Context, Function, Runtime};
use serde::Deserialize;
use tokio::sync::{mpsc, oneshot};

use crate::assets;
use crate::cache::cached_routes;
use crate::cache::response_cache::ResponseCache;
use crate::error::error_json;

const DEADLINE: Duration = Duration::from_secs(2);
const MEMORY: usize = 256 * 1024 * 1024;
const SCRIPT_STACK: usize = 3 * 1024 * 1024;
const THREAD_STACK: usize = 8 * 1024 * 1024;
const MAX_QUEUED_WHEN_IDLE: usize = 4;

/// What the web app's `render(path)` returns.
#[derive(Debug, Deserialize)]
pub struct Rendered {
    pub status: u16,
    pub head: String,
    pub body: String,
    pub state: String,
    /// Whether all of its data was available: only then the page may be kept.
    pub cacheable: bool,
}

/// A response that is not kept in memory: read from the database for one page.
#[derive(Debug)]
pub struct Prefetched {
    pub path: String,
    pub status: u16,
    /// JSON.
    pub body: Bytes,
}

struct RenderJob {
    data: Arc<RenderData>,
    path: String,
    done: oneshot::Sender<anyhow::Result<Rendered>>,
}

/// A handle to the renderer thread.
pub struct Renderer {
    jobs: mpsc::Sender<RenderJob>,
}

impl Renderer {
    pub fn start() -> Renderer {
        let (jobs, inbox) = mpsc::channel(256);
        let thread = std::thread::Builder::new()
            .name("renderer".into())
            .stack_size(THREAD_STACK);
        if let Err(error) = thread.spawn(move || run(inbox)) {
            tracing::error!(%error, "pages are served as plain shells: no thread for the renderer");
        }
        Renderer { jobs }
    }

    /// Whether a page for one visitor only may be rendered: pages that are kept come first.
    pub fn is_idle(&self) -> bool {
        self.jobs.max_capacity() - self.jobs.capacity() < MAX_QUEUED_WHEN_IDLE
    }

    pub async fn render(
        &self,
        responses: Arc<ResponseCache>,
        snapshot: Arc<Snapshot>,
        path: String,
        prefetched: Option<Prefetched>,
    ) -> anyhow::Result<Rendered> {
        let (done, rendered) = oneshot::channel();
        let data = Arc::new(RenderData {
            responses,
            snapshot,
            prefetched,
        });
        self.jobs
            .try_send(RenderJob { data, path, done })
            .map_err(|_| anyhow::anyhow!("the renderer is not there or too busy"))?;
        rendered.await?
    }
}

/// What a page is rendered from.
struct RenderData {
    responses: Arc<ResponseCache>,
    snapshot: Arc<Snapshot>,
    prefetched: Option<Prefetched>,
}

type HostState = Rc<RefCell<Option<Arc<RenderData>>>>;

struct JsEngine {
    runtime: Runtime,
    context: Context,
    host: HostState,
    deadline: Rc<RefCell<Option<Instant>>>,
}

fn run(mut inbox: mpsc::Receiver<RenderJob>) {
    let worker = Worker::register("renderer", Need::Optional, None);
    let mut engine = None;
    while let Some(job) = inbox.blocking_recv() {
        let rendering = AssertUnwindSafe(|| render(&mut engine, &job));
        let result = match catch_unwind(rendering) {
            Ok(result) => {
                worker.completed();
                result
            }
            // No backoff: the next page is rendered by a new engine, or the browser renders it.
            Err(_) => {
                worker.panicked();
                Err(anyhow::anyhow!("the renderer panicked"))
            }
        };
        if result.is_err() {
            // After an error the engine may be in any state.
            engine = None;
        }
        drop(job.done.send(result));
    }
}

fn render(engine: &mut Option<JsEngine>, job: &RenderJob) -> anyhow::Result<Rendered> {
    failpoints::failpoint("worker renderer");
    if engine.is_none() {
        *engine = JsEngine::start()
            .inspect_err(|error| {
                tracing::error!(error = format!("{error:#}"), "the renderer cannot start")
            })
            .ok();
    }
    match engine {
        Some(ready) => ready.render(job),
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

    fn render(&self, job: &RenderJob) -> anyhow::Result<Rendered> {
        *self.host.borrow_mut() = Some(job.data.clone());
        let text = self.call(&job.path);
        *self.host.borrow_mut() = None;
        self.runtime.run_gc();
        Ok(serde_json::from_str(&text?)?)
    }

    /// Calls the script's `render`, with a time limit.
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

/// The page's reads, served from memory without leaving the thread.
fn get_for_render(host: &HostState, path_and_query: &str) -> String {
    let (status, body) = match &*host.borrow() {
        Some(data) => read_cached(data, path_and_query),
        None => (503, Bytes::from_static(b"null")),
    };
    let body = String::from_utf8_lossy(&body);
    format!("{{\"status\":{status},\"body\":{body}}}")
}

/// The status and the JSON body of a prefetched response or of a route with a cached one.
fn read_cached(data: &RenderData, path_and_query: &str) -> (u16, Bytes) {
    if let Some(prefetched) = &data.prefetched
        && prefetched.path == path_and_query
    {
        return (prefetched.status, prefetched.body.clone());
    }
    let (path, query) = path_and_query
        .split_once('?')
        .unwrap_or((path_and_query, ""));
    let body = cached_routes::find(path).and_then(|(route, id)| {
        let id = percent_encoding::percent_decode_str(id).decode_utf8_lossy();
        let request = route.response.request(&id, query).ok()?;
        data.responses.get(&data.snapshot, &request)
    });
    match body {
        Some(body) => (200, body.plain()),
        None => {
            let error = error_json(ErrorCode::ProductNotFound, "Product not found.");
            (404, error.into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The result of a script and its duration, on a thread like the renderer's.
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
    fn endless_script_is_stopped() {
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
