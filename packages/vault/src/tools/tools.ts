import { appendTool } from './append.ts';
import { concatTool } from './concat.ts';
import type { ReadTool, Tool } from './define-tool.ts';
import { deleteTool } from './delete.ts';
import { editTool } from './edit.ts';
import { moveTool } from './move.ts';
import { readTool } from './read.ts';
import { inputWithoutMode, searchTool } from './search.ts';
import { todayTool } from './today.ts';
import { nameTools } from './tool-names.ts';
import type { ToolInterface } from './tool-names.ts';
import { treeTool } from './tree.ts';
import { writeTool } from './write.ts';

/** All tools, in the order in which they are listed. */
export const tools: readonly Tool[] = [
  treeTool,
  readTool,
  searchTool,
  concatTool,
  todayTool,
  writeTool,
  editTool,
  appendTool,
  moveTool,
  deleteTool,
];

/** How a tool is advertised to models: tools have their names there, and a parameter that has no effect is left out. */
export function describeTool(
  tool: Tool,
  { hasEmbedder, toolInterface }: { hasEmbedder: boolean; toolInterface: ToolInterface },
): Pick<Tool, 'name' | 'title' | 'description' | 'input'> {
  const { name, title, input } = tool;
  return {
    name,
    title,
    description: nameTools(tool.description, toolInterface),
    input: tool === searchTool && !hasEmbedder ? inputWithoutMode : input,
  };
}

/** Returns a read tool by its name; throws when there is none. */
export function getReadTool(name: string): ReadTool {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool?.effect !== 'read') throw new Error(`no read tool is named ${name}`);
  return tool;
}

/** The tools of the update agent. */
export const updateTools: readonly Tool[] = tools.filter(({ name }) => name !== 'concat' && name !== 'today');
