// Contrast of text on images, measured on pixels: axe does not analyse images.
import assert from 'node:assert/strict';
import { desktop, eventually, open, phone, tablet, test } from './fixtures.mjs';

/** The share of pixels behind a text that may be below AA, because images have noise. */
const MAX_SHARE = 0.01;

/** Runs in the page: for each text the share of the pixels below it on which its colour and size have less than AA contrast. */
async function sharesBelowAA({ png, texts }) {
  const bytes = Uint8Array.from(atob(png), (char) => char.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  return texts.map((text) => shareBelow(text));

  function shareBelow({ clip, colour, isLarge }) {
    const canvas = new OffscreenCanvas(clip.width, clip.height);
    const context = canvas.getContext('2d', { willReadFrequently: true });
    const linear = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    const luminance = (data, at) =>
      0.2126 * linear(data[at]) + 0.7152 * linear(data[at + 1]) + 0.0722 * linear(data[at + 2]);
    const pixels = () => context.getImageData(0, 0, canvas.width, canvas.height).data;
    context.drawImage(image, -clip.x, -clip.y);
    const below = pixels();
    // The text's colour may be translucent, so it is drawn over the image.
    context.fillStyle = colour;
    context.fillRect(0, 0, canvas.width, canvas.height);
    const text = pixels();
    let bad = 0;
    for (let at = 0; at < below.length; at += 4) {
      const [one, other] = [luminance(text, at), luminance(below, at)];
      const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
      if (ratio < (isLarge ? 3 : 4.5)) bad++;
    }
    return bad / (below.length / 4);
  }
}

for (const viewport of [phone, tablet, desktop]) {
  test(
    `Hero: heading, subheading and name have AA contrast on every image at ${viewport.width} px`,
    async ({ page }) => {
      await open(page, '/');
      const hero = page.getByRole('region', { name: 'Our masalas' });
      await hero.locator('.carousel-fade').waitFor();
      for (let slide = 1; slide <= 9; slide++) {
        await hero.getByRole('button', { name: `Slide ${slide}:` }).click();
        const shown = hero.locator('.carousel-slide:not([inert])');
        await eventually(() => shown.getAttribute('aria-label'), `${slide} of 9`);
        // The click scrolls the button away from the foot of the screen: the header would cover the name.
        await page.evaluate(() => window.scrollTo(0, 0));
        await eventually(
          () => shown.locator('img').evaluate((image) => image.complete && image.naturalWidth > 0),
          true,
        );
        const texts = await shown.locator('h2, p').evaluateAll((nodes) =>
          nodes.map((node) => {
            const range = document.createRange();
            range.selectNodeContents(node);
            const { x, y, width, height } = range.getBoundingClientRect();
            const { color, fontSize } = getComputedStyle(node);
            return { clip: { x, y, width, height }, colour: color, isLarge: Number.parseFloat(fontSize) >= 24 };
          }),
        );
        assert.equal(texts.length, 3);
        await shown.locator('h2, p').evaluateAll((nodes) => {
          for (const node of nodes) node.style.visibility = 'hidden';
        });
        // One screenshot for all texts of a slide: it takes longer than all that is done with it.
        const [left, top] = ['x', 'y'].map((side) => Math.floor(Math.min(...texts.map(({ clip }) => clip[side]))));
        const right = Math.max(...texts.map(({ clip }) => clip.x + clip.width));
        const bottom = Math.max(...texts.map(({ clip }) => clip.y + clip.height));
        const png = await page.screenshot({ clip: { x: left, y: top, width: right - left, height: bottom - top } });
        const inPicture = texts.map(({ clip, ...text }) => ({
          ...text,
          clip: {
            x: Math.round(clip.x - left),
            y: Math.round(clip.y - top),
            width: Math.floor(clip.width),
            height: Math.floor(clip.height),
          },
        }));
        const shares = await page.evaluate(sharesBelowAA, { png: png.toString('base64'), texts: inPicture });
        for (const [at, share] of shares.entries())
          assert.ok(
            share <= MAX_SHARE,
            `slide ${slide}, ${texts[at].colour}: ${(share * 100).toFixed(1)} % is below AA`,
          );
      }
    },
    { viewport },
  );
}
