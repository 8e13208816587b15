"""What must be the same on every instance, whichever of them was asked."""

import asyncio
import time

from soak.people import HOME
from soak.shop import ADMIN
from soak.web import NoAnswer, Visitor, once


async def hide_everywhere(world, public, instances):
    """A product hidden through one instance is gone from all within a second, pages included."""
    admin, slowest = Visitor(public), 0.0
    if not await admin.sign_in(ADMIN):
        return world.trouble("the admin cannot sign in after the failover")
    for turn in range(6):
        product = "goda-masala"
        answer = await admin.put(f"/api/admin/products/{product}/toggle-visibility")
        if not answer.ok:
            world.trouble(f"hiding was answered {answer}")
            continue
        wanted = 200 if answer.json()["isVisible"] else 404
        world.note("toggle asked", product=product)
        world.note("toggle", product=product)
        began = time.monotonic()
        paths = (f"/api/products/{product}", f"/product/{product}")
        seen = await asyncio.gather(*(until_it_is(world, instance.address + path, wanted, began) for instance in instances for path in paths))
        slowest = max(slowest, *seen)
    world.say(f"a product hidden or shown on one instance is so on all, pages included, within {slowest * 1000:.0f} ms")
    if slowest > 1.0:
        world.trouble(f"it took {slowest:.2f} s until a product was hidden everywhere")


async def until_it_is(world, url, wanted, began):
    """Seconds until whoever asks is told the new truth, however long the page then takes to be rendered."""
    while True:
        asked = time.monotonic()
        try:
            status = (await once(url, timeout=10)).status
        except NoAnswer:
            status = "without an answer"
        if status == wanted:
            return asked - began
        if time.monotonic() - began > 10:
            world.trouble(f"{url} is {status} 10 s after it should be {wanted}")
            return 10.0
        await asyncio.sleep(0.02)


async def one_key_everywhere(world, public, instances):
    """One session, one key, three instances at the same moment: one order."""
    buyer = Visitor(public)
    await buyer.sign_in("everywhere@soak.example")
    address = (await buyer.post("/api/addresses", HOME)).json()["address"]["_id"]
    await buyer.post("/api/cart/add-to-cart", {"productId": "sambar-masala", "qty_50g": 1})
    tabs = [Visitor(instance.address) for instance in instances]
    for tab in tabs:
        tab.cookies = buyer.cookies
    body, key = {"addressId": address}, {"Idempotency-Key": "everywhere"}
    told = await asyncio.gather(*(tab.post("/api/cart/checkout", body, headers=key) for tab in tabs))
    numbers = {answer.json().get("merchantOrderId") for answer in told}
    if len(numbers) != 1 or None in numbers:
        world.trouble(f"one key on three instances makes {numbers}: {told}")
    else:
        world.say("one key at three instances at once makes one order")
