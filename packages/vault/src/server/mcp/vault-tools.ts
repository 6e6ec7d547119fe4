import type {
  InputRequiredResult,
  McpServer,
  ServerContext,
  StandardSchemaWithJSON,
  ToolAnnotations,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { treeValue } from '../../contract/index.ts';
import { failedOutcome, toolName, tools } from '../../tools/index.ts';
import type { CommitOutcome, Tool, ToolOutcome } from '../../tools/index.ts';
import type { Layout } from '../../vault/index.ts';
import { approvedNote, decideHeld } from './ask-person.ts';
import type { AskPerson } from './ask-person.ts';
import type { McpBackend } from './backend.ts';
import { callId } from './call-id.ts';
import { callOrigin } from './client-name.ts';
import type { McpOptions } from './options.ts';
import { hasTextInValue, hasValueInText, resultFrom } from './result.ts';
import { describedOnce, portableInput, withoutValidation } from './schema.ts';
import { tracedCall, withAdvice } from './with-advice.ts';

type Described = {
  tool: Tool;
  title: string;
  description: string;
  inputSchema: StandardSchemaWithJSON;
  outputSchema: StandardSchemaWithJSON;
  annotations: ToolAnnotations;
};

/** The tools of the vault as MCP describes them. To be made once: a server that answers one request lives shortly. */
export function describeVaultTools({
  isReadOnly,
  hasRun,
}: {
  isReadOnly: boolean;
  hasRun: boolean;
}): Described[] {
  return tools
    .filter(({ effect }) => effect === 'read' || !isReadOnly)
    .map((tool) => {
      const takesRevision = !hasRun && needReading.has(tool.name);
      return {
        tool,
        title: tool.title,
        description: takesRevision ? `${tool.description} ${revisionNote}` : tool.description,
        // The tool judges what it is given, and explains it as it does everywhere else.
        inputSchema: withoutValidation(
          portableInput(takesRevision ? withField(tool.input, { revision }) : tool.input),
        ),
        // A result is what its tool says it is, by type; a change that was made must not become an error over it.
        outputSchema: withoutValidation(describedOnce(outputOf(tool))),
        annotations: annotationsOf(tool),
      };
    });
}

export function registerVaultTools(
  server: McpServer,
  described: readonly Described[],
  backend: McpBackend,
  person: AskPerson,
  options: McpOptions & { run?: string },
  { inWords }: Layout,
): void {
  const { run, onError } = options;
  for (const { tool, ...config } of described) {
    const description = inWords(config.description);
    server.registerTool(toolName(tool.name, 'mcp'), { ...config, description }, async (given, context) => {
      const { revision: known, ...input } = given as Record<string, unknown>;
      const isKnown = run === undefined && needReading.has(tool.name);
      try {
        const asked = person.asked(context);
        if (asked !== undefined && 'change' in asked)
          return resultFrom(tool, asOutcome(await decideHeld(backend, context, asked)), true);
        const outcome = await tracedCall(context, toolName(tool.name, 'mcp'), () =>
          backend.callTool({
            tool: tool.name,
            input: isKnown ? input : given,
            reader: 'model',
            door: 'mcp',
            origin: callOrigin(server, context, options),
            run,
            id: callId(run, context),
            revision: isKnown && typeof known === 'string' ? known : undefined,
          }),
        );
        const question = await askAbout(person, server, context, outcome);
        return question ?? resultFrom(tool, outcome, run !== undefined);
      } catch (error) {
        // The client is told the message by the SDK, and nobody else would be told anything.
        onError?.(error);
        throw withAdvice(error);
      }
    });
  }
}

/** What the person is asked about a change that is held. */
async function askAbout(
  person: AskPerson,
  server: McpServer,
  context: ServerContext,
  outcome: ToolOutcome,
): Promise<InputRequiredResult | null> {
  if (outcome.kind === 'refused' || outcome.commit?.kind !== 'held') return null;
  const { change, reason } = outcome.commit;
  return person.ask(server, context, { change, reason });
}

/** What became of a held change, as the result of its tool. */
function asOutcome(outcome: CommitOutcome): ToolOutcome {
  if (outcome.kind === 'failed') return failedOutcome(outcome);
  const text = outcome.kind === 'held' ? outcome.note : approvedNote;
  return { kind: 'result', result: { text, images: [], value: { errors: [] } } };
}

/** Tools that change only what was read before. */
const needReading = new Set(['write', 'edit']);

const revision = z
  .string()
  .nullish()
  .describe('What vault_read said the revision of the file is; needed for a file that exists');
const revisionNote = 'For a file that exists, give the revision that vault_read returned.';
const text = z.string().describe('The result as a model reads it');

/** What the call may do, at worst; every change can be undone. */
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
  if (hasTextInValue(tool)) return tool.output;
  if (!hasValueInText(tool)) return withField(tool.output, { text });
  return z.object({ text, errors: treeValue.shape.errors });
}

function withField(schema: z.ZodType, field: z.ZodRawShape): z.ZodType {
  if (!(schema instanceof z.ZodObject)) throw new Error('the schema of a tool is an object');
  return schema.extend(field);
}
