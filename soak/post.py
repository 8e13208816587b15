"""A post office of our own: takes letters by SMTP and writes down what came, so that letters are counted where
they arrive and not where they are said to have been sent. Can be closed for a while."""

import asyncio
import email
import json
import time
from email.header import decode_header, make_header


class PostOffice:
    def __init__(self, port, record):
        self.port = port
        self.record = open(record, "a", buffering=1)
        self.is_open = True
        self.server = None

    async def start(self):
        self.server = await asyncio.start_server(self.session, "127.0.0.1", self.port)

    async def session(self, reader, writer):
        async def say(line):
            writer.write(line.encode() + b"\r\n")
            await writer.drain()

        try:
            if not self.is_open:
                await say("421 closed for now")
                return
            await say("220 soak")
            recipients = []
            while line := (await reader.readline()).decode("utf-8", "replace").strip():
                verb = line[:4].upper()
                if not self.is_open:
                    await say("451 closed for now")
                elif verb in ("EHLO", "HELO"):
                    await say("250-soak\r\n250 8BITMIME")
                elif verb == "RCPT":
                    recipients.append(line.split("<", 1)[1].split(">")[0])
                    await say("250 fine")
                elif verb == "DATA":
                    await say("354 go on")
                    self.keep(await read_letter(reader), recipients)
                    recipients = []
                    await say("250 taken")
                elif verb == "QUIT":
                    await say("221 bye")
                    return
                else:
                    await say("250 fine")
        except (OSError, EOFError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    def keep(self, letter, recipients):
        """Written down before the sender is told that it was taken."""
        message = email.message_from_bytes(letter)
        subject = str(make_header(decode_header(message["Subject"] or "")))
        line = {"at": time.time(), "id": message["Message-ID"], "to": recipients, "subject": subject}
        self.record.write(json.dumps(line) + "\n")


async def read_letter(reader):
    lines = []
    while (line := await reader.readline()) not in (b".\r\n", b".\n"):
        if not line:
            raise EOFError("cut in a letter")
        lines.append(line[1:] if line.startswith(b"..") else line)
    return b"".join(lines)
