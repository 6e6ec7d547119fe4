import {
  answerError,
  connectionError,
  parseBaseUrl,
  silenceError,
  statusError,
  withoutKey,
} from './remote-endpoint.ts';
import type { RemoteEndpoint } from './remote-endpoint.ts';

/** What is asked of a provider about a model without using it, below its address. */
export type Inquiry = {
  /** What tells about the model: itself, or a list with it. */
  path: string;
  /** Where that is told to anybody: what only a good key may ask. */
  proof?: string;
  headers: Record<string, string>;
  /** Where it has to be sent along. */
  body?: object;
};

export type ModelFacts = {
  /** How many tokens it takes; null where the server does not say. */
  contextTokens: number | null;
  /** The models that a server has which does not list this one; null when it does, or lists none. */
  others: string[] | null;
};

/**
 * Asks what a provider says about a model. It proves the address and the key, and nothing is generated or paid. Throws a
 * `ModelError` when the server cannot be reached or refuses.
 */
export async function lookUpModel(
  given: RemoteEndpoint,
  { path, proof, headers, body }: Inquiry,
  signal: AbortSignal,
): Promise<ModelFacts> {
  const endpoint = { ...given, baseUrl: parseBaseUrl(given.baseUrl) };
  if (proof !== undefined) await inquire(endpoint, proof, { headers, signal });
  const asked = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const answer = await inquire(endpoint, path, { ...asked, headers, signal });
  const list = Array.isArray(answer['data']) ? answer['data'].filter(isObject) : null;
  if (list === null) return { contextTokens: contextIn(answer), others: null };
  const entry = entryOf(endpoint.model, list);
  const others = list.map(({ id }) => String(id));
  return {
    contextTokens: contextIn(entry),
    others: entry === undefined && others.length > 0 ? others : null,
  };
}

type Entry = Record<string, unknown>;

/** OpenRouter lists a model without its variants (`:nitro`); the server of llama.cpp has one and answers to any name. */
function entryOf(model: string, list: Entry[]): Entry | undefined {
  const withId = (wanted: string): Entry | undefined => list.find(({ id }) => id === wanted);
  return (
    withId(model) ?? withId(model.replace(/:.*/, '')) ?? list.find((each) => each['owned_by'] === 'llamacpp')
  );
}

/** A redirect is not followed: the key goes where it was meant to. */
async function inquire(endpoint: RemoteEndpoint, path: string, request: RequestInit): Promise<Entry> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${endpoint.baseUrl}${path}`, { ...request, redirect: 'manual' });
    text = await response.text();
  } catch (cause) {
    if (request.signal?.aborted === true) throw silenceError(endpoint, cause);
    throw withoutKey(connectionError(endpoint, cause), endpoint);
  }
  if (!response.ok) {
    const error = statusError(endpoint, response.status, messageIn(text), undefined, text);
    throw withoutKey(error, endpoint);
  }
  const answer = parseJson(text);
  // Something answers there with 200 whatever it is asked: the page of a router, or an error of LM Studio.
  if (!isObject(answer) || typeof answer['error'] === 'string')
    throw answerError(endpoint, 'told nothing when it was asked about its models');
  return answer;
}

/** The words of an error, where they are where most servers put them. */
function messageIn(text: string): string {
  const body = parseJson(text);
  const error = isObject(body) ? body['error'] : undefined;
  const message = isObject(error) ? error['message'] : error;
  return typeof message === 'string' ? message : text;
}

/** By the names that Anthropic, Google, vLLM, LM Studio, OpenRouter, Groq and Mistral give it, what is true now before what is possible. */
const names = [
  'max_input_tokens',
  'inputTokenLimit',
  'max_model_len',
  'loaded_context_length',
  'context_length',
  'context_window',
  'max_context_length',
];

function contextIn(entry: Entry | undefined): number | null {
  if (entry === undefined) return null;
  const { meta, model_info: ofOllama } = entry;
  const candidates = [
    ...names.map((name) => entry[name]),
    // llama.cpp also tells what a model was trained for, which is not what it takes.
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
