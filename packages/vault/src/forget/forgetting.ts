import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { removeTemporaryFile } from '../changes/index.ts';
import type { Changes } from '../changes/index.ts';
import type {
  Clock,
  ForgetPlace,
  ForgetPlan,
  Forgetting,
  ForgetTarget,
  UnreachablePlace,
} from '../contract/index.ts';
import { isTreeFile } from '../vault/index.ts';
import type { Catalogue, Language, VaultView } from '../vault/index.ts';
import {
  compactDatabase,
  compactDisposable,
  deleteOrphanedVectors,
  deleteRows,
} from './disposable-database.ts';
import { redactDurable } from './durable-database.ts';
import { ForgetError } from './forget-error.ts';
import { openForgettingRepository } from './git-repository.ts';
import type { RewrittenObjects } from './git-repository.ts';
import { createIntent } from './intent.ts';
import { computeShownCode, findPlaces, findRawTraces, listDisposable, listHistories } from './places.ts';
import type { VaultStores } from './places.ts';
import { createRedactor } from './redactor.ts';
import type { Redactor } from './redactor.ts';
import { formatRules, requireRules } from './rules.ts';
import type { RedactionRules } from './rules.ts';
import { resolveTarget } from './resolve-target.ts';
import { findFiles, findTemporaryFiles, redactFiles } from './vault-files.ts';

/** Throws when the lock was lost. Called before each step that changes something. */
type Check = () => void;

type Dependencies = VaultStores & {
  view: VaultView;
  catalogue: Catalogue;
  changes: Changes;
  clock: Clock;
  language: Language;
  /** Runs `work` while no other process forgets or syncs. `check` throws when another process has taken over. */
  holdLock: <Value>(work: (check: Check) => Promise<Value>) => Promise<Value>;
  /** Whether a running process holds that lock. */
  isLockHeld: () => boolean;
  /** Brings the search index and `tree.md` up to date with the files. */
  refreshDerived: () => Promise<void>;
  /** Backups of this vault that were made on this machine. */
  listBackups: () => string[];
  /** Removes everything that other machines of a service stored before now; undefined if the vault is not hosted. */
  purgeReplicas: (() => Promise<void>) | undefined;
  /** The sync repository. Used while the lock is held; each function has no effect the second time. */
  sync: {
    /** Stores the rules, sealed, so that the next sync applies them to the remote and the other machines. */
    store(id: string, rules: object): Promise<void>;
    redact(): Promise<void>;
  };
};

/** Forgetting, and the calls of the modules that start it. */
type VaultForgetting = Forgetting & {
  /** Completes what a crash interrupted. Call it before anything is read. */
  resume(): Promise<void>;
  /** Removes what another machine has forgotten. Call it while the lock of sync is held. */
  apply(rules: unknown, check: Check): Promise<void>;
};

export function createForgetting(dependencies: Dependencies): VaultForgetting {
  const { language, holdLock } = dependencies;
  const intent = createIntent(dependencies.stateFolder);
  const resolve = async (target: ForgetTarget): Promise<Redactor> => {
    const { phrases, contents } = await resolveTarget(dependencies, target);
    const rules = { phrases, contents, isBySentence: false, salt: randomUUID(), language };
    const redactor = createRedactor(rules);
    if (target.wholeSentences !== true) return redactor;
    const sentences = await findSentences(dependencies, redactor);
    return createRedactor({ ...rules, phrases: [...sentences, ...phrases] }, phrases);
  };
  const makePlan = async (target: ForgetTarget): Promise<{ plan: ForgetPlan; redactor: Redactor }> => {
    const redactor = await resolve(target);
    const { places, unreachable } = await findPlaces(dependencies, redactor, redactor.describe);
    const { phrases } = redactor.rules;
    const shown = computeShownCode(phrases, places);
    const all = [...unreachable, ...listUnreachable(dependencies)];
    return { plan: { target, phrases, places, unreachable: all, shown }, redactor };
  };
  return {
    plan: async (target) => (await makePlan(target)).plan,
    run: (target, shown) =>
      holdLock(async (check) => {
        const { plan, redactor } = await makePlan(target);
        if (plan.shown !== shown) throw changedError();
        assertPossible(dependencies);
        check();
        intent.write(redactor.rules);
        const { change, remaining, unreachable } = await complete(dependencies, redactor, { check });
        await dependencies.purgeReplicas?.();
        check();
        intent.erase();
        return {
          places: plan.places.map((place) => toReceiptPlace(place, redactor)),
          remaining: remaining.map((place) => toReceiptPlace(place, redactor)),
          unreachable: [...unreachable, ...listUnreachable(dependencies)],
          change,
        };
      }),
    async resume() {
      if (intent.read() === null || dependencies.isLockHeld()) return;
      await holdLock(async (check) => {
        const rules = intent.read();
        if (rules === null) return;
        await complete(dependencies, createRedactor(rules), { check });
        await dependencies.purgeReplicas?.();
        check();
        intent.erase();
      });
    },
    async apply(value, check) {
      const rules = requireRules(value);
      assertPossible(dependencies);
      check();
      intent.write(rules);
      const { remaining } = await complete(dependencies, createRedactor(rules), { check, isFromSync: true });
      check();
      intent.erase();
      // Sync would send them again.
      if (remaining.some(({ store }) => store === 'files'))
        throw new ForgetError('busy', 'words that were forgotten on another machine could not be removed', {
          hint: 'close other programs that use the vault, and sync again',
        });
    },
  };
}

/**
 * The sentences around the words, as they are now. Only these are removed as a whole; of other versions, which other machines may have, the words alone.
 */
