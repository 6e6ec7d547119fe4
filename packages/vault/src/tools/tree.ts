import { z } from 'zod';
import { treeOutput } from '../contract/index.ts';
import type { PathError } from '../contract/index.ts';
import {
  findFile,
  buildFileRow,
  findFolder,
  renderTree,
  rootPath,
  renderTreeWithin,
} from '../vault/index.ts';
import type { RenderedTree, VaultPath } from '../vault/index.ts';
import { defineReadTool, formatPathError } from './define-tool.ts';
import { toolName } from './tool-names.ts';
import { createMissingPathErrors, parsePathArgument } from './path-argument.ts';
import type { Run } from './run.ts';

const input = z.strictObject({
  path: z.string().nullish().describe('Folder or file. Default: the whole vault'),
  depth: z
    .int()
    .nonnegative({ error: 'must be 0 or more; omit it to expand everything' })
    .nullish()
    .describe('Number of levels to expand; 0 lists only the folder itself. Default: all'),
});

export const treeTool = defineReadTool({
  name: 'tree',
  title: 'List files',
  description: [
    'List files and folders with token count and modification date. Use it to explore the vault and to estimate the size of a',
    'read. Example: {"path": "vault/projects/", "depth": 1}',
  ].join(' '),
  input,
  output: treeOutput,
  async run({ path, depth }, run) {
    const named = parsePathArgument(path ?? rootPath, run.view);
    const found = named.ok
      ? await treeAt(named.path, named.displayPath, depth ?? null, run)
      : { error: named.error };
    if ('error' in found)
      return {
        text: formatPathError(found.error),
        images: [],
        value: { entries: [], errors: [found.error] },
      };
    const entries = found.rows.map(({ item }) => item).filter((item) => item !== null);
    return { text: found.text, images: [], value: { entries, errors: [] } };
  },
});

/**
 * A tree gets only a share of the result limit, because file names are worth less of a model's context than file
 * content.
 */
const treeTokenShare = 1 / 4;

async function treeAt(
  path: VaultPath,
  displayPath: string,
  depth: number | null,
  run: Run,
): Promise<RenderedTree | { error: PathError }> {
  // The whole vault is served from the catalogue; a single folder is rescanned.
  const contents = await run.view.contents(path === rootPath ? undefined : path);
  const folder = findFolder(contents, path);
  if (folder !== undefined) {
    const characters = run.bounds.tokens * treeTokenShare * 4;
    return renderTreeWithin(folder, depth, characters, (tool) => toolName(tool, run.toolInterface));
  }
  const entry = findFile(contents, path);
  if (entry !== undefined) {
    const rows = [buildFileRow(path, entry)];
    return { rows, text: renderTree(rows) };
  }
  return run.view.withEntry(path, async (viewed) => {
    const isRefused = viewed.kind === 'refused';
    return {
      error: isRefused
        ? { path: displayPath, message: viewed.reason }
        : await createMissingPathErrors(run)({ path, displayPath }),
    };
  });
}
