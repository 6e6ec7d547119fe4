import type { SearchModels } from '../search/index.ts';

/** The search models in use. They are created when first needed. */
export type ChosenModels = {
  current: () => SearchModels;
  /** Rereads the configuration, which may now name another embedder or hide other files from models. */
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
