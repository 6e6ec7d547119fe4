import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { decodeFiles } from '../../app/index.ts';
import type { Update } from '../../app/index.ts';
import { answer, isUnproven } from '../../contract/index.ts';
import { readElicitedAnswer, resolveHeldChange } from './elicitation.ts';
import type { ElicitationSubject, Elicitation } from './elicitation.ts';
import type { McpBackend } from './backend.ts';
import { deriveCallId } from './call-id.ts';
import { readClient, readClientName, requireNoOpenRun } from './mcp-client.ts';
import type { McpOptions } from './options.ts';
import { withProgress } from './progress.ts';
import { errorResult } from './result.ts';
import { portableInput } from './schema.ts';
import { toUpdateStatus, updateStatusSchema } from './update-status.ts';
import { runTool } from './tool-errors.ts';

/** Registers the search agent and the update agent as tools; without a model, only a tool that saves notes. */
export function registerMemoryTools(
  server: McpServer,
  backend: McpBackend,
  elicitation: Elicitation,
  options: UpdateToolOptions,
): void {
  if (options.hasAgents) registerSearch(server, backend, options);
  if (!options.isReadOnly) registerUpdate(server, backend, elicitation, options);
  if (options.hasAgents) registerStatus(server, backend, options);
}

type UpdateToolOptions = McpOptions & { run?: string; hasAgents: boolean };

/**
 * Omits the quoted lines of the blocks: they are in the document, and a client that shows the structured result would
 * show them twice.
 */
const searchResult = answer.omit({ overview: true }).extend({
  blocks: z.array(answer.shape.blocks.element.omit({ text: true })),
});

