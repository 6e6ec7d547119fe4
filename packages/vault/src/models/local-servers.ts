import { createHttpFetch } from './http-fetch.ts';
import type { ProviderName } from './model-config.ts';

/** A model server that answers on this machine. */
export type LocalServer = {
  title: string;
  provider: ProviderName;
  /** The base URL to configure; null for the default of the provider. */
  url: string | null;
  /** The models that it offers. */
  models: string[];
};

type Candidate = Omit<LocalServer, 'models'> & { listUrl: string };

const candidates: Candidate[] = [
  { title: 'Ollama', provider: 'ollama', url: null, listUrl: 'http://127.0.0.1:11434/api/tags' },
  ...(
    [
      ['LM Studio', 1234],
      ['llama.cpp', 8080],
    ] as const
  ).map(([title, port]) => ({
    title,
    provider: 'openai-compatible' as const,
    url: `http://127.0.0.1:${port}/v1`,
    listUrl: `http://127.0.0.1:${port}/v1/models`,
  })),
];

/** A server on this machine answers much faster. */
const probeTimeoutMs = 500;

/** Asks the usual ports of this machine, and no other machine, for their models. */
export async function findLocalServers(tried: readonly Candidate[] = candidates): Promise<LocalServer[]> {
  const found = await Promise.all(
    tried.map(async ({ listUrl, ...server }) => ({ ...server, models: await listModels(listUrl) })),
  );
  return found.filter(({ models }) => models.length > 0);
}

/** Empty if the server does not answer, or if it is something else. */
async function listModels(url: string): Promise<string[]> {
  try {
    const response = await createHttpFetch(probeTimeoutMs)(url, {
      signal: AbortSignal.timeout(probeTimeoutMs),
    });
    const { models = [], data = [] } = (await response.json()) as {
      models?: { name?: string }[];
      data?: { id?: string }[];
    };
    const names = [...models.map(({ name }) => name), ...data.map(({ id }) => id)];
    return names.filter((name) => typeof name === 'string');
  } catch {
    return [];
  }
}
