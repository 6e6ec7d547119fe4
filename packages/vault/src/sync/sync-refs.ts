import type { Git } from '../changes/index.ts';

/**
 * `base` is the commit of the remote whose contents have all come into the vault, `local` the newest that was made of the vault, `late`
 * a list of files that have not come in although `base` has them, `marked` the commit that the marker in the folder names.
 */
type RefName = 'base' | 'local' | 'late' | 'remote' | 'marked';

/** How far syncing has come, as refs of the repository. */
export type SyncRefs = {
  ref(name: RefName): Promise<string | null>;
  setRefs(refs: Partial<Record<RefName, string | null>>): Promise<void>;
  /** What may be coming into the vault: the id of the transaction, and the commit. */
  arrivals(): Promise<{ id: string; commit: string }[]>;
  setArrival(id: string, commit: string | null): Promise<void>;
  /** Deletes every ref, so that the next round starts from nothing. */
  forget(): Promise<void>;
};

type OpenedRefs = {
  refs: SyncRefs;
  /** After a call of git that has moved this one. */
  noteMoved: (name: RefName, commit: string) => Promise<void>;
  /** After a call of git that may have moved any. */
  readAgain: () => void;
};

const own = 'refs/keepsake/';
const arriving = `${own}arriving/`;

/** What a call of git names it. */
export function fullRef(name: RefName): string {
  return own + name;
}

/** Read once: who changes any of them holds the lock, and does it here. */
export function openSyncRefs(git: Git): OpenedRefs {
  let known: Map<string, string> | null = null;
  const read = async (): Promise<Map<string, string>> => {
    if (known !== null) return known;
    const listed = await git(['for-each-ref', '--format=%(objectname) %(refname)', own]);
    const rows = listed.toString().trimEnd().split('\n');
    known = new Map(rows.flatMap((row) => (row === '' ? [] : [[row.slice(41), row.slice(0, 40)]])));
    return known;
  };
  const update = async (wanted: readonly [string, string | null | undefined][]): Promise<void> => {
    const present = await read();
    const lines = wanted.flatMap(([name, id]) => {
      if (id === undefined || (present.get(name) ?? null) === id) return [];
      return [id === null ? `delete ${name}\n` : `update ${name} ${id}\n`];
    });
    if (lines.length === 0) return;
    await git(['update-ref', '--stdin'], [Buffer.from(lines.join(''))]);
    for (const [name, id] of wanted)
      if (id === null) present.delete(name);
      else if (id !== undefined) present.set(name, id);
  };
  return {
    refs: {
      ref: async (name) => (await read()).get(fullRef(name)) ?? null,
      setRefs: (changed) => update(Object.entries(changed).map(([name, id]) => [own + name, id])),
      async arrivals() {
        const all = [...(await read())].filter(([name]) => name.startsWith(arriving));
        return all.map(([name, commit]) => ({ id: name.slice(arriving.length), commit }));
      },
      setArrival: (id, commit) => update([[arriving + id, commit]]),
      forget: async () => update([...(await read()).keys()].map((name) => [name, null])),
    },
    async noteMoved(name, commit) {
      (await read()).set(fullRef(name), commit);
    },
    readAgain() {
      known = null;
    },
  };
}
