import { z } from 'zod';
import { keepsakeEvent } from './events.ts';
import { step } from './steps.ts';
import { isTimeZone } from './time-zone.ts';
import { changeValue, replacedEntries, searchValue, treeValue } from './tool-results.ts';
import { answer, sentUpdate, updateResult } from './updates.ts';

/** Everything that can go wrong with a request, and the status it is answered with. */
export const problemStatus = {
  'bad-request': 400,
  unauthorized: 401,
  'link-expired': 401,
  'wrong-host': 403,
  'wrong-origin': 403,
  'wrong-scope': 403,
  'not-the-person': 403,
  'not-the-owner': 403,
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

/** RFC 9457: what went wrong, for programs (`code`) and for people (`detail`, `next`). */
export const problem = z.object({
  type: z.string().describe('urn:keepsake:problem:<code>'),
  title: z.string(),
  status: z.int(),
  code: z.enum(Object.keys(problemStatus) as [ProblemCode, ...ProblemCode[]]),
  detail: z.string(),
  next: z.string().describe('What to do'),
  requestId: z.string().describe('The same as in the log'),
  errors: z
    .array(z.object({ path: z.string(), message: z.string() }))
    .optional()
    .describe('What is wrong where in the request'),
});

const id = z.string().min(1).max(100);
const at = z.int().describe('Milliseconds since 1970');
const shownPath = z.string().describe('As vault/projects/startup-x/state.md');
const limit = z.coerce.number().int().min(1).max(1_000).default(20);

export const vaultParams = z.object({
  vault: z.string().describe('The short name of the vault; default is the one that is served'),
});
export const idParams = vaultParams.extend({ id: id.describe('Or the beginning of it') });
export const answerParams = vaultParams.extend({ id });
export const consentParams = z.object({ id });
export const grantParams = vaultParams.extend({ id });
export const itemParams = vaultParams.extend({ item: z.string() });
export const toolParams = vaultParams.extend({ tool: z.string() });
export const fileParams = vaultParams.extend({ path: z.string().describe('With or without vault/') });

const source = sentUpdate.shape.source;
const key = z
  .string()
  .min(1)
  .max(200)
  .toLowerCase()
  .describe('The same key again is the same update; in upper case, too');

export const updateRequest = z.strictObject({
  text: sentUpdate.shape.text.default(''),
  files: sentUpdate.shape.files.max(100).default([]),
  source: source.optional().describe('Left out: your words when there are no files and you are no token'),
  inboxRef: sentUpdate.shape.inboxRef,
  key: key.optional(),
});

const file = z
  .custom<File>((value) => value instanceof File)
  .meta({ type: 'string', format: 'binary', description: 'Text, an image or a document' });

/** The same as a form, for files as they are. */
export const updateForm = z.strictObject({
  text: z.string().default(''),
  files: z.union([file, z.array(file).max(100)]).optional(),
  sourceKind: source.shape.kind.optional(),
  sourceName: source.shape.name.optional(),
  inboxRef: z.string().optional(),
  key: key.optional(),
});

export const documentForm = z.strictObject({ file });

export const keyHeader = z.object({ 'idempotency-key': key.optional() });
export const accepted = z.object({
  status: z.literal('accepted'),
  id,
  warnings: z.array(z.string()).describe('What could not be read of the documents'),
});

/** What a document turned out to be. */
export const documentLook = z.object({
  type: z.string().describe('pdf, docx, html, email, mailbox, csv, text, markdown, image or audio'),
  title: z.string().nullable(),
  pages: z.int().nullable(),
  attachments: z.int().describe('How many documents lie in it that can be filed, too'),
  warnings: z.array(z.string()).describe('What could not be read of it'),
});

const diff = z.object({
  path: shownPath,
  diff: z.string().describe('Unified; a long one ends with a line that says what is left out'),
});
const updateState = z.enum(['waiting', 'running', 'done', 'parked', 'cancelled']);

const spent = z.object({
  steps: z.int().describe('How often the model was asked'),
  input: z.int().describe('Tokens it read, those of its cache included'),
  cached: z.int().describe("Of these, tokens from the provider's cache"),
  written: z.int().describe("Of these, tokens written to the provider's cache"),
  output: z.int().describe('Tokens it wrote'),
  cost: z.number().nullable().describe('Null where a price is not known'),
});

export const update = z.object({
  id,
  state: updateState,
  acceptedAt: at,
  attempts: z.int(),
  reason: z.string().nullable().describe('Why the last attempt failed'),
  nextAttemptAt: at.nullable().describe('When it is tried again; null unless it waits after a failure'),
  result: updateResult.nullable(),
  decision: z.enum(['approved', 'rejected']).nullable(),
  spent: spent.nullable().describe('What models have used for it, in all attempts'),
  input: z.object({
    text: z.string(),
    files: z.array(z.object({ name: z.string(), bytes: z.int() })),
    source,
    inboxRef: z.string().nullable(),
  }),
});
export const updatesQuery = z.object({ state: updateState.optional(), limit });
export const updates = z.object({ updates: z.array(update) });
export const updateQuery = z.object({
  wait: z.coerce
    .number()
    .min(0)
    .max(60)
    .optional()
    .describe('Seconds to wait until the update is over; answered as soon as it is'),
});
export const updateWithDiff = update.extend({
  diffs: z.array(diff),
  steps: z.array(step).describe('What the agent has done so far; forgotten when the server stops'),
});

/** What came of an undo, an approval or a restoration: a change of its own, or none when nothing was left to do. */
export const decided = z.object({
  id,
  as: id.nullable().describe('The change that was made; can be undone'),
});
export const moved = z.object({ id, state: updateState });

export const question = z.strictObject({
  question: z.string().trim().min(1).max(20_000),
  keep: z
    .boolean()
    .default(false)
    .describe('Answered at once with its id; it goes on whoever waits for it, and is kept'),
  follows: id.optional().describe('The kept answer that is asked on from; it is kept, too'),
});

const answeredBy = z
  .enum(['agent', 'search'])
  .describe('search where there is no model: lines that fast search finds for the words of the question');
export const answered = answer.extend({ by: answeredBy });

const keptProblem = problem.pick({ code: true, detail: true, next: true });

/** A question and what has become of it. */
export const keptAnswer = z.object({
  id,
  question: z.string(),
  askedAt: at,
  follows: id.nullable().describe('The answer that it was asked on from'),
  thread: z.array(id).describe('All answers that were asked on from one another, oldest first'),
  state: z
    .enum(['running', 'done', 'failed', 'stopped', 'interrupted'])
    .describe('interrupted: the service was stopped before it was over'),
  by: answeredBy.nullable(),
  steps: z.array(step),
  answer: answer.nullable(),
  problem: keptProblem.nullable().describe('Why there is no answer'),
});
export const keptAnswers = z.object({
  answers: z.array(
    keptAnswer
      .pick({ id: true, question: true, askedAt: true, follows: true, state: true, by: true })
      .extend({ sources: z.int().describe('How many blocks of lines it shows') }),
  ),
});
export const keptQuery = z.object({ limit: limit.default(100) });
export const answerFiled = z.object({ path: shownPath, change: id.nullable().describe('For undo') });
export const answersRemoved = z.object({ removed: z.int() });

export const searchRequest = z.strictObject({
  queries: z.array(z.string()).min(1).max(20),
  mode: z.enum(['fast', 'deep']).default('fast'),
  scopes: z.array(z.string()).optional().describe('Path patterns, as projects/*/state.md'),
  limit: z.int().min(1).max(50).optional(),
  context: z.int().min(0).max(50).optional().describe('Lines above and below'),
  dateFrom: z.iso.date().optional(),
  dateTo: z.iso.date().optional(),
});
export const searchFound = searchValue;

export const treeQuery = z.object({
  path: z.string().optional(),
  depth: z.coerce.number().int().min(0).max(100).optional(),
});
export const treeShown = treeValue.extend({ text: z.string() });

const etags = z.string().max(1_000).optional();
export const cachedHeaders = z.object({ 'if-none-match': etags.describe('The ETag of what is known') });
export const matchHeaders = z.object({
  'if-match': etags.describe('The ETag of what is replaced or deleted'),
  'if-none-match': etags.describe('* when it must be new'),
});
export const confirmQuery = z.object({
  confirm: z.enum(['true', 'false']).default('false').describe('Also when much is removed at once'),
});
export const fileWritten = z.object({
  path: shownPath,
  revision: z.string().nullable().describe('Null when it is gone'),
  change: id.nullable().describe('For undo; null when it was the same already'),
});
export const moveRequest = z.strictObject({
  from: z.string(),
  to: z.string(),
  confirm: z.boolean().default(false),
});
export const filesMoved = changeValue
  .pick({ changes: true })
  .extend({ text: z.string(), links: z.int().describe('How many were rewritten'), change: id.nullable() });

export const toolRequest = z.strictObject({
  input: z.unknown(),
  reader: z.enum(['model', 'person']).default('model').describe('A person has no bounds on what is shown'),
  door: z
    .enum(['tools', 'mcp', 'command-line'])
    .optional()
    .describe('How the answer is to speak of other tools: as tree, vault_tree or keepsake tree'),
  origin: z.string().min(1).max(100).optional().describe('Where it comes from, for history'),
  run: z.string().min(1).max(100).optional().describe('Calls of one run share what was read'),
  id: z
    .guid()
    .toLowerCase()
    .optional()
    .describe('Of the change, for undo; in lower case. The same id again is the same call'),
  revision: z.string().max(100).optional().describe('What the file is known to be, where there is no run'),
  isConfirmed: z.boolean().optional().describe('A person agrees to a change that removes much at once'),
});
const image = z.object({ path: shownPath, mediaType: z.string(), data: z.base64() });
const errors = treeValue.shape.errors;
const held = z
  .object({ id, reason: z.string() })
  .nullable()
  .describe('The change that waits for the person; null when none does');

export const toolOutcome = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('result'),
    result: z.object({ text: z.string(), images: z.array(image), value: z.looseObject({ errors }) }),
    held,
  }),
  z.object({ kind: z.literal('refused'), message: z.string() }),
]);

