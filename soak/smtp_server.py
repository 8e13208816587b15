"""An SMTP server that records the emails it receives, so that the checker need not trust the outbox table. It can reject
emails for a while."""

import asyncio
import email
import json
import time
from email.header import decode_header, make_header


class SmtpServer:
    def __init__(self, port, path):
        self.port = port
        self.record_file = open(path, "a", buffering=1)
        self.is_open = True
        self.server = None

    async def start(self):
        self.server = await asyncio.start_server(self.session, "127.0.0.1", self.port)

    async def session(self, reader, writer):
        async def reply(line):
            writer.write(line.encode() + b"\r\n")
            await writer.drain()

        try:
            if not self.is_open:
                await reply("421 temporarily unavailable")
                return
            await reply("220 soak")
            recipients = []
            while line := (await reader.readline()).decode("utf-8", "replace").strip():
                verb = line[:4].upper()
                if not self.is_open:
                    await reply("451 temporarily unavailable")
                elif verb in ("EHLO", "HELO"):
                    await reply("250-soak\r\n250 8BITMIME")
                elif verb == "RCPT":
                    recipients.append(line.split("<", 1)[1].split(">")[0])
                    await reply("250 ok")
                elif verb == "DATA":
                    await reply("354 send the message")
                    self.save(await read_message(reader), recipients)
                    recipients = []
                    await reply("250 accepted")
                elif verb == "QUIT":
                    await reply("221 bye")
                    return
                else:
                    await reply("250 ok")
        except (OSError, EOFError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    def save(self, raw, recipients):
        """Records the email before the server acknowledges it."""
        message = email.message_from_bytes(raw)
        subject = str(make_header(decode_header(message["Subject"] or "")))
        line = {"at": time.time(), "id": message["Message-ID"], "to": recipients, "subject": subject}
        self.record_file.write(json.dumps(line) + "\n")


async def read_message(reader):
    lines = []
    while (line := await reader.readline()) not in (b".\r\n", b".\n"):
        if not line:
            raise EOFError("closed within a message")
        lines.append(line[1:] if line.startswith(b"..") else line)
    return b"".join(lines)