async function findSentences(stores: VaultStores, redactor: Redactor): Promise<Set<string>> {
  const sentences = new Set<string>();
  await findPlaces(stores, redactor, (value) => {
    for (const sentence of redactor.findSentences(value)) sentences.add(sentence);
    return [];
  });
  return sentences;
}

function changedError(): ForgetError {
  return new ForgetError(
    'changed',
    'what would be removed has changed since it was shown; nothing was removed',
    {
      hint: 'look at it again',
    },
  );
}

/** The names do not contain the words. */
function toReceiptPlace({ store, name, count }: ForgetPlace, redactor: Redactor): ForgetPlace {
  const isPath = store === 'files' || store === 'history' || store === 'sync';
  return { store, name: isPath ? redactor.redactPath(name) : redactor.redactValue(name), count };
}

function listUnreachable({ listBackups }: Dependencies): UnreachablePlace[] {
  const backups = listBackups();
  return [
    ...(backups.length === 0 ? [''] : backups).map((name) => ({ kind: 'backup' as const, name })),
    { kind: 'machine', name: '' },
    { kind: 'provider', name: '' },
  ];
}

/** Throws before anything is changed if the words could come back or cannot be removed. */
function assertPossible({ durable, clock }: Dependencies): void {
  const running = durable()
    ?.prepare(`select 1 from updates where state = 'running' and leased_until > ?`)
    .get(clock());
  if (running !== undefined)
    throw new ForgetError('busy', 'an update is being processed and could write the words again', {
      hint: 'retry when it has finished: keepsake updates',
    });
}

type Completed = { change: string | null; remaining: ForgetPlace[]; unreachable: UnreachablePlace[] };

/** Other processes may write a derived copy again while they notice the removal; it is removed again. */
const maxAttempts = 12;
const retryDelayMs = 250;

/** Removes the words from every store. Every step can be repeated. */
async function complete(
  dependencies: Dependencies,
  redactor: Redactor,
  { check, isFromSync = false }: { check: Check; isFromSync?: boolean },
): Promise<Completed> {
  const { searchPath } = dependencies;
  const stateFolder = dependencies.stateFolder();
  let change: string | null = null;
  if (!isFromSync) await storeForSync(dependencies, redactor.rules);
  for (let attempt = 1; ; attempt += 1) {
    change = (await removeFromFiles(dependencies, redactor)) ?? change;
    await dependencies.refreshDerived();
    check();
    dependencies.stateFiles().remove(redactor);
    for (const file of findTemporaryFiles(dependencies.root, redactor)) removeTemporaryFile(file);
    for (const file of listDisposable(stateFolder)) {
      check();
      await deleteRows(file, redactor);
      if (file.endsWith('index.sqlite')) await deleteOrphanedVectors(file);
      await compactDisposable(file);
    }
    check();
    await compactDatabase(join(stateFolder, 'keepsake.sqlite'));
    if (!isFromSync) await dependencies.sync.redact();
    const found = await findPlaces(dependencies, redactor);
    const { unreachable } = found;
    // Sync removes the words from its repository itself.
    const places = found.places.filter(({ store }) => !isFromSync || store !== 'sync');
    const remaining = places.length > 0 ? places : await findRawTraces(stateFolder, redactor, searchPath);
    if (remaining.length === 0 || attempt === maxAttempts) return { change, remaining, unreachable };
    await sleep(retryDelayMs);
  }
}

function storeForSync({ sync }: Dependencies, rules: RedactionRules): Promise<void> {
  return sync.store(rules.salt, formatRules(rules));
}

const maxRounds = 10;

/** Removes the words from files, history and journal. */
async function removeFromFiles(dependencies: Dependencies, redactor: Redactor): Promise<string | null> {
  const { root, view, changes } = dependencies;
  let change: string | null = null;
  for (let round = 1; round <= maxRounds; round += 1) {
    await changes.record();
    const found = findFiles(root, redactor);
    change = (await redactFiles({ view, writer: changes.writer }, found, redactor)) ?? change;
    await changes.record();
    const isDone = await changes.withExclusiveAccess(async (check) => {
      // Another process may have restored the words meanwhile.
      if (round < maxRounds && findFiles(root, redactor).files.some((path) => !isTreeFile(path)))
        return false;
      check();
      await rewriteHistory(dependencies, redactor, check);
      return true;
    });
    if (isDone) break;
  }
  return change;
}

/**
 * First adds rewritten objects, then changes the journal in one transaction, then moves the refs and deletes the old objects.
 * Until the last step both old and new ids can be read, so the journal is valid at every moment.
 */
async function rewriteHistory(
  { stateFolder, searchPath, durable }: Dependencies,
  redactor: Redactor,
  check: () => void,
): Promise<void> {
  const rewritten: RewrittenObjects = { ids: new Map(), touched: new Set() };
  const finishing: ((keep: readonly string[]) => Promise<void>)[] = [];
  for (const { folder, isDamaged } of listHistories(stateFolder())) {
    const repository = openForgettingRepository(folder, searchPath);
    /** What cannot be removed from a damaged repository is reported as out of reach. */
    const tolerate = async <Value>(work: Promise<Value>): Promise<Value | null> =>
      isDamaged ? work.catch(() => null) : work;
    const own = await tolerate(repository.rewrite(redactor));
    if (own === null || own.ids.size === 0) continue;
    for (const [from, to] of own.ids) rewritten.ids.set(from, to);
    for (const commit of own.touched) rewritten.touched.add(commit);
    finishing.push(async (keep) => void (await tolerate(repository.finish(own, keep))));
  }
  const database = durable();
  if (database === null) return;
  redactDurable(database, redactor, rewritten, check);
  const commits = database.prepare(`select commit_hash from transactions where commit_hash != ''`).pluck();
  for (const finish of finishing) {
    check();
    await finish(commits.all() as string[]);
  }
}
