"""The gateway's own calls to the shop: on time, late, twice, never, unsigned, or about something that has not
happened."""

import asyncio
import hashlib
import json

from soak.web import NoAnswer, once

TRIES = 5


class Webhooks:
    def __init__(self, gateway, shop, user, password):
        self.gateway, self.url = gateway, f"{shop}/api/payment/webhook/phonepe"
        self.signature = hashlib.sha256(f"{user}:{password}".encode()).hexdigest()
        self.running = set()

    async def tell_of_order(self, order, payload):
        """Comes back when the browser may go back to the shop."""
        dice, wild = self.gateway.dice, self.gateway.rate > 0
        event = "checkout.order.completed" if order["state"] == "COMPLETED" else "checkout.order.failed"
        choice = dice.random() if wild else 0.5
        if choice < 0.25:
            self.gateway.note("fault", call="webhook", fault="never")
            return
        if choice < 0.4:
            self.gateway.note("fault", call="webhook", fault="before the return")
            await self.send(event, payload, tries=1)
            return
        delay = dice.uniform(0, 3) if wild else 0
        times = dice.choice([1, 1, 2, 3]) if wild else 1
        if times > 1:
            self.gateway.note("fault", call="webhook", fault=f"{times} times")
        self.later(self.send_often(event, payload, delay, times))
        if wild and dice.random() < 0.2:
            self.later(self.lie())

    async def tell_of_refund(self, payload, state):
        if self.gateway.rate > 0 and self.gateway.dice.random() < 0.3:
            self.gateway.note("fault", call="webhook", fault="refund never told")
            return
        await self.send("pg.refund.completed" if state == "COMPLETED" else "pg.refund.failed", payload)

    async def lie(self):
        """Says of somebody's open payment that it was paid; once with the right signature, once without."""
        waiting = [order for order in self.gateway.orders.values() if order["state"] == "PENDING"]
        if not waiting:
            return
        dice = self.gateway.dice
        order = dice.choice(waiting)
        payload = {"merchantOrderId": order["number"], "orderId": order["id"], "state": "COMPLETED", "amount": order["amount"]}
        kind = dice.choice(["forged", "unsigned", "attempt failed", "unknown order"])
        self.gateway.note("fault", call="webhook", fault=kind)
        event = "checkout.order.completed"
        if kind == "attempt failed":
            event, payload["state"] = "checkout.transaction.attempt.failed", "PENDING"
        elif kind == "unknown order":
            payload["merchantOrderId"] = "M-nobody-knows"
        await self.send(event, payload, tries=1, signature="0" * 64 if kind == "unsigned" else None)

    async def send_often(self, event, payload, delay, times):
        await asyncio.sleep(delay)
        for _ in range(times):
            await self.send(event, payload)

    async def send(self, event, payload, tries=TRIES, signature=None):
        body = {"event": event, "payload": payload}
        pause = 0.5
        for _ in range(tries):
            try:
                headers = {"Authorization": signature or self.signature}
                answer = await once(self.url, "POST", body=json.loads(json.dumps(body)), headers=headers, timeout=3)
                if answer.ok or answer.status == 401:
                    return
            except NoAnswer:
                pass
            await asyncio.sleep(pause)
            pause *= 2

    def later(self, work):
        task = asyncio.create_task(work)
        self.running.add(task)
        task.add_done_callback(self.running.discard)
