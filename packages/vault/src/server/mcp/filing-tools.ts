import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { NextRun } from '../../app/index.ts';
import type { ChatContent, ChatMessage, ChatRequest } from '../../models/index.ts';
import { toolName, updateTools } from '../../tools/index.ts';
import { resolveHeldChange } from './elicitation.ts';
import type { Elicitation } from './elicitation.ts';
import type { McpBackend } from './backend.ts';
import { readRunClient } from './mcp-client.ts';
import type { McpOptions } from './options.ts';
import { errorResult } from './result.ts';
import { portableInput } from './schema.ts';
import { runTool } from './tool-errors.ts';
import { toUpdateStatus } from './update-status.ts';

const output = z.object({
  run: z.string().nullable().describe('The open run, or null'),
  text: z.string().describe('The result as text'),
});

/** Registers the tools with which a client files updates in place of a configured model. */
export function registerFilingTools(
  server: McpServer,
  backend: McpBackend,
  elicitation: Elicitation,
  options: McpOptions & { run?: string },
): void {
  registerNext(server, backend, options);
  registerDone(server, backend, elicitation, options);
}

function registerNext(server: McpServer, backend: McpBackend, options: McpOptions & { run?: string }): void {
  server.registerTool(
    'memory_next',
    {
      title: 'Next update to file',
      description:
        'Get the oldest update that waits to be filed, with instructions. Use it when the user asks to file what waits. Then call the vault_* tools with its run, and memory_done.',
      inputSchema: portableInput(
        z.strictObject({
          has_instructions: z
            .boolean()
            .nullish()
            .describe('true to omit the instructions of the update agent, if this conversation has them'),
        }),
      ),
      outputSchema: output,
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    },
    ({ has_instructions }, context) =>
      runTool(options, context, 'memory_next', async () => {
        const next = await backend.clientRuns.next(readRunClient(server, context, options));
        const finished = await Promise.all(next.finished.map((id) => describeFinished(backend, id)));
        if (next.kind === 'nothing') return toResult(null, [...finished, next.why].map(toContent));
        // A request to forget has instructions of its own.
        const hasInstructions = has_instructions === true && !isForgetting(next.request);
        const instructions = `---\n\n${next.request.instructions.trim()}\n\n---`;
        const head = [
          ...finished,
          introduce(next, backend.clientRuns.count()),
          ...(hasInstructions ? [] : [instructions]),
        ];
        const reminder = toContent(`Use run ${next.run} in every vault_* call, then call memory_done.`);
        return toResult(next.run, [...head.map(toContent), ...readRequest(next.request), reminder]);
      }),
  );
}

function registerDone(
  server: McpServer,
  backend: McpBackend,
  elicitation: Elicitation,
  options: McpOptions & { run?: string },
): void {
  server.registerTool(
    'memory_done',
    {
      title: 'Finish filing',
      description:
        'Finish a run of memory_next: its changes are checked and saved together, or you are told what is missing.',
      inputSchema: portableInput(
        z.strictObject({
          run: z.string().describe('The run from memory_next'),
          summary: z.string().describe('What was filed and where, in one to three sentences'),
          whole_sentences: z
            .boolean()
            .nullish()
            .describe('Only to forget: true to remove everything else in the sentences, too'),
        }),
      ),
      outputSchema: output,
      annotations: {
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: true,
        openWorldHint: false,
      },
    },
    ({ run, summary, whole_sentences }, context) =>
      runTool(options, context, 'memory_done', async () => {
        const subject = elicitation.getSubject(context);
        if (subject !== undefined && 'change' in subject) {
          const outcome = await resolveHeldChange(backend, context, subject);
          if (outcome.kind === 'failed') return errorResult(outcome.text);
          return toResult(null, await describeEnd(backend, subject.change));
        }
        const client = readRunClient(server, context, options);
        const reply = await backend.clientRuns.finish(run, client, summary, whole_sentences === true);
        if (reply.kind === 'continues') return toResult(run, describeMissing(reply.request));
        const { update: id, returnedBecause } = reply;
        if (returnedBecause !== null)
          return errorResult(
            `error: not filed: ${returnedBecause}. Nothing was changed, and the update waits again; call memory_next to start over`,
          );
        const update = await backend.findUpdate(id);
        const held = update?.result?.kind === 'held' && update.decision === null ? update.result : null;
        // Before words are removed for good, the user sees all that goes, which a client may not.
        const question =
          held === null || backend.isForgetRequest(id)
            ? null
            : await elicitation.ask(server, context, { change: id, reason: held.reason });
        return question ?? toResult(null, await describeEnd(backend, id));
      }),
  );
}

