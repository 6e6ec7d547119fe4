import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { openKeepsake, readEnvironment } from '../../packages/vault/src/app/index.ts';
import type { Keepsake } from '../../packages/vault/src/app/index.ts';
import type { UpkeepEvent, StartWatching } from '../../packages/vault/src/upkeep/index.ts';
import { initVault } from '../../packages/vault/src/vault/index.ts';
import { layOut, temporaryFolder } from '../temporary-vault.ts';
import type { Files } from '../temporary-vault.ts';

/** About a hundred times faster than the defaults. */
const fastTiming = {
  stampQuietMs: 60,
  undetectableStampQuietMs: 60,
  scanIntervalMs: 400,
  burstScanDelayMs: 50,
  hintScanDelayMs: 200,
  treeQuietMs: 30,
  treeMaxDelayMs: 5_000,
  recordQuietMs: 100_000,
  deletionGraceMs: 100,
  recordIntervalMs: 100_000,
  stampRetryDelayMs: 1_000,
  minModelBackoffMs: 100,
  maxModelBackoffMs: 400,
  vectorCleanupIntervalMs: 100_000,
};

export type UpkeepVault = {
  folder: string;
  state: string;
  keepsake: Keepsake;
  events: UpkeepEvent[];
  /** Writes the configuration file. */
  configure(to: object): void;
  read: (path: string) => string;
  /** Starts upkeep and waits until it has scanned everything once. */
  start: (options?: {
    watch?: StartWatching;
    timing?: Partial<typeof fastTiming>;
  }) => Promise<{ stop(): Promise<void> }>;
  /** Waits until there have been no events for the duration of several scans. */
  silence: (milliseconds?: number) => Promise<void>;
};

type Options = {
  files?: Files;
  kind?: 'laid out' | 'adopted' | 'plain folder';
  folder?: string;
  /** The content of the configuration file. */
  configuration?: object;
  dataHome?: string;
};

/** A vault created by `keepsake init`, with these files, for upkeep to work on. */
export async function createUpkeepVault({
  files = {},
  kind = 'laid out',
  folder: given,
  configuration = {},
  dataHome = '',
}: Options = {}): Promise<UpkeepVault> {
  const root = temporaryFolder();
  const [folder, state] = [given ?? join(root, 'vault'), join(root, 'state')];
  const init = () => initVault(folder, { language: 'en', home: root, clock: Date.now });
  mkdirSync(folder, { recursive: true });
  if (kind === 'laid out' && given === undefined) init();
  layOut(folder, files);
  if (kind === 'adopted') init();
  const configFile = join(root, 'config.yaml');
  const configure = (to: object): void => writeFileSync(configFile, JSON.stringify(to));
  configure(configuration);
  const environment = { ...readEnvironment({ PATH: process.env['PATH'] }), configFile, dataHome };
  const keepsake = await openKeepsake({ vault: folder, state, environment });
  onTestFinished(async () => void (await keepsake.close()));
  const events: UpkeepEvent[] = [];
  let last = performance.now();
  let isFirst = true;
  const silence = async (milliseconds = 1_200): Promise<void> => {
    last = performance.now();
    while (performance.now() - last < milliseconds) await sleep(20);
  };
  return {
    folder,
    state,
    keepsake,
    events,
    configure,
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    async start({ watch, timing } = {}) {
      const upkeep = keepsake.startUpkeep({
        ...(watch && { watch }),
        timing: { ...fastTiming, ...timing },
        onEvent(event) {
          events.push(event);
          last = performance.now();
        },
      });
      onTestFinished(() => upkeep.stop());
      const hasAll = (event: UpkeepEvent): boolean => event.kind === 'baseline' && event.left === 0;
      if (isFirst && kind !== 'plain folder')
        await until(() => events.some(hasAll), 'history has every file', 120_000);
      isFirst = false;
      await silence(600);
      events.length = 0;
      return upkeep;
    },
    silence,
  };
}

/** Changes whenever the file is written or replaced. */
export function fingerprintOf(folder: string, path: string): string {
  const { ino, mtimeMs, size } = statSync(join(folder, path));
  return `${ino} ${mtimeMs} ${size}`;
}

export async function until(
  isSo: () => boolean | Promise<boolean>,
  what: string,
  limit = 20_000,
): Promise<void> {
  for (const start = performance.now(); !(await isSo()); await sleep(20))
    if (performance.now() - start > limit) throw new Error(`timed out waiting until ${what}`);
}

/** Whether a search by a model finds the word. */
export async function isFound({ keepsake }: UpkeepVault, word: string): Promise<boolean> {
  const outcome = await keepsake.writeRun('model').search({ queries: [word], mode: 'fast' });
  return outcome.kind === 'found' && outcome.passages.length > 0;
}

/** Matches a stamped text without other frontmatter. */
export const stamped = /^---\n(?:created: (\S+)\n)?updated: (\S+)\ntokens: (\d+)\n---\n\n/;
