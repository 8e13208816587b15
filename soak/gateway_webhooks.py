"""The gateway's webhooks: on time, late, duplicated, missing, unauthenticated, or with a false event."""

import asyncio
import hashlib
import json

from soak.web import NoResponse, fetch

MAX_ATTEMPTS = 5


class Webhooks:
    def __init__(self, gateway, shop, user, password):
        self.gateway, self.url = gateway, f"{shop}/api/payment/webhook/phonepe"
        self.authorization = hashlib.sha256(f"{user}:{password}".encode()).hexdigest()
        self.running = set()

    async def notify_order(self, order, payload):
        """Sends the webhooks of a payment. Returns when the customer's browser may be redirected to the shop."""
        rng, inject_faults = self.gateway.rng, self.gateway.rate > 0
        event = "checkout.order.completed" if order["state"] == "COMPLETED" else "checkout.order.failed"
        choice = rng.random() if inject_faults else 0.5
        if choice < 0.25:
            self.gateway.record("fault", call="webhook", fault="never")
            return
        if choice < 0.4:
            self.gateway.record("fault", call="webhook", fault="before the return")
            await self.send(event, payload, attempts=1)
            return
        delay = rng.uniform(0, 3) if inject_faults else 0
        times = rng.choice([1, 1, 2, 3]) if inject_faults else 1
        if times > 1:
            self.gateway.record("fault", call="webhook", fault=f"{times} times")
        self.run_in_background(self.send_repeatedly(event, payload, delay, times))
        if inject_faults and rng.random() < 0.2:
            self.run_in_background(self.send_false_event())

    async def notify_refund(self, payload, state):
        if self.gateway.rate > 0 and self.gateway.rng.random() < 0.3:
            self.gateway.record("fault", call="webhook", fault="refund webhook never sent")
            return
        await self.send("pg.refund.completed" if state == "COMPLETED" else "pg.refund.failed", payload)

    async def send_false_event(self):
        """Reports a pending payment as paid, with or without valid credentials, or sends another misleading event."""
        pending = [order for order in self.gateway.orders.values() if order["state"] == "PENDING"]
        if not pending:
            return
        rng = self.gateway.rng
        order = rng.choice(pending)
        payload = {"merchantOrderId": order["number"], "orderId": order["id"], "state": "COMPLETED", "amount": order["amount"]}
        kind = rng.choice(["forged", "unsigned", "attempt failed", "unknown order"])
        self.gateway.record("fault", call="webhook", fault=kind)
        event = "checkout.order.completed"
        if kind == "attempt failed":
            event, payload["state"] = "checkout.transaction.attempt.failed", "PENDING"
        elif kind == "unknown order":
            payload["merchantOrderId"] = "M-unknown"
        await self.send(event, payload, attempts=1, authorization="0" * 64 if kind == "unsigned" else None)

    async def send_repeatedly(self, event, payload, delay, times):
        await asyncio.sleep(delay)
        for _ in range(times):
            await self.send(event, payload)

    async def send(self, event, payload, attempts=MAX_ATTEMPTS, authorization=None):
        body = {"event": event, "payload": payload}
        delay_s = 0.5
        for _ in range(attempts):
            try:
                headers = {"Authorization": authorization or self.authorization}
                response = await fetch(self.url, "POST", body=json.loads(json.dumps(body)), headers=headers, timeout=3)
                if response.ok or response.status == 401:
                    return
            except NoResponse:
                pass
            await asyncio.sleep(delay_s)
            delay_s *= 2

    def run_in_background(self, work):
        task = asyncio.create_task(work)
        self.running.add(task)
        task.add_done_callback(self.running.discard)
