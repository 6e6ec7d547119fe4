import {
  badResponseError,
  connectionError,
  parseBaseUrl,
  timeoutError,
  statusError,
  redactError,
} from './remote-endpoint.ts';
import type { RemoteEndpoint } from './remote-endpoint.ts';

/** A request for information about a model that does not run it; paths are relative to the base URL. */
export type ModelInfoRequest = {
  /** Returns the model, or a list that contains it. */
  path: string;
  /** A path that requires a valid key; set only if `path` does not. */
  proof?: string;
  headers: Record<string, string>;
  /** Sent as JSON if set. */
  body?: object;
};

export type ModelInfo = {
  /** Context size in tokens; null if the server does not report it. */
  contextTokens: number | null;
  /** The models that the server lists, if this one is not among them; otherwise, or if it lists none, null. */
  others: string[] | null;
  /** What an installed program reports about itself. */
  status?: string;
};

/**
 * Requests information about a model. This checks the URL and the key; nothing is generated or billed. Throws a
 * `ModelError` if the server cannot be reached or rejects the request.
 */
export async function fetchModelInfo(
  configured: RemoteEndpoint,
  { path, proof, headers, body }: ModelInfoRequest,
  signal: AbortSignal,
): Promise<ModelInfo> {
  const endpoint = { ...configured, baseUrl: parseBaseUrl(configured.baseUrl) };
  if (proof !== undefined) await fetchJson(endpoint, proof, { headers, signal });
  const post = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const answer = await fetchJson(endpoint, path, { ...post, headers, signal });
  const list = readModelList(answer);
  if (list === null) return { contextTokens: readContextTokens(answer), others: null };
  const entry = findModelEntry(endpoint.model, list);
  const others = list.map(({ id }) => String(id));
  return {
    contextTokens: readContextTokens(entry),
    others: entry === undefined && others.length > 0 ? others : null,
  };
}

type Entry = Record<string, unknown>;

/** With the token of a ChatGPT plan, OpenAI lists models in `models`, each with a `slug` instead of an `id`. */
function readModelList({ data, models }: Entry): Entry[] | null {
  if (Array.isArray(data)) return data.filter(isObject);
  if (!Array.isArray(models)) return null;
  const list = models.filter(isObject).filter(({ slug }) => typeof slug === 'string');
  return list.length === 0 ? null : list.map((entry) => ({ ...entry, id: entry['slug'] }));
}

/**
 * OpenRouter lists models without their variants (`:nitro`); the llama.cpp server has one model and accepts any name.
 */
function findModelEntry(model: string, list: Entry[]): Entry | undefined {
  const withId = (modelId: string): Entry | undefined => list.find(({ id }) => id === modelId);
  return (
    withId(model) ?? withId(model.replace(/:.*/, '')) ?? list.find((each) => each['owned_by'] === 'llamacpp')
  );
}

/** Does not follow redirects, so that the key is not sent to another host. */
async function fetchJson(endpoint: RemoteEndpoint, path: string, request: RequestInit): Promise<Entry> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${endpoint.baseUrl}${path}`, { ...request, redirect: 'manual' });
    text = await response.text();
  } catch (cause) {
    if (request.signal?.aborted === true) throw timeoutError(endpoint, cause);
    throw redactError(connectionError(endpoint, cause), endpoint);
  }
  if (!response.ok) {
    const error = statusError(endpoint, response.status, readErrorMessage(text), undefined, text);
    throw redactError(error, endpoint);
  }
  const answer = parseJson(text);
  // Some servers return 200 for every request: a router with a web page, LM Studio with an error.
  if (!isObject(answer) || typeof answer['error'] === 'string')
    throw badResponseError(endpoint, 'returned no model information');
  return answer;
}

/** The message of an error body in the usual places. */
function readErrorMessage(text: string): string {
  const body = parseJson(text);
  const error = isObject(body) ? body['error'] : undefined;
  const message = isObject(error) ? error['message'] : error;
  return typeof message === 'string' ? message : text;
}

/**
 * The field names of Anthropic, Google, vLLM, LM Studio, OpenRouter, Groq and Mistral; the configured size comes
 * before the maximum.
 */
const contextFieldNames = [
  'max_input_tokens',
  'inputTokenLimit',
  'max_model_len',
  'loaded_context_length',
  'context_length',
  'context_window',
  'max_context_length',
];

function readContextTokens(entry: Entry | undefined): number | null {
  if (entry === undefined) return null;
  const { meta, model_info: ofOllama } = entry;
  const candidates = [
    ...contextFieldNames.map((name) => entry[name]),
    // llama.cpp also reports the training context, which is not the configured one.
    isObject(meta) ? meta['n_ctx'] : undefined,
    ...(isObject(ofOllama) ? Object.entries(ofOllama) : []).map(([name, value]) =>
      name.endsWith('.context_length') ? value : undefined,
    ),
  ];
  const found = candidates.find((value) => Number.isInteger(value) && Number(value) > 0);
  return found === undefined ? null : Number(found);
}

function isObject(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
