import type { Context } from 'hono';
import { api } from '../../contract/index.ts';
import type { ConflictingFile, ProblemCode } from '../../contract/index.ts';
import type { HttpEnv } from './request-env.ts';

type Text = { title: string; hint: string };

const texts: Record<ProblemCode, Text> = {
  'bad-request': { title: 'Bad request', hint: 'fix the request' },
  unauthorized: {
    title: 'Unauthorized',
    hint: 'send Authorization: Bearer <token> (from keepsake token create, or from the operator of a service), or open a sign-in link',
  },
  'link-expired': {
    title: 'Sign-in link invalid or expired',
    hint: 'restart keepsake serve to get a new link',
  },
  'wrong-host': {
    title: 'Host not allowed',
    hint: 'use 127.0.0.1 or localhost with the port of the server, or allow the name: keepsake serve --allow-host <name>',
  },
  'wrong-origin': {
    title: 'Origin not allowed',
    hint: 'use the web interface of this server',
  },
  'wrong-scope': { title: 'Insufficient scope', hint: 'use a token with the scope write' },
  'not-the-person': {
    title: 'User approval required',
    hint: 'approve in the browser, or run: keepsake approve <id>',
  },
  'not-the-owner': { title: 'Owner role required', hint: 'ask an owner of the vault' },
  'not-the-operator': { title: 'Operator required', hint: 'ask the person who runs the server' },
  'no-such-route': { title: 'Not found', hint: 'see openapi.json next to /api' },
  'no-such-vault': { title: 'Vault not found', hint: 'use the name of the vault, or default' },
  'no-such-file': { title: 'File not found', hint: 'see GET …/tree' },
  'no-such-update': { title: 'Update not found', hint: 'see GET …/updates' },
  'no-such-change': { title: 'Change not found', hint: 'see GET …/history' },
  'no-such-item': { title: 'Inbox item not found', hint: 'see GET …/inbox' },
  'no-such-tool': { title: 'Tool not found', hint: 'use a tool listed in detail' },
  'no-such-answer': { title: 'Answer not found', hint: 'see GET …/answers' },
  'wrong-method': { title: 'Method not allowed', hint: 'use a method listed in Allow' },
  conflict: { title: 'Conflict', hint: 'read the current version and retry' },
  'wrong-state': { title: 'Invalid state', hint: 'check the current state and retry' },
  unconfirmed: {
    title: 'Confirmation required',
    hint: 'resend with confirm=true to proceed',
  },
  'no-model': {
    title: 'No model configured',
    hint: 'configure one: keepsake config model <provider>/<name>',
  },
  expired: {
    title: 'Older than what is kept',
    hint: 'see keepsake config retention',
  },
  'changed-since': {
    title: 'Precondition failed',
    hint: 'the ETag changed; fetch the resource again',
  },
  'too-large': { title: 'Content too large', hint: 'split it into smaller requests' },
  'wrong-type': {
    title: 'Unsupported media type',
    hint: 'use a media type listed in openapi.json next to /api',
  },
  invalid: { title: 'Validation failed', hint: 'fix the listed errors; see openapi.json next to /api' },
  refused: { title: 'Unprocessable content', hint: 'see detail' },
  'precondition-missing': {
    title: 'Precondition required',
    hint: 'send If-Match with the ETag, or If-None-Match: * to create a file',
  },
  'too-many': { title: 'Too many requests', hint: 'retry after the delay in Retry-After' },
  internal: { title: 'Internal server error', hint: 'search the log for the request id' },
  'model-failed': { title: 'Model request failed', hint: 'retry, or run keepsake doctor' },
  unavailable: { title: 'Service unavailable', hint: 'retry in a moment' },
  full: { title: 'Insufficient storage', hint: 'delete files or raise the quota' },
};

export function getDefaultHint(code: ProblemCode): string {
  return texts[code].hint;
}

type Options = {
  detail?: string | undefined;
  hint?: string | undefined;
  errors?: { path: string; message: string }[] | undefined;
  conflicts?: ConflictingFile[] | undefined;
  headers?: Record<string, string> | undefined;
  cause?: unknown;
};

/** Thrown to end a request with a problem document. */
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

/** The body of a problem document (RFC 9457). */
export function toProblemBody({ code, message, options }: Problem, requestId: string) {
  const { title, hint } = texts[code];
  return {
    type: `urn:keepsake:problem:${code}`,
    title,
    status: api.problemStatus[code],
    code,
    detail: message,
    next: options.hint ?? hint,
    requestId,
    ...(options.errors && { errors: options.errors }),
    ...(options.conflicts && { conflicts: options.conflicts }),
  };
}

export function toProblemResponse(c: Context<HttpEnv>, problem: Problem): Response {
  const body = toProblemBody(problem, c.get('requestId'));
  return c.body(JSON.stringify(body), api.problemStatus[problem.code], {
    'content-type': 'application/problem+json',
    ...(body.status === 401 && { 'www-authenticate': 'Bearer realm="keepsake"' }),
    ...problem.options.headers,
  });
}
