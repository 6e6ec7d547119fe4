import type { RunGit } from '../changes/index.ts';

/**
 * `base`: last remote commit that is fully imported. `local`: last commit made from the vault. `late`: blob that lists
 * the files of `base` that were skipped. `marked`: commit that the marker in the folder names. `redacted`: commit without
 * forgotten words that is about to replace `base`. `removals`: blob that lists the removals to be sent, sealed. `lineage`: blob that
 * describes the history that the removals belong to. `position`: blob that says which changes of the journal are in commits.
 * `accepted-secrets`: blob with hashes of the secrets that the user agreed to send.
 */
export type RefName =
  | 'base'
  | 'local'
  | 'late'
  | 'remote'
  | 'marked'
  | 'redacted'
  | 'removals'
  | 'lineage'
  | 'position'
  | 'accepted-secrets';

/** The state of syncing, stored as refs of the repository. */
export type SyncRefs = {
  ref(name: RefName): Promise<string | null>;
  setRefs(refs: Partial<Record<RefName, string | null>>): Promise<void>;
  /** Imports that were started and may not be finished: the transaction id and the commit. */
  pendingImports(): Promise<{ id: string; commit: string }[]>;
  setPendingImport(id: string, commit: string | null): Promise<void>;
  /** Deletes every ref, so that the next sync starts from scratch. */
  forget(): Promise<void>;
};

type OpenedRefs = {
  refs: SyncRefs;
  /** Call after a git command that moved this ref. */
  noteMoved: (name: RefName, commit: string) => Promise<void>;
  /** Call after a git command that may have moved any ref. */
  readAgain: () => void;
};

const refNamespace = 'refs/keepsake/';
const pendingImportPrefix = `${refNamespace}arriving/`;

/** The full name of a ref for git commands. */
export function fullRef(name: RefName): string {
  return refNamespace + name;
}

/** Reads the refs once and caches them: refs change only through this object, under the sync lock. */
export function openSyncRefs(git: RunGit): OpenedRefs {
  let known: Map<string, string> | null = null;
  const read = async (): Promise<Map<string, string>> => {
    if (known !== null) return known;
    const listed = await git(['for-each-ref', '--format=%(objectname) %(refname)', refNamespace]);
    const rows = listed.toString().trimEnd().split('\n');
    known = new Map(rows.flatMap((row) => (row === '' ? [] : [[row.slice(41), row.slice(0, 40)]])));
    return known;
  };
  const updateRefs = async (updates: readonly [string, string | null | undefined][]): Promise<void> => {
    const current = await read();
    const lines = updates.flatMap(([name, id]) => {
      if (id === undefined || (current.get(name) ?? null) === id) return [];
      return [id === null ? `delete ${name}\n` : `update ${name} ${id}\n`];
    });
    if (lines.length === 0) return;
    await git(['update-ref', '--stdin'], [Buffer.from(lines.join(''))]);
    for (const [name, id] of updates)
      if (id === null) current.delete(name);
      else if (id !== undefined) current.set(name, id);
  };
  return {
    refs: {
      ref: async (name) => (await read()).get(fullRef(name)) ?? null,
      setRefs: (changed) =>
        updateRefs(Object.entries(changed).map(([name, id]) => [refNamespace + name, id])),
      async pendingImports() {
        const all = [...(await read())].filter(([name]) => name.startsWith(pendingImportPrefix));
        return all.map(([name, commit]) => ({ id: name.slice(pendingImportPrefix.length), commit }));
      },
      setPendingImport: (id, commit) => updateRefs([[pendingImportPrefix + id, commit]]),
      forget: async () => updateRefs([...(await read()).keys()].map((name) => [name, null])),
    },
    async noteMoved(name, commit) {
      (await read()).set(fullRef(name), commit);
    },
    readAgain() {
      known = null;
    },
  };
}