export const backlinksQuery = z.object({ path: z.string(), limit });
export const backlinks = z.object({
  notes: z.array(
    z.object({ path: shownPath, line: z.int(), text: z.string().describe('Of the first line that does') }),
  ),
});

export const verifyRequest = z.strictObject({ document: z.string() });
const place = { path: shownPath, start: z.int(), end: z.int() };
const range = z.object({ start: z.int(), end: z.int() });
export const verified = z.object({
  blocks: z.array(
    z.discriminatedUnion('state', [
      z.object({ ...place, state: z.literal('same'), replaced: replacedEntries }),
      z.object({ ...place, state: z.literal('moved'), now: range, replaced: replacedEntries }),
      z.object({ ...place, state: z.literal('changed'), reason: z.string() }),
    ]),
  ),
});

export const inbox = z.object({
  waiting: z.array(
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('question'), item: z.string(), path: shownPath, review: z.string() }),
      z.object({
        kind: z.literal('held'),
        id,
        at,
        summary: z.string(),
        reason: z.string().nullable().describe('Why you have to decide'),
        paths: z.array(shownPath),
        removes: z
          .array(z.object({ path: shownPath, lines: z.int() }))
          .describe('Lines that it takes away, where files lose some'),
      }),
    ]),
  ),
});
export const inboxAnswer = z.strictObject({
  text: z.string().trim().min(1),
  files: sentUpdate.shape.files.max(100).default([]),
  key: key.optional(),
});

