import { z } from 'zod';
import { api, keepsakeEvent } from '../../contract/index.ts';
import type { KeepsakeEvent } from '../../contract/index.ts';
import { place } from './place.ts';
import { ApiError, problemFrom } from './problem.ts';
import { readStream } from './read-stream.ts';

export const base = '/api/vaults/default';

/** What a browser hands to an authenticator, whatever it is. */
const anything = z.looseObject({});

/** A file as it was read; `etag` is what a write must show. */
export type FileText = { text: string; etag: string; mediaType: string };
export type Attachment = { name: string; file: File };
export type SearchRequest = z.input<typeof api.searchRequest>;
export type UpdateRecord = z.output<typeof api.update>;
export type ConflictChoice = NonNullable<z.output<typeof api.decisionRequest>['conflict']>;
export type InboxItem = z.output<typeof api.inbox>['waiting'][number];
export type Verified = z.output<typeof api.verified>['blocks'][number];
export type Found = z.output<typeof api.searchFound>;
export type DocumentLook = z.output<typeof api.documentLook>;
export type ModelChoice = z.input<typeof api.modelChoice>;
export type Status = z.output<typeof api.status>;
export type Change = z.output<typeof api.history>['changes'][number];
/** Which changes are listed. */
export type ChangeFilter = Partial<
  Pick<z.output<typeof api.historyQuery>, 'who' | 'name' | 'folder' | 'kind' | 'day'>
>;
export type Project = z.output<typeof api.projects>['projects'][number];
export type Days = z.output<typeof api.historyDays>;
export type KeptAnswer = z.output<typeof api.keptAnswer>;
export type ListedAnswer = z.output<typeof api.keptAnswers>['answers'][number];
type FollowedAnswer =
  | { kind: 'step'; event: KeepsakeEvent }
  | { kind: 'text'; text: string }
  | { kind: 'answer'; answer: KeptAnswer };

type Role = z.input<typeof api.invitation>['role'];

export type Api = ReturnType<typeof createApi>;

