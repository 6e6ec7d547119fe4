import { describe, expect, it, vi } from 'vitest';
import type { SearchModels } from '../search/index.ts';
import { createChosenModels } from './chosen-models.ts';

function modelsWith(fingerprint: string, isExcluded: SearchModels['isExcluded'] = null) {
  const close = vi.fn<() => Promise<void>>(async () => undefined);
  const embedder = {
    fingerprint,
    contextTokens: 512,
    dimensions: async () => 1,
    embed: async () => [],
    close,
  };
  const models: SearchModels = {
    embedder,
    embedderUnavailableReason: '',
    expander: null,
    reranker: null,
    isExcluded,
  };
  return { models, close };
}

describe('search models', () => {
  it('are created on first use and reused', async () => {
    const { models, close } = modelsWith('a');
    const choose = vi.fn<() => SearchModels>(() => models);
    const chosen = createChosenModels(choose);
    await chosen.close();
    expect(choose).not.toHaveBeenCalled();
    expect([chosen.current(), chosen.current()]).toEqual([models, models]);
    expect(choose).toHaveBeenCalledOnce();
    await chosen.close();
    expect(close).toHaveBeenCalledOnce();
  });

  it('stay open when only the exclusions change, and use the new exclusions', async () => {
    const [first, second] = [modelsWith('a'), modelsWith('a', () => true)];
    let configured = first;
    const chosen = createChosenModels(() => configured.models);
    chosen.current();
    configured = second;
    const now = await chosen.refresh();
    expect(now.embedder).toBe(first.models.embedder);
    expect(now.isExcluded).toBe(second.models.isExcluded);
    expect(chosen.current()).toBe(now);
    expect(first.close).not.toHaveBeenCalled();
  });

  it('are closed when the configuration names another embedder', async () => {
    const [first, second] = [modelsWith('a'), modelsWith('b')];
    let configured = first;
    const chosen = createChosenModels(() => configured.models);
    chosen.current();
    configured = second;
    expect(await chosen.refresh()).toBe(second.models);
    expect(chosen.current()).toBe(second.models);
    expect(first.close).toHaveBeenCalledOnce();
    expect(second.close).not.toHaveBeenCalled();
  });
});
