import type { z } from 'zod';
import { sentFiles } from '../app/index.ts';
import type { Owner, Update } from '../app/index.ts';
import { answer, api } from '../contract/index.ts';
import type { KeepsakeEvent } from '../contract/index.ts';
import { explainOutcome } from '../tools/index.ts';
import type { ToolCall, ToolOutcome } from '../tools/index.ts';
import { layoutFrom, parseVaultPath } from '../vault/index.ts';
import { readerHeader } from './auth/auth.ts';
import type { ListedFile, McpBackend } from './mcp/index.ts';
import { OwnerGone } from './owner-gone.ts';
import { readEvents } from './read-events.ts';

/**
 * A vault that another process of the same person serves, as the person sees it, or as a model does for whom this one
 * speaks. Throws `OwnerGone` when that one does not answer.
 */
function createRemoteBackend(owner: Owner, reader: ToolCall['reader']): McpBackend {
  const request = requestsTo(owner, reader);
  const parse = async <Schema extends z.ZodType>(
    response: Response,
    schema: Schema,
  ): Promise<z.output<Schema>> => {
    if (response.ok) return schema.parse(await response.json());
    throw await problemOf(response);
  };
  const post = (path: string, body: unknown, { headers, ...init }: Init = {}): Promise<Response> =>
    request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      ...init,
    });
  const callTool = async ({ tool, ...call }: ToolCall): Promise<ToolOutcome> =>
    outcomeFrom(await parse(await post(`/tools/${encodeURIComponent(tool)}`, call), api.toolOutcome));

  const status = async (): Promise<z.output<typeof api.status>> =>
    parse(await request('/status'), api.status);

  const entriesOf = async (input: { depth?: number }): Promise<Entry[]> => {
    const outcome = await callTool({ tool: 'tree', input, reader: 'person', origin: 'mcp' });
    if (outcome.kind === 'refused') throw new Error(outcome.message);
    return (outcome.result.value as { entries?: Entry[] }).entries ?? [];
  };

  return {
    callTool,
    hasAgents: async () => (await status()).models.agents !== null,
    ask: async (question, signal) => parse(await post('/answers', { question }, { signal }), answer),
    async accept(input, key) {
      const sent = { ...input, files: sentFiles(input.files), ...(key !== undefined && { key }) };
      return parse(await post('/updates', sent), api.accepted);
    },
    async findUpdate(id, wait) {
      const query = wait === undefined ? '' : `?wait=${wait.seconds}`;
      const response = await request(`/updates/${encodeURIComponent(id)}${query}`, { signal: wait?.signal });
      return response.status === 404 ? undefined : updateFrom(await parse(response, api.update));
    },
    async readFile(path) {
      const response = await request(`/files/${path.split('/').slice(1).map(encodeURIComponent).join('/')}`);
      if (response.status === 404) return { kind: 'missing', closest: null };
      if (!response.ok) return { kind: 'refused', reason: (await problemOf(response)).message };
      return {
        kind: 'file',
        bytes: Buffer.from(await response.arrayBuffer()),
        revision: (response.headers.get('etag') ?? '').replaceAll('"', '') as never,
        mediaType: response.headers.get('content-type') ?? 'application/octet-stream',
      };
    },
    listFiles: async () => filesFrom(await entriesOf({})),
    listRoot: async () =>
      (await entriesOf({ depth: 1 })).flatMap(({ path }) => path.split('/').slice(1).join('/') || []),
    layout: async () => layoutFrom((await status()).layout),
    async history({ path, limit }) {
      const query = new URLSearchParams({ limit: String(limit), ...(path !== undefined && { path }) });
      return (await parse(await request(`/history?${query.toString()}`), api.history)).changes;
    },
    async undo(id, origin) {
      const response = await post(`/history/${encodeURIComponent(id)}/undo`, { origin });
      const { as, held } = await parse(response, api.undone);
      if (held === null) return { kind: 'made', change: as, note: '' };
      return explainOutcome({ kind: 'held', ...held });
    },
    waiting: async () => (await parse(await request('/inbox'), api.inbox)).waiting,
    async approve(id) {
      // They have agreed, and a model could not.
      const headers = { [readerHeader]: 'person' };
      const response = await post(`/updates/${encodeURIComponent(id)}/approve`, {}, { headers });
      return { kind: 'made', change: (await parse(response, api.decided)).as, note: '' };
    },
    onChange: (listener) =>
      readEvents(
        (signal) => request('/events', { signal }),
        (event) => {
          if (event.type === 'file-changed') listener(event.paths);
        },
      ),
  };
}

