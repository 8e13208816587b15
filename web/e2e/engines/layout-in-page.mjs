// Runs in the page: what is wrong with its layout. Sent as text, so it uses nothing outside itself.

/** Returns sentences; none if all is well. `parts` are selectors of what must be visible. */
export async function layoutProblems(parts) {
  const problems = [];
  const root = document.documentElement;
  const name = (element) => {
    const text = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().replace(/\s+/g, ' ');
    return `<${element.tagName.toLowerCase()}> '${text.slice(0, 40)}'`;
  };
  const shown = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const isModal = (dialog) => dialog.matches(':modal');
  const modal = [...document.querySelectorAll('dialog[open]')].filter(isModal).at(-1);
  const scope = modal ?? document.body;

  const overflow = root.scrollWidth - root.clientWidth;
  if (overflow > 0) {
    const wide = [...document.querySelectorAll('body *')].filter(
      (one) => shown(one) && one.getBoundingClientRect().right > root.clientWidth + 1,
    );
    problems.push(`the page is ${overflow} px too wide, for example by ${wide.slice(-3).map(name).join(', ')}`);
  }

  for (const selector of parts) {
    const found = [...document.querySelectorAll(selector)].filter(shown).map((one) => one.getBoundingClientRect());
    const isIn = ({ left, right, width, height }) => width > 0 && height > 0 && right > 0 && left < root.clientWidth;
    if (!found.some(isIn)) problems.push(`${selector} is not visible`);
  }

  /** A box without what its ancestors cut off. */
  const clipped = (element, { left, top, right, bottom }) => {
    const box = { left, top, right, bottom };
    for (let parent = element; parent && parent !== root; parent = parent.parentElement) {
      if (getComputedStyle(parent).overflow === 'visible') continue;
      const frame = parent.getBoundingClientRect();
      box.left = Math.max(box.left, frame.left);
      box.top = Math.max(box.top, frame.top);
      box.right = Math.min(box.right, frame.right);
      box.bottom = Math.min(box.bottom, frame.bottom);
    }
    return box;
  };
  /** The header, bars and buttons that stay in place are above what scrolls under them. */
  const layer = (element) => {
    for (let parent = element; parent; parent = parent.parentElement)
      if (['fixed', 'sticky'].includes(getComputedStyle(parent).position)) return parent;
    return null;
  };
  const isLeft = (element) => element.closest('[inert], [hidden], .sr-only, [aria-hidden=true], option');

  // Lines of text that lie on each other.
  window.scrollTo({ top: 0, behavior: 'instant' });
  const lines = [];
  const walker = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { currentNode: node } = walker;
    const element = node.parentElement;
    if (!node.nodeValue.trim() || !shown(element) || isLeft(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) {
      const box = clipped(element, rect);
      if (box.right - box.left > 3 && box.bottom - box.top > 3) lines.push({ element, layer: layer(element), ...box });
    }
  }
  lines.forEach((one, at) => {
    for (const other of lines.slice(at + 1)) {
      if (one.element === other.element || one.layer !== other.layer) continue;
      const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      // The boxes of two lines may overlap where their letters do not.
      if (width > 2 && height > 0.4 * Math.min(one.bottom - one.top, other.bottom - other.top))
        problems.push(`${name(one.element)} lies on ${name(other.element)}`);
    }
  });

  // Controls that something else covers.
  const controls = [
    ...scope.querySelectorAll('a[href], button, input:not([type=hidden], [type=file]), select, textarea'),
  ];
  for (const control of controls) {
    if (!shown(control) || isLeft(control) || control.disabled) continue;
    control.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
    const box = clipped(control, control.getBoundingClientRect());
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    if (box.right - box.left < 2 || box.bottom - box.top < 2 || x < 0 || y < 0) continue;
    if (x > root.clientWidth || y > window.innerHeight) continue;
    const top = document.elementFromPoint(x, y);
    const isFree = !top || control.contains(top) || top.contains(control) || top.closest('label')?.contains(control);
    if (!isFree) problems.push(`${name(control)} is covered by ${name(top)}`);
  }

  // Images that are not drawn.
  window.scrollTo({ top: 0, behavior: 'instant' });
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  for (const image of scope.querySelectorAll('img')) {
    const { left, top, right, bottom, width } = image.getBoundingClientRect();
    const isInView = right > 0 && bottom > 0 && left < root.clientWidth && top < window.innerHeight;
    if (shown(image) && isInView && !(image.complete && image.naturalWidth > 0 && width > 0))
      problems.push(`the image ${image.currentSrc || image.src} is not drawn`);
  }
  return [...new Set(problems)];
}
