import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { formatChange } from '../../tools/index.ts';
import { parseVaultPath } from '../../vault/index.ts';
import { resolveHeldChange } from './elicitation.ts';
import type { Elicitation } from './elicitation.ts';
import type { McpBackend } from './backend.ts';
import { readClient, requireNoOpenRun } from './mcp-client.ts';
import type { McpOptions } from './options.ts';
import { errorResult } from './result.ts';
import { portableInput } from './schema.ts';
import { runTool } from './tool-errors.ts';

const output = z.object({ text: z.string().describe('The result as text') });

/** Registers `vault_history`, and `vault_undo` unless the connection is read-only. */
export function registerHistoryTools(
  server: McpServer,
  backend: McpBackend,
  elicitation: Elicitation,
  options: McpOptions & { run?: string },
): void {
  registerHistory(server, backend, options);
  if (!options.isReadOnly) registerUndo(server, backend, elicitation, options);
}

function registerHistory(server: McpServer, backend: McpBackend, options: McpOptions): void {
  server.registerTool(
    'vault_history',
    {
      title: 'List changes',
      description: [
        'List changes to the vault, newest first: time, id, summary, and the author in parentheses. With path, only changes',
        'to that file. Example: {"path": "vault/projects/startup-x/state.md", "limit": 5}',
      ].join(' '),
      inputSchema: portableInput(
        z.strictObject({
          path: z.string().nullish().describe('Only changes to this file'),
          limit: z.int().min(1).max(50).nullish().describe('Maximum number of changes. Default 10'),
        }),
      ),
      outputSchema: output,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ path, limit }, context) =>
      runTool(options, context, 'vault_history', async () => {
        const parsed = path == null ? null : parseVaultPath(path);
        if (parsed?.ok === false) return errorResult(`error: ${path}: ${parsed.reason}`);
        const changes = await backend.history({ ...(parsed && { path: parsed.path }), limit: limit ?? 10 });
        return textResult(changes.length === 0 ? 'no changes yet' : changes.map(formatChange).join('\n'));
      }),
  );
}

function registerUndo(
  server: McpServer,
  backend: McpBackend,
  elicitation: Elicitation,
  options: McpOptions & { run?: string },
): void {
  server.registerTool(
    'vault_undo',
    {
      title: 'Undo a change',
      description: [
        'Undo one change by creating a reverse change; later edits are kept. Changes that this client made within the last',
        "hour are undone immediately; undoing an older change or anyone else's is held until the user approves. Example:",
        '{"id": "3f2c91aa"}',
      ].join(' '),
      inputSchema: portableInput(
        z.strictObject({ id: z.string().min(8).describe('Change id from vault_history') }),
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
      runTool(options, context, 'vault_undo', async () => {
        const subject = elicitation.getSubject(context);
        const client = readClient(server, context, options);
        if (subject === undefined) requireNoOpenRun(backend, client);
        const outcome =
          subject !== undefined && 'change' in subject
            ? await resolveHeldChange(backend, context, subject)
            : await backend.undo(id, client);
        if (outcome.kind === 'failed') return errorResult(outcome.text);
        if (outcome.kind === 'applied')
          return textResult(
            outcome.change === null
              ? 'nothing to undo: the files are already in that state'
              : `undid ${id} (change ${outcome.change.slice(0, 8)})`,
          );
        const question = subject === undefined ? await elicitation.ask(server, context, outcome) : null;
        return question ?? textResult(outcome.note);
      }),
  );
}

function textResult(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: { text } };
}
