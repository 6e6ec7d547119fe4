import type { Context } from 'hono';
import { api } from '../../contract/index.ts';
import type { ProblemCode } from '../../contract/index.ts';
import type { HttpEnv } from './request-env.ts';

type Text = { title: string; next: string };

const texts: Record<ProblemCode, Text> = {
  'bad-request': { title: 'Bad request', next: 'correct it' },
  unauthorized: {
    title: 'Unauthorized',
    next: 'send a token as Authorization: Bearer <token> (keepsake token create), or open the link that keepsake serve prints',
  },
  'link-expired': {
    title: 'Sign-in link invalid or expired',
    next: 'start keepsake serve again: it prints a new one',
  },
  'wrong-host': {
    title: 'Host not allowed',
    next: 'use 127.0.0.1 or localhost with the port it listens on, or allow the name: keepsake serve --allow-host <name>',
  },
  'wrong-origin': {
    title: 'Origin not allowed',
    next: 'use the page that this server serves',
  },
  'wrong-scope': { title: 'Insufficient scope', next: 'use a token with the scope write' },
  'not-the-person': {
    title: 'Only the person can agree to it',
    next: 'decide in the browser (the link that keepsake serve prints), or with: keepsake approve <id>',
  },
  'not-the-owner': { title: 'Only an owner can do that', next: 'ask an owner of the vault' },
  'no-such-route': { title: 'Not found', next: 'see /openapi.json' },
  'no-such-vault': { title: 'Vault not found', next: 'use its short name, or default' },
  'no-such-file': { title: 'File not found', next: 'see GET /api/vaults/default/tree' },
  'no-such-update': { title: 'Update not found', next: 'see GET /api/vaults/default/updates' },
  'no-such-change': { title: 'Change not found', next: 'see GET /api/vaults/default/history' },
  'no-such-item': { title: 'Inbox item not found', next: 'see GET /api/vaults/default/inbox' },
  'no-such-tool': { title: 'Tool not found', next: 'use one of those that the detail names' },
  'no-such-answer': { title: 'Answer not found', next: 'see GET /api/vaults/default/answers' },
  'wrong-method': { title: 'Method not allowed', next: 'use one of the methods in Allow' },
  conflict: { title: 'Conflict', next: 'read it again and send the change anew' },
  'wrong-state': { title: 'Not possible in its current state', next: 'look at its state, then decide anew' },
  unconfirmed: {
    title: 'Confirmation required',
    next: 'send it again with confirm=true if that is meant',
  },
  'no-model': { title: 'No model configured', next: 'choose one: keepsake config model <provider>/<name>' },
  'changed-since': {
    title: 'Precondition failed',
    next: 'read it again: its ETag has changed',
  },
  'too-large': { title: 'Content too large', next: 'send it in parts' },
  'wrong-type': { title: 'Unsupported media type', next: 'use one that /openapi.json names' },
  invalid: { title: 'Validation failed', next: 'correct what errors names; see /openapi.json' },
  refused: { title: 'Unprocessable content', next: 'correct it and send it again' },
  'precondition-missing': {
    title: 'Precondition required',
    next: 'send If-Match with the ETag, or If-None-Match: * to create it',
  },
  'too-many': { title: 'Too many requests', next: 'wait as long as Retry-After says' },
  internal: { title: 'Internal server error', next: 'look for the request id in the log' },
  'model-failed': { title: 'Model request failed', next: 'try again; see keepsake doctor' },
  unavailable: { title: 'Service unavailable', next: 'try again in a moment' },
  full: { title: 'Insufficient storage', next: 'delete what is not needed' },
};

export function nextAfter(code: ProblemCode): string {
  return texts[code].next;
}

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
