"""What must be the same on every instance, whichever of them was asked."""

import asyncio
import time

from soak.people import HOME
from soak.shop import ADMIN
from soak.web import NoAnswer, Visitor, once

LOOK_FOR_S = 1.6


async def hide_everywhere(world, public, instances):
    """A product hidden through one instance is gone from all within a second, pages included."""
    admin, slowest = Visitor(public), 0.0
    if not await admin.sign_in(ADMIN):
        return world.trouble("the admin cannot sign in after the failover")
    for _ in range(6):
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
        wrong = await asyncio.gather(*(last_wrong(world, instance.address + path, wanted, began) for instance in instances for path in paths))
        slowest = max(slowest, *wrong)
    world.say(f"a product hidden or shown on one instance is so on all, pages included, for whoever asks {slowest * 1000:.0f} ms later")
    if slowest > 1.0:
        world.trouble(f"it took {slowest:.2f} s until a product was hidden everywhere")


async def last_wrong(world, url, wanted, began):
    """Asks again and again, without waiting for the answers; when the last one asked that was told the old truth."""

    async def ask():
        asked = time.monotonic() - began
        try:
            return asked, (await once(url, timeout=20)).status
        except NoAnswer:
            return asked, None

    asking = []
    while time.monotonic() - began < LOOK_FOR_S:
        asking.append(asyncio.create_task(ask()))
        await asyncio.sleep(0.1)
    answers = await asyncio.gather(*asking)
    if not any(status == wanted for _, status in answers):
        world.trouble(f"{url} should be {wanted}, and is {answers[-1][1]}")
    return max((asked for asked, status in answers if status not in (wanted, None)), default=0.0)


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