const changeState = z.enum(['applying', 'applied', 'reverted', 'held', 'approved', 'rejected']);
const change = z.object({
  id,
  at,
  origin: z.string(),
  summary: z.string(),
  state: changeState,
  paths: z.array(shownPath),
  isUndone: z.boolean().describe('Whether all of it was taken back since'),
});

/** Who made a change. */
const who = z.object({
  kind: z
    .enum(['person', 'agent', 'client', 'outside', 'sync', 'import', 'upkeep'])
    .describe('`client` is an AI tool or a script, `outside` another program than Keepsake'),
  name: z
    .string()
    .describe(
      'Of a client; of the person, web or terminal; of the update agent, where it has its words from',
    ),
});
export type Who = z.infer<typeof who>;
const said = z.string().nullable().describe('What the update agent says of it; null for all others');
const day = z.iso.date().describe('In the time zone that was asked for, else that of the server');
const timeZone = z
  .string()
  .max(100)
  .refine(isTimeZone, 'no time zone of the IANA database')
  .describe('By which days are told apart, as Europe/Paris; left out, that of the server');
const fileKind = z.enum(['created', 'edited', 'deleted']);
const lines = z.int().nullable().describe('Null where they were not counted');
const changedFile = z.object({
  path: shownPath,
  kind: fileKind.nullable().describe('Null for a folder, and for what is older than this'),
  from: shownPath.nullable().describe('Where it was, if it was moved'),
  added: lines,
  removed: lines,
});
const listedChange = change.extend({
  day,
  who,
  said,
  undoes: z.object({ id, said }).nullable().describe('The change that it takes back'),
  approves: id.nullable().describe('The change that was held, and is made with it'),
  files: z.array(changedFile).describe('The first of them'),
  counts: z
    .object({ files: z.int(), created: z.int(), edited: z.int(), deleted: z.int(), moved: z.int() })
    .describe('Of all of them'),
});
const conflict = z
  .enum(['keep', 'replace', 'both'])
  .optional()
  .describe(
    'Where the same lines were changed since: keep what stands there now, replace it, or let both stand. Left out, nothing is written then',
  );
