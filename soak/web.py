"""A minimal HTTP client: one connection, cookies, sign-in. Raises NoResponse when no response arrived; the request may
still have taken effect."""

import asyncio
import json
from urllib.parse import urlencode, urlsplit

MAX_LINE_BYTES = 1 << 20


class NoResponse(Exception):
    """The connection was refused, closed or timed out. The request may or may not have taken effect."""


class Response:
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
    def __init__(self, base, client_ip=None):
        """`client_ip` is the source address of the connection: any of 127.0.0.0/8."""
        self.base, self.client_ip = base, client_ip
        parts = urlsplit(base)
        self.host, self.port = parts.hostname, parts.port or 80
        self.cookies = {}
        self._streams = None
        self._lock = asyncio.Lock()

    def new_tab(self):
        """A second connection with the same cookies."""
        other = Visitor(self.base, self.client_ip)
        other.cookies = self.cookies
        return other

    async def get(self, path, **options):
        return await self.request("GET", path, **options)

    async def post(self, path, body=None, **options):
        return await self.request("POST", path, {} if body is None else body, **options)

    async def put(self, path, body=None, **options):
        return await self.request("PUT", path, {} if body is None else body, **options)

    async def delete(self, path, **options):
        return await self.request("DELETE", path, **options)

    async def request(self, method, path, body=None, headers=None, form=None, raw=None, timeout=20):
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
        async with self._lock:
            try:
                return await asyncio.wait_for(self._exchange(head.encode() + b"\r\n" + payload), timeout)
            except (OSError, EOFError, ValueError, asyncio.TimeoutError, asyncio.LimitOverrunError) as error:
                self.close()
                raise NoResponse(f"{method} {path}: {type(error).__name__} {error}") from error
            except asyncio.CancelledError:
                self.close()
                raise

    async def _exchange(self, request):
        if self._streams is None:
            local = (self.client_ip, 0) if self.client_ip else None
            self._streams = await asyncio.open_connection(self.host, self.port, limit=MAX_LINE_BYTES, local_addr=local)
        reader, writer = self._streams
        writer.write(request)
        await writer.drain()
        response, keep_alive = await read_response(reader)
        self._store_cookies(response.headers.get("set-cookie", []))
        if not keep_alive:
            self.close()
        return response

    def _store_cookies(self, lines):
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
        """Signs in through the sandbox's Google page. True on success."""
        path = "/api/auth/google/login?" + urlencode({"returnTo": "/", "login_hint": email})
        for _ in range(8):
            response = await self.get(path)
            if response.status not in (302, 303, 307):
                return False
            target = urlsplit(response.headers["location"][0])
            path = target.path + (f"?{target.query}" if target.query else "")
            if target.path == "/":
                return "signIn" not in (target.query or "")
        return False


async def read_response(reader):
    """Reads one HTTP/1.1 response. Returns it and whether the connection can be reused."""
    status_line = await reader.readline()
    if not status_line:
        raise EOFError("closed")
    status = int(status_line.split()[1])
    headers = {}
    while (line := await reader.readline()) not in (b"\r\n", b"\n"):
        if not line:
            raise EOFError("closed within the headers")
        name, _, value = line.decode("latin-1").partition(":")
        headers.setdefault(name.strip().lower(), []).append(value.strip())
    keep_alive = headers.get("connection", [""])[0].lower() != "close"
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
        body, keep_alive = await reader.read(), False
    return Response(status, headers, body), keep_alive


async def fetch(url, method="GET", **options):
    """Sends one request on a new connection."""
    parts = urlsplit(url)
    visitor = Visitor(f"{parts.scheme}://{parts.netloc}")
    try:
        return await visitor.request(method, (parts.path or "/") + (f"?{parts.query}" if parts.query else ""), **options)
    finally:
        visitor.close()
