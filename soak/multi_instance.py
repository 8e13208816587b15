"""Checks that all instances behave as one: visibility changes reach all of them, idempotency keys hold across them."""

import asyncio
import time

from soak.customers import HOME_ADDRESS
from soak.shop import ADMIN
from soak.web import NoResponse, Visitor, fetch

# How long each URL is requested after a change.
OBSERVE_S = 1.6


async def check_visibility_propagation(context, public, instances):
    """A product that is hidden through one instance disappears from all of them within a second, from pages too."""
    admin, slowest = Visitor(public), 0.0
    if not await admin.sign_in(ADMIN):
        return context.fail("the admin cannot sign in after the failover")
    for _ in range(6):
        product = "goda-masala"
        response = await admin.put(f"/api/admin/products/{product}/toggle-visibility")
        if not response.ok:
            context.fail(f"the visibility change failed: {response}")
            continue
        expected = 200 if response.json()["isVisible"] else 404
        context.record("toggle requested", product=product)
        context.record("toggle", product=product)
        started_at = time.monotonic()
        paths = (f"/api/products/{product}", f"/product/{product}")
        stale = await asyncio.gather(*(last_stale(context, instance.base_url + path, expected, started_at) for instance in instances for path in paths))
        slowest = max(slowest, *stale)
    context.log(f"a visibility change reaches all instances, including their pages, within {slowest * 1000:.0f} ms")
    if slowest > 1.0:
        context.fail(f"a visibility change took {slowest:.2f} s to reach all instances")


async def last_stale(context, url, expected, started_at):
    """Sends requests without waiting for the responses. Returns when the last request with a stale response was sent."""

    async def request():
        sent_at = time.monotonic() - started_at
        try:
            return sent_at, (await fetch(url, timeout=20)).status
        except NoResponse:
            return sent_at, None

    tasks = []
    while time.monotonic() - started_at < OBSERVE_S:
        tasks.append(asyncio.create_task(request()))
        await asyncio.sleep(0.1)
    responses = await asyncio.gather(*tasks)
    if not any(status == expected for _, status in responses):
        context.fail(f"{url} should return {expected}, but returns {responses[-1][1]}")
    return max((sent_at for sent_at, status in responses if status not in (expected, None)), default=0.0)


async def check_idempotency_across_instances(context, public, instances):
    """Concurrent checkouts with one session and one key at all instances create one order."""
    customer = Visitor(public)
    await customer.sign_in("multi-instance@soak.example")
    address = (await customer.post("/api/addresses", HOME_ADDRESS)).json()["address"]["_id"]
    await customer.post("/api/cart/add-to-cart", {"productId": "sambar-masala", "qty_50g": 1})
    tabs = [Visitor(instance.base_url) for instance in instances]
    for tab in tabs:
        tab.cookies = customer.cookies
    body, key = {"addressId": address}, {"Idempotency-Key": "multi-instance"}
    responses = await asyncio.gather(*(tab.post("/api/cart/checkout", body, headers=key) for tab in tabs))
    numbers = {response.json().get("merchantOrderId") for response in responses}
    if len(numbers) != 1 or None in numbers:
        context.fail(f"one key at three instances creates {numbers}: {responses}")
    else:
        context.log("concurrent checkouts with one key at three instances create one order")
