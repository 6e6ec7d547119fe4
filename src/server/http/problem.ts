import type { Context } from 'hono';
import { api } from '../../contract/index.ts';
import type { ProblemCode } from '../../contract/index.ts';
import type { HttpEnv } from './request-env.ts';

type Text = { title: string; next: string };

const texts: Record<ProblemCode, Text> = {
  'bad-request': { title: 'The request cannot be read', next: 'correct it' },
  unauthorized: {
    title: 'Nothing valid was shown',
    next: 'send a token as Authorization: Bearer <token> (keepsake token create), or open the link that keepsake serve prints',
  },
  'link-expired': { title: 'The link is not valid', next: 'start keepsake serve again: it prints a new one' },
  'wrong-host': {
    title: 'This is not a name of this server',
    next: 'use 127.0.0.1 or localhost with the port it listens on, or allow the name: keepsake serve --allow-host <name>',
  },
  'wrong-origin': {
    title: 'This page may not use this server',
    next: 'use the page that this server serves',
  },
  'wrong-scope': { title: 'This token may only read', next: 'use a token with the scope write' },
  'no-such-route': { title: 'There is nothing here', next: 'see /openapi.json' },
  'no-such-vault': { title: 'There is no such vault', next: 'use its short name, or default' },
  'no-such-file': { title: 'There is no such file', next: 'see GET /api/vaults/default/tree' },
  'no-such-update': { title: 'There is no such update', next: 'see GET /api/vaults/default/updates' },
  'no-such-change': { title: 'There is no such change', next: 'see GET /api/vaults/default/history' },
  'no-such-item': { title: 'There is no such inbox item', next: 'see GET /api/vaults/default/inbox' },
  'no-such-tool': { title: 'There is no such tool', next: 'use one of those that the detail names' },
  'wrong-method': { title: 'This cannot be done here', next: 'use one of the methods in Allow' },
  conflict: { title: 'The same lines were changed meanwhile', next: 'read it again and decide anew' },
  'wrong-state': { title: 'It is past that', next: 'look at its state' },
  unconfirmed: {
    title: 'This removes much at once',
    next: 'send it again with confirm=true if that is meant',
  },
  'no-model': { title: 'No model is set up', next: 'choose one: keepsake config model <provider>/<name>' },
  'changed-since': {
    title: 'It is not what you think it is',
    next: 'read it again; its ETag is the new one',
  },
  'too-large': { title: 'This is too large', next: 'send it in parts' },
  'wrong-type': { title: 'This content type is not taken', next: 'use one that /openapi.json names' },
  invalid: { title: 'The request is not as described', next: 'correct what errors names; see /openapi.json' },
  refused: { title: 'This is refused', next: 'do as the detail says' },
  'precondition-missing': {
    title: 'Say what you know it to be',
    next: 'send If-Match with the ETag, or If-None-Match: * to create it',
  },
  'too-many': { title: 'Too much at once', next: 'wait as long as Retry-After says' },
  internal: { title: 'Something broke', next: 'look for the request id in the log' },
  'model-failed': { title: 'The model failed', next: 'try again; see keepsake doctor' },
  unavailable: { title: 'Not now', next: 'try again in a moment' },
};

type Options = {
  detail?: string | undefined;
  next?: string | undefined;
  errors?: { path: string; message: string }[] | undefined;
  headers?: Record<string, string> | undefined;
  cause?: unknown;
};

/** Ends a request with a problem document. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly options: Options;

  constructor(code: ProblemCode, options: Options = {}) {
    super(options.detail ?? texts[code].title, { cause: options.cause });
    this.code = code;
    this.options = options;
  }
}

/** RFC 9457, without the response around it. */
export function describeProblem({ code, message, options }: Problem, requestId: string) {
  const { title, next } = texts[code];
  return {
    type: `urn:keepsake:problem:${code}`,
    title,
    status: api.problemStatus[code],
    code,
    detail: message,
    next: options.next ?? next,
    requestId,
    ...(options.errors && { errors: options.errors }),
  };
}

export function respondProblem(c: Context<HttpEnv>, problem: Problem): Response {
  const body = describeProblem(problem, c.get('requestId'));
  return c.body(JSON.stringify(body), api.problemStatus[problem.code], {
    'content-type': 'application/problem+json',
    ...(body.status === 401 && { 'www-authenticate': 'Bearer realm="keepsake"' }),
    ...problem.options.headers,
  });
}
