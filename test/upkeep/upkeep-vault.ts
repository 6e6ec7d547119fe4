import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { openKeepsake, readEnvironment } from '../../packages/vault/src/app/index.ts';
import type { Keepsake } from '../../packages/vault/src/app/index.ts';
import type { UpkeepEvent, Watch } from '../../packages/vault/src/upkeep/index.ts';
import { initVault } from '../../packages/vault/src/vault/index.ts';
import { layOut, temporaryFolder } from '../temporary-vault.ts';
import type { Files } from '../temporary-vault.ts';

/** Everything a hundred times faster than for people. */
const fastTiming = {
  quiet: 60,
  quietUnseen: 60,
  scanEvery: 400,
  afterBurst: 50,
  afterHint: 200,
  treeQuiet: 30,
  treePatience: 5_000,
  recordQuiet: 100_000,
  recordEvery: 100_000,
  retry: 1_000,
  modelPause: 100,
  longestModelPause: 400,
  dropGoneEvery: 100_000,
};

export type KeptVault = {
  folder: string;
  state: string;
  keepsake: Keepsake;
  events: UpkeepEvent[];
  /** Makes the configuration file say this. */
  configure(to: object): void;
  read: (path: string) => string;
  /** Starts upkeep and waits until it has looked at everything once. */
  start: (options?: {
    watch?: Watch;
    timing?: Partial<typeof fastTiming>;
  }) => Promise<{ stop(): Promise<void> }>;
  /** Waits until nothing has happened for a while, several scans long. */
  silence: (milliseconds?: number) => Promise<void>;
};

type Options = {
  files?: Files;
  kind?: 'laid out' | 'adopted' | 'plain folder';
  folder?: string;
  /** What stands in the configuration file. */
  configuration?: object;
  dataHome?: string;
};

/** A vault as `keepsake init` makes it, with files in it, for upkeep to work on. */
export async function keptVault({
  files = {},
  kind = 'laid out',
  folder: given,
  configuration = {},
  dataHome = '',
}: Options = {}): Promise<KeptVault> {
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

/** Everything that tells whether a file was written, and by whom. */
export function traceOf(folder: string, path: string): string {
  const { ino, mtimeMs, size } = statSync(join(folder, path));
  return `${ino} ${mtimeMs} ${size}`;
}

export async function until(
  isSo: () => boolean | Promise<boolean>,
  what: string,
  limit = 20_000,
): Promise<void> {
  for (const start = performance.now(); !(await isSo()); await sleep(20))
    if (performance.now() - start > limit) throw new Error(`waited in vain until ${what}`);
}

/** Whether a search as a model makes it finds anything. */
export async function isFound({ keepsake }: KeptVault, word: string): Promise<boolean> {
  const outcome = await keepsake.writeRun('model').search({ queries: [word], mode: 'fast' });
  return outcome.kind === 'found' && outcome.passages.length > 0;
}

/** A text without other frontmatter, once it is stamped. */
export const stamped = /^---\n(?:created: (\S+)\n)?updated: (\S+)\ntokens: (\d+)\n---\n\n/;
