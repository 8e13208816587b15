import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Autoplay, createAutoplay } from './autoplay';

describe('autoplay', () => {
  let autoplay: Autoplay;
  let startedAt: number;
  let advances: number[];

  beforeEach(() => {
    vi.useFakeTimers();
    startedAt = Date.now();
    advances = [];
    autoplay = createAutoplay({ firstMs: 7000, everyMs: 7000 }, () => advances.push(Date.now() - startedAt));
  });
  afterEach(() => {
    autoplay.destroy();
    vi.useRealTimers();
  });

  it('advances every 7000 ms, start to start', () => {
    vi.advanceTimersByTime(28_000);
    expect(advances).toEqual([7000, 14_000, 21_000, 28_000]);
  });

  it('does not add up late timers', () => {
    vi.advanceTimersByTime(6990);
    // The thread is busy: the timer fires 60 ms late.
    vi.setSystemTime(Date.now() + 60);
    vi.advanceTimersByTime(20);
    expect(advances).toEqual([7060]);
    vi.advanceTimersByTime(14_000);
    expect(advances).toEqual([7060, 14_000, 21_000]);
  });

  it('starts a new interval after a long sleep', () => {
    vi.advanceTimersByTime(6000);
    vi.setSystemTime(Date.now() + 3_600_000);
    vi.advanceTimersByTime(1000);
    expect(advances).toHaveLength(1);
    vi.advanceTimersByTime(3000);
    expect(advances, 'not one slide after the other').toHaveLength(1);
    vi.advanceTimersByTime(4000);
    expect(advances).toHaveLength(2);
  });

  it('keeps the rest of the interval while it is paused', () => {
    vi.advanceTimersByTime(5000);
    autoplay.hold('hover');
    vi.advanceTimersByTime(60_000);
    expect(advances).toEqual([]);
    autoplay.release('hover');
    vi.advanceTimersByTime(1999);
    expect(advances).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(advances).toHaveLength(1);
  });

  it('waits until every reason to hold is gone', () => {
    autoplay.hold('hover');
    autoplay.hold('stopped');
    autoplay.release('hover');
    vi.advanceTimersByTime(60_000);
    expect(advances).toEqual([]);
    autoplay.release('stopped');
    vi.advanceTimersByTime(7000);
    expect(advances).toHaveLength(1);
  });

  it('gives a slide that was chosen by hand its whole time', () => {
    vi.advanceTimersByTime(6000);
    autoplay.restart();
    vi.advanceTimersByTime(6999);
    expect(advances).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(advances).toEqual([13_000]);
  });

  it('may wait less for the first slide', () => {
    autoplay.destroy();
    autoplay = createAutoplay({ firstMs: 2000, everyMs: 2800 }, () => advances.push(Date.now() - startedAt));
    vi.advanceTimersByTime(8000);
    expect(advances).toEqual([2000, 4800, 7600]);
  });

  it('does nothing once it is destroyed', () => {
    autoplay.destroy();
    autoplay.restart();
    vi.advanceTimersByTime(60_000);
    expect(advances).toEqual([]);
  });
});
