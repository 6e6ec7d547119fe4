/** The clients whose sessions are known. */
const clientNames = ['claude-code', 'codex', 'gemini-cli', 'cursor', 'opencode'] as const;

/** What a client tells a hook, whichever client it is; only what is used here. */
export type HookEvent = {
  client: (typeof clientNames)[number];
  session: string;
  folder: string;
  /** At the start: why it starts. */
  source: string | null;
  /** What the client says, by its own names. */
  said: Record<string, unknown>;
};

/** Null for what no client says. */
export function parseEvent(text: string, named: string, variables: NodeJS.ProcessEnv): HookEvent | null {
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof said !== 'object' || said === null) return null;
  const { session_id, conversation_id, cwd, workspace_roots, source } = said as Record<string, unknown>;
  // Cursor names the folders that are open, and the conversation.
  const session = session_id ?? conversation_id;
  const folder = cwd ?? (Array.isArray(workspace_roots) ? workspace_roots[0] : undefined);
  if (typeof session !== 'string' || session === '' || typeof folder !== 'string') return null;
  return {
    client: clientOf(named, said, variables),
    session,
    folder,
    source: typeof source === 'string' ? source : null,
    said: said as Record<string, unknown>,
  };
}

/** Codex names its turns, and Claude Code says of itself that it is there. */
export function clientOf(named: string, said: object, variables: NodeJS.ProcessEnv): HookEvent['client'] {
  const known = clientNames.find((name) => name === named);
  if (known !== undefined) return known;
  if (variables['CLAUDECODE'] !== undefined) return 'claude-code';
  return 'turn_id' in said || variables['PLUGIN_ROOT'] !== undefined ? 'codex' : 'claude-code';
}