export const historyQuery = z.object({
  path: z.string().optional(),
  folder: z.string().optional().describe('Changes of anything in it'),
  kind: fileKind.optional().describe('What became of one of the files'),
  who: who.shape.kind.optional(),
  name: z.string().optional().describe('Of who'),
  day: day.optional(),
  timeZone: timeZone.optional(),
  held: z.enum(['true', 'false']).optional(),
  state: changeState.optional(),
  after: id.optional().describe('The last change of the list so far: those that follow it'),
  limit,
});
export const history = z.object({
  changes: z.array(listedChange),
  next: id.nullable().describe('To be sent as `after`; null when there are no more'),
});
export const historyDaysQuery = z.object({ timeZone: timeZone.optional() });
/** How a year was. */
export const historyDays = z.object({
  today: day,
  days: z
    .array(z.object({ day, who, changes: z.int() }))
    .describe('How many changes, for each day and maker that had any'),
  notes: z.array(z.object({ day, more: z.int() })).describe('How many notes more there were after a day'),
});
export const changeWithDiff = change.extend({ diffs: z.array(diff) });
export const changeQuery = z.object({ path: z.string().optional().describe('Only the diff of this file') });
export const undoRequest = z.strictObject({
  path: z.string().optional().describe('Only in this file'),
  conflict,
  origin: toolRequest.shape.origin.describe('Which client a process of the person asks for, for history'),
});
export const undone = decided.extend({ held });
export const decisionRequest = z.strictObject({ conflict });
export const restoreRequest = z.strictObject({ path: z.string() });

export const projects = z.object({
  projects: z
    .array(
      z.object({
        name: z.string(),
        path: shownPath,
        status: z.string().nullable().describe('The first line of its state'),
        deadline: z
          .object({ day: z.iso.date(), task: z.string() })
          .nullable()
          .describe('The next one of a task that is not done'),
        updated: z.string().nullable().describe('Local time of the newest of its own notes'),
      }),
    )
    .describe('Those that were changed last come first; not all of very many'),
});

export const event = keepsakeEvent;

/** What somebody may do in a vault. */
const role = z.enum(['owner', 'writer', 'reader']);

export const status = z.object({
  vault: z.string(),
  role: role.nullable().describe('Of the person who asks; null for a program'),
  version: z.string(),
  timeZone: z
    .string()
    .describe('Of the server, as Europe/Paris: times without a zone, such as stamps, are times there'),
  index: z.object({
    comparedAt: at.nullable().describe('When index and files were last compared; null before that'),
    files: z.int(),
    sections: z.int(),
    vectors: z
      .object({
        sections: z.int().describe('Those that a model may see'),
        missing: z.int().describe('How many of them have no vectors yet'),
        problem: z.string().nullable().describe('Why the last attempt to make them failed'),
      })
      .nullable()
      .describe('For search by meaning; null when no embedding model is chosen'),
  }),
  queue: z.object({ waiting: z.int(), running: z.int(), parked: z.int() }),
  models: z.object({
    agents: z.string().nullable().describe('Null when there is none'),
    problem: z.string().nullable().describe('Why there is none, and what to do'),
  }),
  spend: z
    .object({ tokens: z.int(), cost: z.number().nullable().describe('Null where no price is known') })
    .describe('Of today'),
  layout: z
    .object({
      overview: z.string(),
      changelog: z.string(),
      tasks: z.string(),
      projects: z.string(),
      problem: z.string().nullable().describe('Why the names that the vault has chosen do not count'),
    })
    .describe('What the vault calls these files and this folder'),
  loss: z
    .object({ id: z.string().describe('Of the change; undo brings them back'), at, files: z.int() })
    .nullable()
    .describe(
      'Files that were gone at once lately, not by Keepsake, and are not back; null when there are none',
    ),
});
const price = z.number().nonnegative().describe('Of a million tokens');
const modelName = z.string().min(1).max(200).describe('As anthropic/<name>');
export const modelSettings = z.object({
  name: z.string().nullable().describe('The one that agents use, or would; null when none is chosen'),
  isFromEnvironment: z.boolean().describe('Whether KEEPSAKE_MODEL decides, whatever is chosen here'),
  url: z.string().nullable().describe('Where it answers, if elsewhere than usual'),
  prices: z.object({ input: price, output: price }).nullable(),
  providers: z.array(
    z.object({
      name: z.string(),
      url: z.string().nullable().describe('Where its models usually answer; null where it has to be given'),
      key: z.enum(['unneeded', 'missing', 'variable', 'file']).describe('Where its key is; never the key'),
    }),
  ),
});
export const modelChoice = z.strictObject({
  name: modelName.nullable().describe('Null for none'),
  url: z.url().max(1_000).optional(),
  key: z
    .string()
    .trim()
    .min(1)
    .max(1_000)
    .regex(/^[\x21-\x7e]+$/, 'a key has no spaces and no letters beyond ASCII')
    .optional()
    .describe('Kept in a file of its own; left out, the one that is there stays'),
  prices: z.strictObject({ input: price, output: price }).optional(),
});
export const modelTrial = z.object({
  name: z.string(),
  reply: z.string(),
  milliseconds: z.number(),
  callsTools: z.boolean().describe('Agents need a model that does'),
  blindBecause: z.string().nullable().describe('Null when it sees images'),
  tokens: z.int(),
  cost: z.number().nullable().describe('Null where no price is known'),
});