/**
 * Waits until the process that serves the vault is done with an update, and hands on what happens there meanwhile. False when that
 * process has no model, or ends: then the update is for others to work on.
 */
export async function waitThere(
  owner: Owner,
  id: string,
  { signal, onEvent }: { signal: AbortSignal; onEvent: (event: KeepsakeEvent) => void },
): Promise<boolean> {
  const backend = createRemoteBackend(owner, 'person');
  const request = requestsTo(owner, 'person');
  let stopListening = (): void => undefined;
  try {
    if (!(await backend.hasAgents())) return false;
    stopListening = readEvents((ending) => request('/events', { signal: ending }), onEvent);
    for (;;) {
      const update = await backend.findUpdate(id, { seconds: maxWaitSeconds, signal });
      if (update?.state !== 'waiting' && update?.state !== 'running') return true;
    }
  } catch (error) {
    if (signal.aborted) return true;
    if (error instanceof OwnerGone) return false;
    throw error;
  } finally {
    stopListening();
  }
}

/** Has the process that serves the vault begin with an update that this one has accepted. It would find it by itself, later. */
export async function announceThere(owner: Owner, id: string): Promise<void> {
  const wait = { seconds: 0, signal: AbortSignal.timeout(announceTimeoutMs) };
  await createRemoteBackend(owner, 'person')
    .findUpdate(id, wait)
    .catch(() => undefined);
}

const maxWaitSeconds = 60;
const announceTimeoutMs = 1_000;

/** A link that opens the browser, once, from the process that serves the vault. */
export async function requestLink({ url, secret }: Owner): Promise<string> {
  const headers = { authorization: `Bearer ${secret}` };
  const response = await fetch(`${url}/api/vaults/default/links`, { method: 'POST', headers });
  if (!response.ok) throw await problemOf(response);
  return api.link.parse(await response.json()).url;
}

/** A link that lets somebody in, once, from the process that serves the vault. */
export async function requestInvitation(
  { url, secret }: Owner,
  invitation: z.input<typeof api.invitation>,
): Promise<string> {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const body = JSON.stringify(invitation);
  const response = await fetch(`${url}/api/vaults/default/people`, { method: 'POST', headers, body });
  if (!response.ok) throw await problemOf(response);
  return api.invited.parse(await response.json()).url;
}

type Init = {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  signal?: AbortSignal | undefined;
};

/** Requests to the process that serves a vault. */
function requestsTo(
  { url, secret }: Owner,
  reader: ToolCall['reader'],
): (path: string, init?: Init) => Promise<Response> {
  return async (path, { signal, ...init } = {}) => {
    const headers = { authorization: `Bearer ${secret}`, [readerHeader]: reader, ...init.headers };
    let response: Response;
    try {
      response = await fetch(`${url}/api/vaults/default${path}`, {
        ...init,
        ...(signal && { signal }),
        headers,
      });
    } catch (cause) {
      signal?.throwIfAborted();
      throw new OwnerGone('the process that serves the vault does not answer', { cause });
    }
    // Its secret is new with every start: who does not know ours is another one.
    if (response.status === 401) throw new OwnerGone('another process serves the vault by now');
    return response;
  };
}
type Entry = { path: string; kind: 'file' | 'folder'; tokens: number | null; updated: string | null };

function filesFrom(entries: readonly Entry[]): ListedFile[] {
  return entries.flatMap(({ path, kind, tokens, updated }) => {
    const parsed = kind === 'file' && tokens !== null ? parseVaultPath(path) : null;
    return parsed?.ok === true ? [{ path: parsed.path, tokens, updated }] : [];
  });
}

function outcomeFrom(outcome: z.output<typeof api.toolOutcome>): ToolOutcome {
  if (outcome.kind === 'refused') return outcome;
  const { images, ...result } = outcome.result;
  const decoded = images.map(({ data, ...image }) => ({ ...image, data: Buffer.from(data, 'base64') }));
  return {
    kind: 'result',
    result: { ...result, images: decoded },
    ...(outcome.held !== null && { commit: explainOutcome({ kind: 'held', ...outcome.held }) }),
  };
}

function updateFrom({ input, ...update }: z.output<typeof api.update>): Update {
  const { inboxRef, ...rest } = input;
  return { ...update, input: { ...rest, ...(inboxRef !== null && { inboxRef }) } };
}

async function problemOf(response: Response): Promise<Error> {
  const body = (await response.json().catch(() => ({}))) as { detail?: string; next?: string };
  const said = [body.detail, body.next].filter((part) => part !== undefined && part !== '').join('; ');
  return new Error(said === '' ? `the service answered ${response.status}` : said);
}
