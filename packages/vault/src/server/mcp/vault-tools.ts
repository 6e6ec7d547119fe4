import type {
  InputRequiredResult,
  McpServer,
  ServerContext,
  StandardSchemaWithJSON,
  ToolAnnotations,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { treeOutput } from '../../contract/index.ts';
import type { ChatToolResult } from '../../models/index.ts';
import { describeTool, toFailedOutcome, toolName, tools, updateTools } from '../../tools/index.ts';
import type { CommitOutcome, Tool, ToolOutcome, ToolResult } from '../../tools/index.ts';
import type { Layout } from '../../vault/index.ts';
import { approvedMessage, resolveHeldChange } from './elicitation.ts';
import type { Elicitation } from './elicitation.ts';
import type { McpBackend } from './backend.ts';
import { deriveCallId } from './call-id.ts';
import { readClient, readRunClient } from './mcp-client.ts';
import type { McpOptions } from './options.ts';
import { errorResult, structuredIncludesText, textIncludesStructured, toCallToolResult } from './result.ts';
import { memoizeJsonSchema, portableInput, skipValidation } from './schema.ts';
import { runTool, traceCall, withHint } from './tool-errors.ts';

export type ToolRegistration = {
  tool: Tool;
  title: string;
  description: string;
  inputSchema: StandardSchemaWithJSON;
  outputSchema: StandardSchemaWithJSON;
  annotations: ToolAnnotations;
};

/**
 * Prepares the vault tools for registration. Call it once and share the result, because a new server may be created for
 * each request.
 */
export function describeVaultTools({
  isReadOnly,
  hasRun,
  hasEmbedder,
}: {
  isReadOnly: boolean;
  hasRun: boolean;
  hasEmbedder: boolean;
}): ToolRegistration[] {
  return tools
    .filter(({ effect }) => effect === 'read' || !isReadOnly)
    .map((tool) => {
      const { title, description, input } = describeTool(tool, { hasEmbedder, toolInterface: 'mcp' });
      const takesRevision = !hasRun && toolsRequiringRevision.has(tool.name);
      const fields = {
        ...(takesRevision && { revision }),
        ...(!isReadOnly && updateTools.includes(tool) && { run: filingRun }),
      };
      return {
        tool,
        title,
        description,
        // The tool validates its input itself, with the same messages as in every other interface.
        inputSchema: skipValidation(
          portableInput(Object.keys(fields).length === 0 ? input : withField(input, fields)),
        ),
        // The type checker guarantees the result, and a failed validation must not report an applied change as an error.
        outputSchema: skipValidation(memoizeJsonSchema(outputOf(tool))),
        annotations: annotationsOf(tool),
      };
    });
}

export function registerVaultTools(
  server: McpServer,
  described: readonly ToolRegistration[],
  backend: McpBackend,
  elicitation: Elicitation,
  options: McpOptions & { run?: string },
  { substituteNames }: Layout,
): void {
  const { run, onError } = options;
  for (const { tool, ...config } of described) {
    const description = substituteNames(config.description);
    server.registerTool(toolName(tool.name, 'mcp'), { ...config, description }, async (given, context) => {
      const { run: filing, ...args } = given as Record<string, unknown>;
      const { revision: readRevision, ...input } = args;
      if (filing != null && !options.isReadOnly && updateTools.includes(tool))
        return runTool(options, context, toolName(tool.name, 'mcp'), async () => {
          const id = typeof filing === 'string' ? filing : JSON.stringify(filing);
          const client = readRunClient(server, context, options);
          const result = await backend.clientRuns.call(id, client, { tool: tool.name, input });
          return toCallToolResult(tool, asToolOutcome(result), true);
        });
      const isKnown = run === undefined && toolsRequiringRevision.has(tool.name);
      try {
        const subject = elicitation.getSubject(context);
        if (subject !== undefined && 'change' in subject)
          return toCallToolResult(tool, asOutcome(await resolveHeldChange(backend, context, subject)), true);
        const client = readClient(server, context, options);
        const open = tool.effect === 'write' ? backend.clientRuns.findOpen(client.connection) : null;
        if (open !== null)
          return errorResult(
            `error: run ${open} is open: pass "run": "${open}" to make the change part of it, or call memory_done first`,
          );
        const outcome = await traceCall(context, toolName(tool.name, 'mcp'), () =>
          backend.callTool({
            tool: tool.name,
            input: isKnown ? input : args,
            reader: 'model',
            door: 'mcp',
            ...client,
            run,
            id: deriveCallId(run, context),
            revision: isKnown && typeof readRevision === 'string' ? readRevision : undefined,
          }),
        );
        const question = await askAbout(elicitation, server, context, outcome);
        return question ?? toCallToolResult(tool, outcome, run !== undefined);
      } catch (error) {
        // The SDK sends the message to the client only, so the error is logged here.
        onError?.(error);
        throw withHint(error);
      }
    });
  }
}

const filingRun = z.string().nullish().describe('While filing: from memory_next');

function asToolOutcome(result: ChatToolResult): ToolOutcome {
  if (result.kind === 'refused') return { kind: 'refused', message: result.text };
  const images = result.images.map((image) => ({ ...image, data: Buffer.from(image.data) }));
  const value = result.structured() as ToolResult['value'];
  return { kind: 'result', result: { text: result.text, images, value } };
}

/** Asks the user about a held change; null if there is none or the client cannot ask. */
async function askAbout(
  elicitation: Elicitation,
  server: McpServer,
  context: ServerContext,
  outcome: ToolOutcome,
): Promise<InputRequiredResult | null> {
  if (outcome.kind === 'refused' || outcome.commit?.kind !== 'held') return null;
  const { change, reason } = outcome.commit;
  return elicitation.ask(server, context, { change, reason });
}

/** The outcome of a held change as the result of the tool that made it. */
function asOutcome(outcome: CommitOutcome): ToolOutcome {
  if (outcome.kind === 'failed') return toFailedOutcome(outcome);
  const text = outcome.kind === 'held' ? outcome.note : approvedMessage;
  return { kind: 'result', result: { text, images: [], value: { errors: [] } } };
}

/** Tools that change a file only if it was read before. */
const toolsRequiringRevision = new Set(['write', 'edit']);

const revision = z
  .string()
  .nullish()
  .describe('Required if the file exists: its revision, as returned by vault_read');
const text = z.string().describe('The result as text');

/** Describes the worst that a call can do, although every change can be undone. */
function annotationsOf({ name, effect }: Tool): ToolAnnotations {
  if (effect === 'read') return { readOnlyHint: true, openWorldHint: false };
  return {
    readOnlyHint: false,
    destructiveHint: !['append', 'move'].includes(name),
    idempotentHint: ['write', 'delete'].includes(name),
    openWorldHint: false,
  };
}

function outputOf(tool: Tool): z.ZodType {
  if (structuredIncludesText(tool)) return tool.output;
  if (!textIncludesStructured(tool)) return withField(tool.output, { text });
  return z.object({ text, errors: treeOutput.shape.errors });
}

function withField(schema: z.ZodType, field: z.ZodRawShape): z.ZodType {
  if (!(schema instanceof z.ZodObject)) throw new Error('the schema of a tool must be an object');
  return schema.extend(field);
}