export const exclusions = z.object({
  patterns: z.array(
    z.object({
      pattern: z.string(),
      files: z.int().nullable().describe('How many files it covers; null when something is wrong with it'),
      problem: z.string().optional(),
    }),
  ),
});
export const exclusionsWanted = z.strictObject({ patterns: z.array(z.string().max(1_000)).max(100) });

export const clients = z.object({
  clients: z.array(
    z.object({
      name: z.string(),
      title: z.string(),
      isFound: z.boolean().describe('Whether it seems to be used on this machine'),
      file: z.string().nullable().describe('Its configuration; null where only its own command changes it'),
      text: z.string().nullable().describe('What stands there for this vault; null where it cannot be said'),
      command: z.string().nullable().describe('What its own command does it with'),
      link: z.string().nullable().describe('An address that installs it'),
    }),
  ),
});

const tokenScope = z.enum(['read', 'write']);
const token = z.object({ id, name: z.string(), scope: tokenScope, createdAt: at });
export const tokens = z.object({ tokens: z.array(token) });
export const tokenRequest = z.strictObject({ name: z.string().trim().min(1).max(100), scope: tokenScope });
export const tokenMade = token.extend({ secret: z.string().describe('Told once') });

const known = z.object({
  id,
  name: z.string(),
  role,
  createdAt: at,
  isInvited: z.boolean().describe('Whether a link waits to be opened'),
});
export const people = z.object({ people: z.array(known) });
export const invitation = z.strictObject({ name: z.string().trim().min(1).max(60), role });
export const invited = known.extend({ url: z.string().describe('Told once') });
export const roleChoice = z.strictObject({ role });

const knownClient = z.object({
  name: z.string().describe('What it calls itself'),
  site: z.string().nullable().describe('The site that vouches for it; null for none'),
});
export const consentRequest = z.object({
  client: knownClient,
  returnsTo: z.string().describe('Where the browser goes on: a site, localhost, or the scheme of a program'),
  scope: tokenScope,
});
export const consentDecision = z.strictObject({ scope: tokenScope.nullable().describe('Null for a no') });
export const grants = z.object({
  grants: z.array(knownClient.extend({ id, scope: tokenScope, createdAt: at })),
  url: z
    .string()
    .nullable()
    .describe('Under which programs elsewhere reach the vault; null when they cannot'),
});

export const signInWays = z.object({
  passkey: z.boolean().describe('Whether there is a passkey'),
  provider: z.string().nullable().describe('The host of the OpenID provider; null for none'),
  hasPasskeys: z.boolean().describe('Whether passkeys can be made'),
});
export const passkeys = z.object({ passkeys: z.array(z.object({ id, name: z.string(), createdAt: at })) });
export const passkeyMade = z.strictObject({
  name: z.string().trim().min(1).max(100),
  made: z.looseObject({}).describe('What navigator.credentials.create gave'),
});

export const link = z.object({ url: z.string() });
/** Of a server with several vaults. */
export const vaultNames = z.object({ vaults: z.array(z.string().describe('As it stands in addresses')) });
export const health = z.object({ status: z.literal('ok'), version: z.string() });