async function describeFinished(backend: McpBackend, id: string): Promise<string> {
  const update = await backend.findUpdate(id);
  const text = `update ${id.slice(0, 8)}: ${update === undefined ? 'done' : toUpdateStatus(update).text}`;
  return [text, ...(await backend.describeForgetRequest(id))].join('\n');
}

async function describeEnd(backend: McpBackend, id: string): Promise<ChatContent[]> {
  const count = backend.clientRuns.count();
  const more = count === 1 ? '1 more update waits' : `${count} more updates wait`;
  return [
    await describeFinished(backend, id),
    ...(count === 0
      ? []
      : [`${more}: call memory_next, with {"has_instructions": true} if you have those of the update agent`]),
  ].map(toContent);
}

function introduce({ run, update }: Extract<NextRun, { kind: 'run' }>, waiting: number): string {
  const names = updateTools.map(({ name }) => `\`${name}\``).join(', ');
  return [
    `File update ${update.slice(0, 8)} in run ${run}.${waiting === 0 ? '' : ` After it, ${waiting} more wait.`}`,
    '',
    `- The tools ${names} below are ${toolName('tree', 'mcp')}, ${toolName('read', 'mcp')} and so on. Pass "run": "${run}" with every call; without it, nothing can be written until the run ends.`,
    `- To finish, call memory_done {"run": "${run}", "summary": "…"} with the text that would follow \`Summary:\` below. Nothing is saved before.`,
    '- The run ends without changes ten minutes after your last call.',
  ].join('\n');
}

/** A repair, the refused words of a request to forget, or the next part of a long input, which is a new conversation. */
function describeMissing(request: ChatRequest): ChatContent[] {
  const { messages } = request;
  const answered = messages.findLastIndex(({ role }) => role === 'assistant');
  if (answered === -1) return [toContent(nextPartNote), ...readRequest(request)];
  return [toContent(missingNote), ...messages.slice(answered + 1).flatMap(readMessage)];
}

const nextPartNote =
  'Noted. The input goes on: file the next part in the same run, then call memory_done again. Nothing is saved yet.';
const missingNote = 'Do the following in the same run, then call memory_done again with your summary.';
const forgetNote =
  'Instead of calling `propose`, pass its phrases to memory_done as the summary, one per line, and its `whole_sentences`.';

/** The messages to the agent without its own answers. */
function readRequest(request: ChatRequest): ChatContent[] {
  return [
    ...request.messages.filter(({ role }) => role === 'user').flatMap(readMessage),
    ...(isForgetting(request) ? [toContent(forgetNote)] : []),
  ];
}

function isForgetting({ tools }: ChatRequest): boolean {
  return tools.some(({ name }) => name === 'propose');
}

function readMessage(message: ChatMessage): readonly ChatContent[] {
  if (message.role === 'user') return message.content;
  return message.role === 'tool' ? message.results.map(({ text }) => toContent(text)) : [];
}

function toContent(text: string): ChatContent {
  return { text, images: [] };
}

function toResult(run: string | null, content: readonly ChatContent[]): CallToolResult {
  const text = content.map((each) => each.text).join('\n\n');
  const images = content.flatMap((each) => each.images);
  return {
    content: [
      { type: 'text', text },
      ...images.map(({ mediaType, data }) => ({
        type: 'image' as const,
        mimeType: mediaType,
        data: Buffer.from(data).toString('base64'),
      })),
    ],
    structuredContent: { run, text },
  };
}
