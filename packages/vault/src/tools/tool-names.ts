/** The interface a call came through. It decides how a result refers to other tools: `tree`, `vault_tree` or `keepsake tree`. */
export type ToolInterface = 'tools' | 'mcp' | 'command-line';

const commands: Record<string, string> = { search: 'find', move: 'mv', delete: 'rm' };

/** The name of a tool in the given interface. */
export function toolName(tool: string, toolInterface: ToolInterface): string {
  switch (toolInterface) {
    case 'tools':
      return tool;
    case 'mcp':
      return `vault_${tool}`;
    case 'command-line':
      return `keepsake ${commands[tool] ?? tool}`;
  }
}
