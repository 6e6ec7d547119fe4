/** Through which door a call comes: it decides how the answer speaks of other tools. Agents of ours and programs know their names. */
export type Door = 'tools' | 'mcp' | 'command-line';

const commands: Record<string, string> = { search: 'find', move: 'mv', delete: 'rm' };

/** What a tool is called by whoever reads the answer. */
export function toolName(tool: string, door: Door): string {
  switch (door) {
    case 'tools':
      return tool;
    case 'mcp':
      return `vault_${tool}`;
    case 'command-line':
      return `keepsake ${commands[tool] ?? tool}`;
  }
}