/** The HTTP API of one vault. Everything that comes back is checked against the contract. */
export function createApi(send: (path: string, init?: RequestInit) => Promise<Response>) {
  const request = async (path: string, init?: RequestInit): Promise<Response> => {
    const response = await send(path, init).catch((cause: unknown) => {
      if (init?.signal?.aborted === true) throw cause;
      throw new ApiError('offline', 'the server cannot be reached', '', cause);
    });
    if (!response.ok) throw await problemFrom(response);
    return response;
  };
  const get = async <Schema extends z.ZodType>(schema: Schema, path: string, signal?: AbortSignal) =>
    schema.parse(await (await request(`${base}${path}`, signal && { signal })).json());
  const sending =
    (method: 'POST' | 'PUT') =>
    async <Schema extends z.ZodType>(schema: Schema, path: string, body?: unknown, signal?: AbortSignal) => {
      const init = {
        method,
        ...(signal && { signal }),
        ...(body !== undefined && {
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }),
      };
      return schema.parse(await (await request(`${base}${path}`, init)).json());
    };
  const [post, put] = [sending('POST'), sending('PUT')];
  const id = encodeURIComponent;
  /** Days are those of the person who looks, wherever the server is. */
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const ask = async <Schema extends z.ZodType>(schema: Schema, path: string, init?: RequestInit) =>
    schema.parse(await (await request(path, init)).json());
  const sendJson = (path: string, body: object) =>
    request(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });

  return {
    status: (signal?: AbortSignal) => get(api.status, '/status', signal),
    tree: (signal?: AbortSignal) => get(api.treeShown, '/tree', signal),
    inbox: (signal?: AbortSignal) => get(api.inbox, '/inbox', signal),
    updates: (signal?: AbortSignal) => get(api.updates, '/updates?limit=60', signal),
    update: (one: string, signal?: AbortSignal) => get(api.updateWithDiff, `/updates/${id(one)}`, signal),
    history: (path: string, signal?: AbortSignal) =>
      get(api.history, `/history?limit=50&path=${id(path)}`, signal),
    latest: (signal?: AbortSignal) => get(api.history, '/history?limit=500', signal),
    recent: (signal?: AbortSignal) => get(api.history, '/history?limit=20', signal),
    /** What was made, newest first; those that follow one of them. */
    changes(filter: ChangeFilter, after: string | null, signal?: AbortSignal) {
      const query = new URLSearchParams({ state: 'applied', limit: '60', timeZone });
      for (const [name, value] of Object.entries({ ...filter, after }))
        if (value != null) query.set(name, value);
      return get(api.history, `/history?${query.toString()}`, signal);
    },
    projects: (signal?: AbortSignal) => get(api.projects, '/projects', signal),
    days: (signal?: AbortSignal) => get(api.historyDays, `/history/days?timeZone=${id(timeZone)}`, signal),
    change: (one: string, path?: string, signal?: AbortSignal) =>
      get(api.changeWithDiff, `/history/${id(one)}${path === undefined ? '' : `?path=${id(path)}`}`, signal),
    backlinks: (path: string, signal?: AbortSignal) =>
      get(api.backlinks, `/backlinks?limit=100&path=${id(path)}`, signal),
    restore: (one: string, path: string) => post(api.decided, `/history/${id(one)}/restore`, { path }),
    undoChange: (one: string, conflict?: ConflictChoice) =>
      post(api.decided, `/history/${id(one)}/undo`, { conflict }),
    undo: (one: string, conflict?: ConflictChoice) =>
      post(api.decided, `/updates/${id(one)}/undo`, { conflict }),
    approve: (one: string, conflict?: ConflictChoice) =>
      post(api.decided, `/updates/${id(one)}/approve`, { conflict }),
    reject: (one: string) => post(api.decided, `/updates/${id(one)}/reject`),
    retry: (one: string) => post(api.moved, `/updates/${id(one)}/retry`),
    search: (query: SearchRequest, signal?: AbortSignal) => post(api.searchFound, '/search', query, signal),
    verify: (document: string, signal?: AbortSignal) => post(api.verified, '/verify', { document }, signal),
    async cancel(one: string) {
      const response = await request(`${base}/updates/${id(one)}`, { method: 'DELETE' });
      return api.moved.parse(await response.json());
    },
    async file(path: string, signal?: AbortSignal): Promise<FileText> {
      const response = await request(addressOf(path), signal && { signal });
      const mediaType = response.headers.get('content-type') ?? '';
      const isText = mediaType.startsWith('text/');
      return {
        etag: response.headers.get('etag') ?? '',
        mediaType,
        text: isText
          ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer())
          : '',
      };
    },
    /** `etag` null is for a file that is not there yet. */
    async save(path: string, text: string, etag: string | null) {
      const condition: Record<string, string> =
        etag === null ? { 'if-none-match': '*' } : { 'if-match': etag };
      const response = await request(`${addressOf(path)}?confirm=true`, {
        method: 'PUT',
        body: text,
        headers: { 'content-type': 'text/markdown', ...condition },
      });
      return api.fileWritten.parse(await response.json());
    },
    move: (from: string, to: string) => post(api.filesMoved, '/files/move', { from, to, confirm: true }),
    /** A file or a folder, whatever it is now: it can be brought back. */
    async remove(path: string) {
      const response = await request(`${addressOf(path)}?confirm=true`, {
        method: 'DELETE',
        headers: { 'if-match': '*' },
      });
      return api.fileWritten.parse(await response.json());
    },
    model: (signal?: AbortSignal) => get(api.modelSettings, '/model', signal),
    chooseModel: (choice: ModelChoice) => put(api.modelSettings, '/model', choice),
    testModel: () => post(api.modelTrial, '/model/test'),
    exclusions: (signal?: AbortSignal) => get(api.exclusions, '/exclusions', signal),
    exclude: (patterns: readonly string[]) => put(api.exclusions, '/exclusions', { patterns }),
    clients: (signal?: AbortSignal) => get(api.clients, '/clients', signal),
    tokens: (signal?: AbortSignal) => get(api.tokens, '/tokens', signal),
    createToken: (name: string, scope: 'read' | 'write') => post(api.tokenMade, '/tokens', { name, scope }),
    revokeToken: (one: string) => request(`${base}/tokens/${id(one)}`, { method: 'DELETE' }),
    people: (signal?: AbortSignal) => get(api.people, '/people', signal),
    invite: (name: string, role: Role) => post(api.invited, '/people', { name, role }),
    setRole: (one: string, role: Role) =>
      request(`${base}/people/${id(one)}`, {
        method: 'PUT',
        body: JSON.stringify({ role }),
        headers: { 'content-type': 'application/json' },
      }),
    removePerson: (one: string) => request(`${base}/people/${id(one)}`, { method: 'DELETE' }),
    grants: (signal?: AbortSignal) => get(api.grants, '/grants', signal),
    revokeGrant: (one: string) => request(`${base}/grants/${id(one)}`, { method: 'DELETE' }),
    consent: (one: string, signal?: AbortSignal) =>
      ask(api.consentRequest, `/consent/${id(one)}/request`, signal && { signal }),
    /** Null says no; gives where the browser goes on. */
    async decideConsent(one: string, scope: 'read' | 'write' | null) {
      const response = await sendJson(`/consent/${id(one)}/decision`, { scope });
      return api.link.parse(await response.json());
    },
    signInWays: (signal?: AbortSignal) => ask(api.signInWays, '/api/sign-in', signal && { signal }),
    passkeyToShow: () => ask(anything, '/api/sign-in/passkey/options', { method: 'POST' }),
    showPasskey: (shown: object) => sendJson('/api/sign-in/passkey', shown),
    passkeys: (signal?: AbortSignal) => get(api.passkeys, '/passkeys', signal),
    passkeyToMake: () => post(anything, '/passkeys/options'),
    addPasskey: (name: string, made: object) => sendJson(`${base}/passkeys`, { name, made }),
    removePasskey: (one: string) => request(`${base}/passkeys/${id(one)}`, { method: 'DELETE' }),
    /** An address that signs a browser in, once. */
    createLink: () => post(api.link, '/links'),
    /** A new picture; one that is there is never replaced. */
    async placeImage(path: string, image: Blob) {
      const response = await request(addressOf(path), {
        method: 'PUT',
        body: image,
        headers: { 'content-type': image.type, 'if-none-match': '*' },
      });
      return api.fileWritten.parse(await response.json());
    },
    async signOut() {
      await request(`${base}/sessions`, { method: 'DELETE' });
    },
    /** Whether a document can be filed; what it is then. */
    async lookAt(file: File, name: string) {
      const form = new FormData();
      form.set('file', file, name);
      const response = await request(`${base}/documents`, { method: 'POST', body: form });
      return api.documentLook.parse(await response.json());
    },
    async addUpdate(text: string, attachments: readonly Attachment[], key: string) {
      const form = new FormData();
      form.set('text', text);
      form.set('key', key);
      for (const { name, file } of attachments) form.append('files', file, name);
      const response = await request(`${base}/updates`, { method: 'POST', body: form });
      return api.accepted.parse(await response.json());
    },
    async answerInbox(item: string, text: string, attachments: readonly Attachment[], key: string) {
      const files = await Promise.all(
        attachments.map(async ({ name, file }) => ({ name, data: await base64Of(file) })),
      );
      return post(api.accepted, `/inbox/${id(item)}/answer`, { text, files, key });
    },
    answers: (signal?: AbortSignal) => get(api.keptAnswers, '/answers?limit=500', signal),
    answer: (one: string, signal?: AbortSignal) => get(api.keptAnswer, `/answers/${id(one)}`, signal),
    ask: (question: string, follows?: string) =>
      post(api.keptAnswer, '/answers', { question, keep: true, follows }),
    stopAnswer: (one: string) => post(api.keptAnswer, `/answers/${id(one)}/stop`),
    fileAnswer: (one: string) => post(api.answerFiled, `/answers/${id(one)}/file`),
    async deleteAnswer(one: string) {
      await request(`${base}/answers/${id(one)}`, { method: 'DELETE' });
    },
    async deleteAnswers() {
      await request(`${base}/answers`, { method: 'DELETE' });
    },
    /** Each step from the first one on, what is being written, and what came of it. */
    async *followAnswer(one: string, signal: AbortSignal): AsyncGenerator<FollowedAnswer> {
      const { body } = await request(`${base}/answers/${id(one)}/events`, { signal });
      if (body === null) return;
      for await (const { event, data } of readStream(body)) {
        const value: unknown = JSON.parse(data);
        if (event === 'step') yield { kind: 'step', event: keepsakeEvent.parse(value) };
        if (event === 'text') yield { kind: 'text', text: String((value as { text?: unknown }).text) };
        if (event === 'answer') yield { kind: 'answer', answer: api.keptAnswer.parse(value) };
      }
    },
  };
}

/** Where the bytes of a file are, for images and links. */
export function fileUrl(path: string): string {
  return `${place()}${addressOf(path)}`;
}

function addressOf(path: string): string {
  return `${base}/files/${path.split('/').map(encodeURIComponent).join('/')}`;
}

async function base64Of(file: File): Promise<string> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('the file cannot be read')));
    reader.readAsDataURL(file);
  });
  return url.slice(url.indexOf(',') + 1);
}
