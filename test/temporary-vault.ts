import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openKeepsake, readEnvironment } from '../packages/vault/src/app/index.ts';
import type { Keepsake } from '../packages/vault/src/app/index.ts';
import { tools } from '../packages/vault/src/tools/index.ts';
import type { ToolOutcome } from '../packages/vault/src/tools/index.ts';

export type Files = Record<string, string | Uint8Array | null>;

/** Marks a folder as a vault created by `keepsake init`, in which Keepsake's writes and external edits are stamped. */
export const laidOut: Files = { '.keepsake/vault.json': '{ "id": "laid-out-vault", "version": 1 }\n' };

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes files below a folder; null creates an empty folder. */
export function layOut(folder: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    const full = join(folder, path);
    mkdirSync(content === null ? full : dirname(full), { recursive: true });
    if (content !== null) writeFileSync(full, content);
  }
}

export type TestVault = {
  folder: string;
  state: string;
  keepsake: Keepsake;
  /** Calls a tool in a separate run: as a model, or as the user, without the limits for models. */
  call: (tool: string, input: unknown, reader?: 'model' | 'person') => Promise<ToolOutcome>;
  /** The text of a call that is expected to succeed. */
  text: (tool: string, input: unknown, reader?: 'model' | 'person') => Promise<string>;
};

/** A real vault on disk, opened through the application. */
export async function temporaryVault(files: Files = {}, clock?: () => number): Promise<TestVault> {
  const root = temporaryFolder();
  const [folder, state] = [join(root, 'vault'), join(root, 'state')];
  mkdirSync(folder);
  layOut(folder, files);
  const keepsake = await openKeepsake({
    vault: folder,
    state,
    environment: readEnvironment({ PATH: process.env['PATH'] }),
    ...(clock && { clock }),
  });
  onTestFinished(async () => void (await keepsake.close()));
  const call: TestVault['call'] = async (name, input, reader = 'model') => {
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool === undefined) throw new Error(`tool ${name} does not exist`);
    return tool.call(input, keepsake.writeRun(reader));
  };
  const text: TestVault['text'] = async (name, input, reader) => {
    const outcome = await call(name, input, reader);
    if (outcome.kind === 'refused') throw new Error(outcome.message);
    return outcome.result.text;
  };
  return { folder, state, keepsake, call, text };
}
