import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { describeChange } from '../../tools/index.ts';
import { parseVaultPath } from '../../vault/index.ts';
import { decideHeld } from './ask-person.ts';
import type { AskPerson } from './ask-person.ts';
import type { McpBackend } from './backend.ts';
import { callOrigin } from './client-name.ts';
import type { McpOptions } from './options.ts';
import { failure } from './result.ts';
import { portableInput } from './schema.ts';
import { explaining } from './with-advice.ts';

const output = z.object({ text: z.string().describe('The result as a model reads it') });

/** What changed in the vault, and the way back. */
export function registerHistoryTools(
  server: McpServer,
  backend: McpBackend,
  person: AskPerson,
  options: McpOptions,
): void {
  registerHistory(server, backend, options);
  if (!options.isReadOnly) registerUndo(server, backend, person, options);
}

function registerHistory(server: McpServer, backend: McpBackend, options: McpOptions): void {
  server.registerTool(
    'vault_history',
    {
      title: 'List changes',
      description: [
        'Lists what changed in the vault, newest first: when, its id, what was done, and in brackets by whom. Of one',
        'file when a path is given. Example: {"path": "vault/projects/startup-x/state.md", "limit": 5}',
      ].join(' '),
      inputSchema: portableInput(
        z.strictObject({
          path: z.string().nullish().describe('Only changes of this file'),
          limit: z.int().min(1).max(50).nullish().describe('How many; 10 unless told'),
        }),
      ),
      outputSchema: output,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ path, limit }, context) =>
      explaining(options, context, 'vault_history', async () => {
        const parsed = path == null ? null : parseVaultPath(path);
        if (parsed?.ok === false) return failure(`error: ${path}: ${parsed.reason}`);
        const changes = await backend.history({ ...(parsed && { path: parsed.path }), limit: limit ?? 10 });
        return textResult(
          changes.length === 0 ? 'nothing has changed yet' : changes.map(describeChange).join('\n'),
        );
      }),
  );
}

function registerUndo(server: McpServer, backend: McpBackend, person: AskPerson, options: McpOptions): void {
  server.registerTool(
    'vault_undo',
    {
      title: 'Take a change back',
      description: [
        'Takes one change back as a new change; edits made since stay. What this client changed is taken back at once;',
        'what anybody else changed is held until the person agrees. Example: {"id": "3f2c91aa"}',
      ].join(' '),
      inputSchema: portableInput(
        z.strictObject({ id: z.string().min(8).describe('As vault_history lists it') }),
      ),
      outputSchema: output,
      annotations: {
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: true,
        openWorldHint: false,
      },
    },
    ({ id }, context) =>
      explaining(options, context, 'vault_undo', async () => {
        const asked = person.asked(context);
        const outcome =
          asked !== undefined && 'change' in asked
            ? await decideHeld(backend, context, asked)
            : await backend.undo(id, callOrigin(server, context, options));
        if (outcome.kind === 'failed') return failure(outcome.text);
        if (outcome.kind === 'made')
          return textResult(
            outcome.change === null
              ? 'nothing had to be changed: the files are so already'
              : `undid ${id}, as the change ${outcome.change.slice(0, 8)}`,
          );
        const question = asked === undefined ? await person.ask(server, context, outcome) : null;
        return question ?? textResult(outcome.note);
      }),
  );
}

function textResult(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: { text } };
}
