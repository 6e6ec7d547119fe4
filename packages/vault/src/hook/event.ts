/** The clients that call hooks. */
const clientNames = ['claude-code', 'codex', 'gemini-cli', 'cursor', 'opencode'] as const;

/** The input of a hook in a form common to all clients, with the fields used here. */
export type HookEvent = {
  client: (typeof clientNames)[number];
  session: string;
  folder: string;
  /** Why the session starts; only in a session-start event. */
  source: string | null;
  /** The client's input with its own field names. */
  payload: Record<string, unknown>;
};

/** Null if the input is not that of a known client. */
export function parseHookEvent(
  text: string,
  clientArgument: string,
  variables: NodeJS.ProcessEnv,
): HookEvent | null {
  let input: unknown;
  try {
    input = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof input !== 'object' || input === null) return null;
  const { session_id, conversation_id, cwd, workspace_roots, source } = input as Record<string, unknown>;
  // Cursor sends the open folders and the id of the conversation instead.
  const session = session_id ?? conversation_id;
  const folder = cwd ?? (Array.isArray(workspace_roots) ? workspace_roots[0] : undefined);
  if (typeof session !== 'string' || session === '' || typeof folder !== 'string') return null;
  return {
    client: detectClient(clientArgument, input, variables),
    session,
    folder,
    source: typeof source === 'string' ? source : null,
    payload: input as Record<string, unknown>,
  };
}

/** Codex sends turn ids; Claude Code sets an environment variable. */
export function detectClient(
  clientArgument: string,
  input: object,
  variables: NodeJS.ProcessEnv,
): HookEvent['client'] {
  const known = clientNames.find((name) => name === clientArgument);
  if (known !== undefined) return known;
  if (variables['CLAUDECODE'] !== undefined) return 'claude-code';
  return 'turn_id' in input || variables['PLUGIN_ROOT'] !== undefined ? 'codex' : 'claude-code';
}
