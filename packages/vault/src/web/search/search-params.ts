/** The search parameters in the URL of the search page. */
export type SearchParams = {
  q: string;
  /** A folder, without `vault/`. */
  in?: string | undefined;
  kind?: FileKind | undefined;
  /** Days such as `2026-11-16`. */
  from?: string | undefined;
  to?: string | undefined;
  /** The last author of the file. */
  who?: Author | undefined;
  deep?: boolean | undefined;
};

export const kinds = ['changelog', 'tasks', 'bucket'] as const;
type FileKind = (typeof kinds)[number];

export const authorKinds = ['person', 'agent', 'client', 'outside', 'sync', 'import'] as const;
type Author = (typeof authorKinds)[number];

/** Parses the parameters of a URL, which may contain anything. */
export function parseSearchParams(params: Record<string, unknown>): SearchParams {
  const text = (name: string): string | undefined => {
    const value = params[name];
    // The router parses `2026` as a number.
    const shown = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    return shown === '' ? undefined : shown;
  };
  const day = (name: string): string | undefined =>
    /^\d{4}-\d\d-\d\d$/.test(text(name) ?? '') ? text(name) : undefined;
  return {
    q: text('q') ?? '',
    in: text('in'),
    kind: kinds.find((kind) => kind === params['kind']),
    from: day('from'),
    to: day('to'),
    who: authorKinds.find((who) => who === params['who']),
    deep: params['deep'] === true ? true : undefined,
  };
}

type Names = { changelog: string; tasks: string };

/** The path patterns for a folder and a kind of file; empty for all files. */
export function toScopes({ in: folder, kind }: SearchParams, names: Names): string[] {
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
