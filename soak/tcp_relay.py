"""Forwards TCP connections in a process of its own:  python3 -m soak.tcp_relay LISTEN:TARGET …

A relay that is stopped with SIGSTOP behaves like a broken network: nothing is refused or closed, and nothing arrives. After
SIGCONT the delayed data arrives late, as packets can."""

import asyncio
import sys


async def forward(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()


async def listen(port, target):
    async def connection(reader, writer):
        try:
            other_reader, other_writer = await asyncio.open_connection("127.0.0.1", target)
        except OSError:
            return writer.close()
        await asyncio.gather(forward(reader, other_writer), forward(other_reader, writer))

    await asyncio.start_server(connection, "127.0.0.1", port)


async def main():
    for pair in sys.argv[1:]:
        port, target = map(int, pair.split(":"))
        await listen(port, target)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
