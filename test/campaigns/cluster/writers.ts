import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { api } from '../../../packages/vault/src/contract/index.ts';

export const file = 'bucket/lines.md';

/** One vault, and what its writer was told: what was acknowledged, in order. What it was not told of may be there or not. */
export type Written = {
  vault: string;
  token: string;
  tried: number;
  lines: number[];
  updates: string[];
  /** Its last request was not answered, and none since. */
  isRefused: boolean;
  /** When the node that had it was killed, until it was served again. */
  orphanedAt: number | null;
};

/** How long who asked had to wait for a vault whose node was killed, in milliseconds. */
type Waits = number[];

type Options = { anyAddress: () => string; pause: () => number; over: AbortSignal; waits: Waits };

/** Appends lines and hands over updates, one after the other, until it is over. */
export async function writeOn(each: Written, { anyAddress, pause, over, waits }: Options): Promise<void> {
  while (!over.aborted) {
    const number = (each.tried += 1);
    const began = performance.now();
    const isUpdate = number % 5 === 0;
    const ask = (): Promise<string | null> =>
      isUpdate ? handOver(anyAddress(), each, number) : append(anyAddress(), each, `line ${number}.`);
    const acknowledged = await ask();
    if (acknowledged === null) {
      // Whether it was done is not known: the next is another one. Who asks is served by whoever has the vault next.
      each.isRefused = true;
      while (!over.aborted && !(await reads(anyAddress(), each))) await sleep(500);
      each.isRefused = false;
      noteServed(each, began, waits);
      continue;
    }
    if (isUpdate) each.updates.push(acknowledged);
    else each.lines.push(number);
    if (began >= (each.orphanedAt ?? Infinity)) noteServed(each, began, waits);
    await sleep(pause(), undefined, { signal: over }).catch(() => undefined);
  }
}

function noteServed(each: Written, began: number, waits: Waits): void {
  if (each.orphanedAt !== null) waits.push(performance.now() - Math.max(began, each.orphanedAt));
  each.orphanedAt = null;
}

const patience = 20_000;

/** Something if it was acknowledged, else null. */
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
      signal: AbortSignal.timeout(patience),
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
      signal: AbortSignal.timeout(patience),
    });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
