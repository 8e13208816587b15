"""A minimal HTTP/1.1 server for the simulated gateway."""

import asyncio
import json
from urllib.parse import parse_qsl, urlsplit


class Request:
    def __init__(self, method, target, headers, body):
        parts = urlsplit(target)
        self.method, self.path, self.query = method, parts.path, dict(parse_qsl(parts.query))
        self.headers, self.body = headers, body

    def json(self):
        try:
            return json.loads(self.body)
        except ValueError:
            return None

    def form(self):
        return dict(parse_qsl(self.body.decode("utf-8", "replace")))


class CutConnection(Exception):
    """Raised by a handler to close the connection without a response."""


async def serve(handler, port):
    """Starts a server. `handler(request)` returns (status, headers, body)."""

    async def connection(reader, writer):
        try:
            while request := await read_request(reader):
                status, headers, body = await handler(request)
                head = f"HTTP/1.1 {status} -\r\nContent-Length: {len(body)}\r\n"
                head += "".join(f"{name}: {value}\r\n" for name, value in headers.items())
                writer.write(head.encode() + b"\r\n" + body)
                await writer.drain()
        except (OSError, EOFError, ValueError, asyncio.IncompleteReadError, CutConnection):
            pass
        finally:
            writer.close()

    return await asyncio.start_server(connection, "127.0.0.1", port)


async def read_request(reader):
    line = await reader.readline()
    if not line.strip():
        return None
    method, target, _ = line.decode("latin-1").split(" ", 2)
    headers = {}
    while (line := await reader.readline()) not in (b"\r\n", b"\n", b""):
        name, _, value = line.decode("latin-1").partition(":")
        headers[name.strip().lower()] = value.strip()
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Request(method, target, headers, body)
