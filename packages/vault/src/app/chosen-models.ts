import type { SearchModels } from '../search/index.ts';

/** The models of search that are in use. They are chosen when they are first needed. */
export type ChosenModels = {
  current: () => SearchModels;
  /** Reads the configuration again: it may name another embedder by now, or hide other files from models. */
  refresh(): Promise<SearchModels>;
  close(): Promise<void>;
};

/** `choose` reads the configuration. */
export function createChosenModels(choose: () => SearchModels): ChosenModels {
  let chosen: SearchModels | null = null;
  const current = (): SearchModels => (chosen ??= choose());
  return {
    current,
    async refresh() {
      const [old, now] = [current(), choose()];
      if (old.embedder?.fingerprint === now.embedder?.fingerprint)
        return (chosen = { ...old, isExcluded: now.isExcluded });
      chosen = now;
      await closeModels(old);
      return now;
    },
    async close() {
      if (chosen !== null) await closeModels(chosen);
    },
  };
}

async function closeModels({ embedder, expander, reranker }: SearchModels): Promise<void> {
  for (const model of [embedder, expander, reranker]) await model?.close();
}
