import { z } from 'zod';

/** Every problem code and its HTTP status. */
export const problemStatus = {
  'bad-request': 400,
  unauthorized: 401,
  'link-expired': 401,
  'wrong-host': 403,
  'wrong-origin': 403,
  'wrong-scope': 403,
  'not-the-person': 403,
  'not-the-owner': 403,
  'not-the-operator': 403,
  'no-such-route': 404,
  'no-such-vault': 404,
  'no-such-file': 404,
  'no-such-update': 404,
  'no-such-change': 404,
  'no-such-item': 404,
  'no-such-tool': 404,
  'no-such-answer': 404,
  'wrong-method': 405,
  conflict: 409,
  'wrong-state': 409,
  unconfirmed: 409,
  'no-model': 409,
  expired: 410,
  'changed-since': 412,
  'too-large': 413,
  'wrong-type': 415,
  invalid: 422,
  refused: 422,
  'precondition-missing': 428,
  'too-many': 429,
  internal: 500,
  'model-failed': 502,
  unavailable: 503,
  full: 507,
} as const;

export type ProblemCode = keyof typeof problemStatus;

/** RFC 9457 problem details: `code` is for programs, `detail` and `next` are for people. */
export const problem = z.object({
  type: z.string().describe('urn:keepsake:problem:<code>'),
  title: z.string(),
  status: z.int(),
  code: z.enum(Object.keys(problemStatus) as [ProblemCode, ...ProblemCode[]]),
  detail: z.string(),
  next: z.string().describe('What to do'),
  requestId: z.string().describe('Request id, as in the server log'),
  errors: z
    .array(z.object({ path: z.string(), message: z.string() }))
    .optional()
    .describe('Invalid fields of the request'),
  conflicts: z
    .array(
      z.object({
        path: z.string(),
        hunks: z.array(
          z.object({
            line: z.int().describe('Line number of the first current line'),
            current: z.array(z.string()),
            incoming: z.array(z.string()),
          }),
        ),
      }),
    )
    .optional()
    .describe('The lines of each file that were edited since the change, and those that would replace them'),
});

export type ConflictingFile = NonNullable<z.infer<typeof problem>['conflicts']>[number];