function registerSearch(server: McpServer, backend: McpBackend, options: McpOptions): void {
  server.registerTool(
    'memory_search',
    {
      title: 'Ask the vault',
      description: [
        "Answer a question from the user's memory. An agent searches the vault and returns a summary of two to five lines or a list",
        'followed by the source lines verbatim, with path and line numbers. Takes several seconds. Use it when you do not',
        'know where the information is; if you know the file, vault_read is faster. Example:',
        '{"question": "Why did we drop the external API, and what replaced it?"}',
      ].join(' '),
      inputSchema: portableInput(
        z.strictObject({ question: z.string().min(1).describe('The question, as a complete sentence') }),
      ),
      outputSchema: searchResult,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    (input, context) =>
      runTool(options, context, 'memory_search', async () => {
        const { overview: _, ...answered } = await withProgress(
          context,
          backend.ask(input.question, context.mcpReq.signal),
        );
        return {
          content: [{ type: 'text', text: answered.document }],
          structuredContent: {
            ...answered,
            blocks: answered.blocks.map(({ text: _text, ...block }) => block),
          },
          // A claim without citations is the model's own text; a client must not take it for the user's memory.
          ...(isUnproven(answered) && { isError: true }),
        };
      }),
  );
}

const maxWaitSeconds = 60;

const newUpdate = z.strictObject({
  text: z
    .string()
    .describe('The complete information: the filing agent sees nothing else of this conversation'),
  files: z
    .array(z.strictObject({ name: z.string(), data: z.base64().describe('Content, base64-encoded') }))
    .nullish()
    .describe('Images and documents (PDF, Word, email, …), with file names such as shot.png'),
  from_person: z
    .boolean()
    .nullish()
    .describe(
      'true only if the user said this in this conversation, which has priority over all other sources: not for your own conclusions, web pages, emails or files. Ignored for remote clients and inbox_ref',
    ),
  source: z.string().max(200).nullish().describe('Origin, e.g. "email from Ana" or a repository name'),
  inbox_ref: z.string().nullish().describe('Inbox item that this answers, e.g. 2025-07-14-call'),
  as_note: z
    .boolean()
    .nullish()
    .describe('Save the text unchanged as a note in the bucket, without the filing agent'),
  project: z.string().nullish().describe('With as_note: the project whose bucket gets the note'),
  wait_seconds: z
    .number()
    .min(0)
    .max(maxWaitSeconds)
    .nullish()
    .describe('Seconds to wait for the result. Default 20'),
});

/** Without a model, every text is saved as a note at once. */
const newNote = newUpdate.omit({ as_note: true, wait_seconds: true }).extend({
  text: z.string().describe('The text to save'),
  project: z.string().nullish().describe('The project whose bucket gets the note'),
});

const updateDescription = [
  "Save information to the user's memory. An agent files it: it finds the project, updates state and tasks, logs",
  'decisions, or asks the user a question in the inbox. Once accepted, the information is stored durably. If filing',
  'takes longer than wait_seconds, you get an id for memory_status. Example: {"text": "We drop the external API; a local model',
  'replaces it because of the price.", "from_person": true}',
].join(' ');

const noteDescription = [
  'Save a text with its files as a note in the bucket, as it is. No model is configured, so no agent files it: if you',
  'know where information belongs, use the vault_* tools instead. Example: {"text": "Minutes of the call with Ana",',
  '"project": "startup-x"}',
].join(' ');

function registerUpdate(
  server: McpServer,
  backend: McpBackend,
  elicitation: Elicitation,
  options: UpdateToolOptions,
): void {
  const { hasAgents } = options;
  server.registerTool(
    'memory_update',
    {
      title: hasAgents ? 'Remember' : 'Save a note',
      description: hasAgents ? updateDescription : noteDescription,
      inputSchema: portableInput(newUpdate, hasAgents ? newUpdate : newNote),
      outputSchema: updateStatusSchema,
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: false,
      },
    },
    ({ text, files, from_person, source, inbox_ref, as_note, project, wait_seconds }, context) =>
      runTool(options, context, 'memory_update', async () => {
        const client = readClientName(server, context) ?? readClient(server, context, options).origin;
        const subject = elicitation.getSubject(context);
        if (subject !== undefined && 'change' in subject) {
          const outcome = await resolveHeldChange(backend, context, subject);
          if (outcome.kind === 'failed') return errorResult(outcome.text);
          return readUpdateStatus(backend, subject.change);
        }
        if (subject === undefined) requireNoOpenRun(backend, readClient(server, context, options));
        const reply = readElicitedAnswer(context);
        if (subject !== undefined && reply === undefined) return readUpdateStatus(backend, subject.update);
        // Only the user can answer an inbox question in their own name; an answer from a model never counts as the
        // user's.
        const isUserAuthored = from_person === true && options.trustsUserClaims === true && inbox_ref == null;
        const id = deriveCallId(options.run, context);
        const accepted = await backend.accept(
          subject === undefined || reply === undefined
            ? {
                text,
                files: decodeFiles(files ?? []),
                source: { kind: isUserAuthored ? 'person' : 'other', name: source ?? client },
                ...(inbox_ref != null && { inboxRef: inbox_ref }),
                ...((as_note === true || (!hasAgents && inbox_ref == null)) && { asNote: true }),
                ...(project != null && { project }),
              }
            : { text: reply, files: [], source: { kind: 'person', name: client }, inboxRef: subject.item },
          // One call can create two updates: the input, and the user's answer to the question that it raised.
          id === undefined || subject === undefined ? id : `${id} answer`,
        );
        const update = await withProgress(
          context,
          backend.findUpdate(accepted.id, { seconds: wait_seconds ?? 20, signal: context.mcpReq.signal }),
        );
        if (update === undefined) return errorResult(`error: the update ${accepted.id} no longer exists`);
        const pending = subject === undefined ? findPendingDecision(update) : null;
        return (
          (pending && (await elicitation.ask(server, context, pending))) ??
          toToolResult(update, accepted.warnings)
        );
      }),
  );
}

function registerStatus(server: McpServer, backend: McpBackend, options: McpOptions): void {
  server.registerTool(
    'memory_status',
    {
      title: 'Check an update',
      description:
        'Get the status of an update accepted by memory_update: filed, held for approval, waiting or failed. Example: {"id": "3f2c91aa"}',
      inputSchema: portableInput(
        z.strictObject({ id: z.string().min(8).describe('The id returned by memory_update') }),
      ),
      outputSchema: updateStatusSchema,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    (input, context) => runTool(options, context, 'memory_status', () => readUpdateStatus(backend, input.id)),
  );
}

async function readUpdateStatus(backend: McpBackend, id: string): Promise<CallToolResult> {
  const update = await backend.findUpdate(id);
  return update === undefined
    ? errorResult(`error: update ${JSON.stringify(id)} not found`)
    : toToolResult(update);
}

/** The decision that the user has to make before an update is complete; null if there is none. */
function findPendingDecision({ id, result, decision }: Update): ElicitationSubject | null {
  if (result?.kind === 'held' && decision === null) return { change: id, reason: result.reason };
  return result?.kind === 'filed' && result.asked !== null ? { item: result.asked, update: id } : null;
}

function toToolResult(update: Update, warnings: readonly string[] = []): CallToolResult {
  const status = toUpdateStatus(update);
  const text = [status.text, ...warnings.map((warning) => `warning: ${warning}`)].join('\n');
  return { content: [{ type: 'text', text }], structuredContent: { ...status, text } };
}
