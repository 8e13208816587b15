"""A visitor's browser, as small as it can be: one connection, cookies, redirects. Says plainly when no
answer came: what was asked for may or may not have happened."""

import asyncio
import json
from urllib.parse import urlencode, urlsplit

LARGEST_LINE = 1 << 20


class NoAnswer(Exception):
    """The connection was refused, cut or silent. Nobody knows whether the request was carried out."""


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def json(self):
        try:
            return json.loads(self.body)
        except ValueError:
            return {}

    @property
    def ok(self):
        return 200 <= self.status < 300

    def __repr__(self):
        return f"{self.status} {self.body[:200]!r}"


class Visitor:
    def __init__(self, base, address=None):
        """`address` is where the visitor comes from, where that matters: any of 127.0.0.0/8."""
        self.base, self.address = base, address
        parts = urlsplit(base)
        self.host, self.port = parts.hostname, parts.port or 80
        self.cookies = {}
        self._streams = None
        self._turn = asyncio.Lock()

    def twin(self):
        """A second tab of the same browser."""
        other = Visitor(self.base, self.address)
        other.cookies = self.cookies
        return other

    async def get(self, path, **more):
        return await self.ask("GET", path, **more)

    async def post(self, path, body=None, **more):
        return await self.ask("POST", path, {} if body is None else body, **more)

    async def put(self, path, body=None, **more):
        return await self.ask("PUT", path, {} if body is None else body, **more)

    async def delete(self, path, **more):
        return await self.ask("DELETE", path, **more)

    async def ask(self, method, path, body=None, headers=None, form=None, raw=None, timeout=20):
        lines = {"Host": urlsplit(self.base).netloc, "Accept": "*/*", **(headers or {})}
        if method not in ("GET", "HEAD"):
            lines["Origin"] = self.base
        if self.cookies:
            lines["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        payload = b""
        if raw is not None:
            payload = raw
        elif form is not None:
            payload, lines["Content-Type"] = urlencode(form).encode(), "application/x-www-form-urlencoded"
        elif body is not None:
            payload, lines["Content-Type"] = json.dumps(body).encode(), "application/json"
        if payload or method not in ("GET", "HEAD"):
            lines["Content-Length"] = str(len(payload))
        head = f"{method} {path} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        async with self._turn:
            try:
                return await asyncio.wait_for(self._exchange(head.encode() + b"\r\n" + payload), timeout)
            except (OSError, EOFError, ValueError, asyncio.TimeoutError, asyncio.LimitOverrunError) as error:
                self.close()
                raise NoAnswer(f"{method} {path}: {type(error).__name__} {error}") from error
            except asyncio.CancelledError:
                self.close()
                raise

    async def _exchange(self, request):
        if self._streams is None:
            local = (self.address, 0) if self.address else None
            self._streams = await asyncio.open_connection(self.host, self.port, limit=LARGEST_LINE, local_addr=local)
        reader, writer = self._streams
        writer.write(request)
        await writer.drain()
        answer, keep = await read_answer(reader)
        self._keep_cookies(answer.headers.get("set-cookie", []))
        if not keep:
            self.close()
        return answer

    def _keep_cookies(self, lines):
        for line in lines:
            pair, *attributes = [part.strip() for part in line.split(";")]
            name, _, value = pair.partition("=")
            if not value or any(attribute.lower() == "max-age=0" for attribute in attributes):
                self.cookies.pop(name, None)
            else:
                self.cookies[name] = value

    def close(self):
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None

    async def sign_in(self, email):
        """Through the sandbox Google, without a click. True if signed in afterwards."""
        path = "/api/auth/google/login?" + urlencode({"returnTo": "/", "login_hint": email})
        for _ in range(8):
            answer = await self.get(path)
            if answer.status not in (302, 303, 307):
                return False
            target = urlsplit(answer.headers["location"][0])
            path = target.path + (f"?{target.query}" if target.query else "")
            if target.path == "/":
                return "signIn" not in (target.query or "")
        return False


async def read_answer(reader):
    """One HTTP/1.1 answer, and whether the connection may be used again."""
    status_line = await reader.readline()
    if not status_line:
        raise EOFError("closed")
    status = int(status_line.split()[1])
    headers = {}
    while (line := await reader.readline()) not in (b"\r\n", b"\n"):
        if not line:
            raise EOFError("cut in the headers")
        name, _, value = line.decode("latin-1").partition(":")
        headers.setdefault(name.strip().lower(), []).append(value.strip())
    keep = headers.get("connection", [""])[0].lower() != "close"
    if headers.get("transfer-encoding", [""])[0].lower() == "chunked":
        body = b""
        while size := int((await reader.readline()).split(b";")[0] or b"0", 16):
            body += await reader.readexactly(size)
            await reader.readline()
        await reader.readline()
    elif "content-length" in headers:
        body = await reader.readexactly(int(headers["content-length"][0]))
    elif status in (204, 304):
        body = b""
    else:
        body, keep = await reader.read(), False
    return Answer(status, headers, body), keep


async def once(url, method="GET", **more):
    """One request to any address, on a connection of its own."""
    parts = urlsplit(url)
    visitor = Visitor(f"{parts.scheme}://{parts.netloc}")
    try:
        return await visitor.ask(method, (parts.path or "/") + (f"?{parts.query}" if parts.query else ""), **more)
    finally:
        visitor.close()
