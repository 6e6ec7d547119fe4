/** What a search page shows, as its address says it. */
export type SearchParams = {
  q: string;
  /** A folder, without `vault/`. */
  in?: string | undefined;
  kind?: Kind | undefined;
  /** Days, as 2026-11-16. */
  from?: string | undefined;
  to?: string | undefined;
  /** Who changed the file last. */
  who?: Who | undefined;
  deep?: boolean | undefined;
};

export const kinds = ['changelog', 'tasks', 'bucket'] as const;
type Kind = (typeof kinds)[number];

export const makers = ['person', 'agent', 'client', 'outside', 'sync', 'import'] as const;
type Who = (typeof makers)[number];

/** From an address that anybody may have typed. */
export function parseSearchParams(given: Record<string, unknown>): SearchParams {
  const text = (name: string): string | undefined => {
    const value = given[name];
    // The router reads 2026 and true as what they look like.
    const shown = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    return shown === '' ? undefined : shown;
  };
  const day = (name: string): string | undefined =>
    /^\d{4}-\d\d-\d\d$/.test(text(name) ?? '') ? text(name) : undefined;
  return {
    q: text('q') ?? '',
    in: text('in'),
    kind: kinds.find((kind) => kind === given['kind']),
    from: day('from'),
    to: day('to'),
    who: makers.find((who) => who === given['who']),
    deep: given['deep'] === true ? true : undefined,
  };
}

type Names = { changelog: string; tasks: string };

/** The path patterns of a folder and a kind of file; none for everything. */
export function scopesOf({ in: folder, kind }: SearchParams, names: Names): string[] {
  const within = folder === undefined ? '' : `${folder}/`;
  switch (kind) {
    case 'changelog':
      return [`${within}**/${names.changelog}`];
    case 'tasks':
      return [`${within}**/${names.tasks}`];
    case 'bucket':
      return [`${within}**/bucket/**`];
    case undefined:
      return folder === undefined ? [] : [`${within}**`];
  }
}
