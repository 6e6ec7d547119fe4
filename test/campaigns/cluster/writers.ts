import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { api } from '../../../packages/vault/src/contract/index.ts';

export const file = 'bucket/lines.md';

/** One vault and its acknowledged writes, in order. Unacknowledged writes may or may not have been applied. */
export type Written = {
  vault: string;
  token: string;
  tried: number;
  lines: number[];
  updates: string[];
  /** Whether the last request was not acknowledged. */
  isRefused: boolean;
  /** When the node or the worker of the vault was killed or stopped; null once it is served again. */
  orphanedAt: number | null;
  /** Gets notes that take long to process. */
  isHeavy: boolean;
};

/** The waiting times of writers for a vault whose node was killed, in milliseconds. */
type Waits = number[];

type Options = {
  anyAddress: () => string;
  pause: () => number;
  over: AbortSignal;
  waits: () => Waits;
  /** Called with the time of each request of a writer, in milliseconds. */
  onAnswered: (each: Written, tookMs: number) => void;
};

/** Appends lines and submits updates, one after the other, until `over` is aborted. */
export async function writeOn(
  each: Written,
  { anyAddress, pause, over, waits, onAnswered }: Options,
): Promise<void> {
  while (!over.aborted) {
    const number = (each.tried += 1);
    const began = performance.now();
    const isUpdate = number % 5 === 0;
    const ask = (): Promise<string | null> =>
      isUpdate ? handOver(anyAddress(), each, number) : append(anyAddress(), each, `line ${number}.`);
    const acknowledged = await ask();
    onAnswered(each, performance.now() - began);
    if (acknowledged === null) {
      // It is unknown whether the write was applied, so the next one has another number. First wait until a node serves
      // the vault again.
      each.isRefused = true;
      while (!over.aborted && !(await reads(anyAddress(), each))) await sleep(500);
      each.isRefused = false;
      noteServed(each, began, waits());
      continue;
    }
    if (isUpdate) each.updates.push(acknowledged);
    else each.lines.push(number);
    if (began >= (each.orphanedAt ?? Infinity)) noteServed(each, began, waits());
    await sleep(pause(), undefined, { signal: over }).catch(() => undefined);
  }
}

function noteServed(each: Written, began: number, waits: Waits): void {
  if (each.orphanedAt !== null) waits.push(performance.now() - Math.max(began, each.orphanedAt));
  each.orphanedAt = null;
}

const requestTimeoutMs = 20_000;

/** Null when the write was not acknowledged. */
async function append(address: string, { vault, token }: Written, content: string): Promise<string | null> {
  const given = await post(address, { vault, token }, `tools/append`, {
    input: { path: file, content, position: 'bottom' },
  });
  const outcome = api.toolOutcome.safeParse(given).data;
  return outcome?.kind === 'result' && outcome.result.value.errors.length === 0 ? 'appended' : null;
}

async function handOver(address: string, of: Written, number: number): Promise<string | null> {
  const given = await post(address, of, 'updates', { text: `update ${number}.` });
  return z.object({ id: z.string() }).safeParse(given).data?.id ?? null;
}

export async function begin(address: string, of: Written): Promise<boolean> {
  const given = await post(address, of, 'tools/write', { input: { path: file, content: '# Lines\n' } });
  return api.toolOutcome.safeParse(given).data?.kind === 'result';
}

type Of = { vault: string; token: string };

async function post(address: string, { vault, token }: Of, path: string, body: object): Promise<unknown> {
  try {
    const response = await fetch(`${address}/v/${vault}/api/vaults/default/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    return await response.json();
  } catch {
    return null;
  }
}

async function reads(address: string, { vault, token }: Of): Promise<boolean> {
  try {
    const response = await fetch(`${address}/v/${vault}/api/vaults/default/files/${file}`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

/** Notes that take long to parse, to compare or to index. */
const heavyNotes: readonly (() => string)[] = [
  () => 'The same line again and again.\n'.repeat(600_000),
  () => `# One line\n\n${'word '.repeat(1_000_000)}\n`,
  () => '[['.repeat(500_000),
  () =>
    Array.from({ length: 200_000 }, (_, number) => `## Heading ${number}\n\n- [ ] task ${number}\n`).join(''),
];

/** Saves two notes of up to 18 MB in each of these vaults, one after the other. Returns how many were saved. */
export async function writeHeavyNotes(
  vaults: readonly Written[],
  { anyAddress, over }: Pick<Options, 'anyAddress' | 'over'>,
): Promise<number> {
  let saved = 0;
  for (let number = 0; !over.aborted && number < vaults.length * 2; number += 1) {
    const of = vaults[number % vaults.length] as Written;
    const note = heavyNotes[number % heavyNotes.length]?.() ?? '';
    if (await put(anyAddress(), of, `bucket/heavy-${number}.md`, note)) saved += 1;
    await sleep(2_000, undefined, { signal: over }).catch(() => undefined);
  }
  return saved;
}

async function put(address: string, { vault, token }: Of, name: string, content: string): Promise<boolean> {
  try {
    const response = await fetch(`${address}/v/${vault}/api/vaults/default/files/${name}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'text/markdown', 'if-none-match': '*' },
      body: content,
      signal: AbortSignal.timeout(120_000),
    });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
