/** The interface a call came through. It decides how a result refers to other tools: `tree`, `vault_tree` or `keepsake tree`. */
export type ToolInterface = 'tools' | 'mcp' | 'command-line';

const commands: Record<string, string> = { search: 'find', move: 'mv', delete: 'rm' };

/** Names the tools of a text, which are in backticks there, as the given interface does. */
export function nameTools(text: string, toolInterface: ToolInterface): string {
  return text.replaceAll(/`(\w+)`/g, (_, tool: string) => toolName(tool, toolInterface));
}

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
