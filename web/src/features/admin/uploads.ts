// Pictures on their way to the shop. One request a file, so that each shows its own progress and a bad one costs no
// other. What was stored stays listed until the tab is closed, whichever section is open.
import { useSyncExternalStore } from 'react';
import { notify } from '~/ui/notify';

export type Upload = {
  key: number;
  name: string;
  state: 'waiting' | 'sending' | 'stored' | 'failed';
  /** 0 to 1. */
  progress: number;
  /** The name under which the shop keeps it. */
  stored: string;
  fault: string;
};

const AT_ONCE = 3;
const FAILED = 'Upload failed';

let uploads: Upload[] = [];
let lastKey = 0;
const listeners = new Set<() => void>();
const none: Upload[] = [];

export function useUploads(): Upload[] {
  return useSyncExternalStore(
    subscribe,
    () => uploads,
    () => none,
  );
}

export function forgetUpload(key: number): void {
  set(uploads.filter((each) => each.key !== key));
}

/** Sends all, a few at a time, and answers with the stored names in the order in which the files came. */
export async function sendFiles(files: File[]): Promise<string[]> {
  const batch = files.map((file) => ({ file, key: ++lastKey }));
  const fresh = batch.map(
    ({ file, key }): Upload => ({ key, name: file.name, state: 'waiting', progress: 0, stored: '', fault: '' }),
  );
  set([...fresh, ...uploads]);

  const waiting = [...batch];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await sendOne(next.key, next.file);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));

  const done = batch.flatMap(({ key }) => uploads.find((each) => each.key === key) ?? []);
  const names = done.filter(({ state }) => state === 'stored').map(({ stored }) => stored);
  if (names.length > 0) notify.success(`Upload successful: ${names.join(', ')}`);
  if (done.some(({ state }) => state === 'failed')) notify.error(FAILED);
  return names;
}

async function sendOne(key: number, file: File): Promise<void> {
  change(key, { state: 'sending' });
  try {
    const stored = await post(file, (progress) => change(key, { progress }));
    change(key, { state: 'stored', progress: 1, stored });
  } catch (error) {
    change(key, { state: 'failed', fault: error instanceof Error ? error.message : FAILED });
  }
}

/** fetch cannot tell how much of a request has left; XMLHttpRequest can. */
function post(file: File, onProgress: (part: number) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const form = new FormData();
    form.append('images', file);
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress(loaded / total);
    };
    request.onerror = () => reject(new Error(FAILED));
    request.onload = () => {
      const answer = readAnswer(request.responseText);
      const stored = answer.files?.[0];
      if (request.status < 300 && stored) resolve(stored);
      else reject(new Error(answer.error || answer.message || FAILED));
    };
    request.open('POST', '/api/admin/upload-images');
    request.setRequestHeader('accept', 'application/json');
    request.send(form);
  });
}

type Answer = { files?: string[]; error?: string; message?: string };

function readAnswer(text: string): Answer {
  try {
    return (JSON.parse(text) as Answer | null) ?? {};
  } catch {
    return {};
  }
}

function change(key: number, part: Partial<Upload>): void {
  set(uploads.map((each) => (each.key === key ? { ...each, ...part } : each)));
}

function set(next: Upload[]): void {
  uploads = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
