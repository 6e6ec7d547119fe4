import { z } from 'zod';
import { changeOutput } from '../contract/index.ts';
import {
  childPath,
  pluralize,
  baseName,
  computeRevision,
  formatPath,
  parentPath,
  rootPath,
} from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { failureResult, successResult } from './write-results.ts';
import { defineWriteTool } from './define-tool.ts';
import { createMissingPathErrors, parsePathArgument } from './path-argument.ts';
import type { Run } from './run.ts';
import { readRecursively } from './read-recursively.ts';
import { updateLinks } from './update-links.ts';
import type { RelinkResult } from './update-links.ts';

export const moveTool = defineWriteTool({
  name: 'move',
  title: 'Move a file or folder',
  description: [
    'Move or rename a file, or a folder with its contents. Links to and inside the moved files are updated. Existing files are',
    'never overwritten. Example:',
    '{"from": "vault/bucket/specs.md", "to": "vault/projects/startup-x/bucket/specs.md"}',
  ].join(' '),
  input: z.strictObject({
    from: z.string().describe('File or folder to move'),
    to: z.string().describe('New path, or an existing folder to move it into'),
  }),
  output: changeOutput,
  async run({ from, to }, run) {
    const source = parsePathArgument(from, run.view);
    // The last name may be the present one in other capitals.
    const target = parsePathArgument(to, { resolveCase: (path) => resolveParentCase(run, path) });
    if (!source.ok) return failureResult(source.error);
    if (!target.ok) return failureResult(target.error);
    if (run.view.layout().isBuiltIn(source.path))
      return failureResult({
        path: source.displayPath,
        message: 'it is required by every vault and cannot be moved',
      });
    const current = await run.view.read(source.path);
    if (current.kind === 'missing') return failureResult(await createMissingPathErrors(run)(source));
    if (current.kind === 'refused')
      return failureResult({ path: source.displayPath, message: current.reason });

    const there = await run.view.read(target.path);
    const isInto = there.kind === 'folder' || (to.endsWith('/') && current.kind === 'file');
    const path = isInto ? childPath(run.view.resolveCase(target.path), baseName(source.path)) : target.path;
    if (`${path}/`.startsWith(`${source.path}/`))
      return failureResult({ path: source.displayPath, message: 'a folder cannot be moved into itself' });
    const existing = isInto ? await run.view.read(path) : there;
    if (existing.kind === 'refused')
      return failureResult({ path: target.displayPath, message: existing.reason });
    if (existing.kind !== 'missing') {
      const isCaseOnly = path !== source.path && path.toLowerCase() === source.path.toLowerCase();
      const message = isCaseOnly
        ? 'the names differ only in case; move it to a temporary name first'
        : 'it already exists; choose another name';
      return failureResult({ path: formatPath(path), message });
    }

    const below = await readRecursively(run, source.path, current.kind === 'folder');
    if ('error' in below) return failureResult(below.error);
    const moves = new Map<VaultPath, VaultPath>();
    for (const file of below.files) {
      const destination = (path + file.path.slice(source.path.length)) as VaultPath;
      const staged = run.transaction.move(file.path, destination, file.bytes);
      if (!staged.ok) return failureResult({ path: formatPath(destination), message: staged.reason });
      run.shownLines.forget(file.path);
      moves.set(file.path, destination);
    }
    for (const folder of below.folders) run.transaction.removeFolder(folder);
    const relinked = await updateLinks(run, moves);
    const moved = below.files.map((file) => {
      const now = moves.get(file.path) ?? path;
      const revision = computeRevision(relinked.files.get(now) ?? file.bytes);
      return { path: formatPath(now), kind: 'moved' as const, revision, from: formatPath(file.path) };
    });
    const destinations = new Set(moves.values());
    const changed = [...relinked.files]
      .filter(([note]) => !destinations.has(note))
      .map(([note, bytes]) => ({
        path: formatPath(note),
        kind: 'changed' as const,
        revision: computeRevision(bytes),
      }));
    const what = current.kind === 'folder' ? ` (${pluralize(below.files.length, 'file')})` : '';
    const summary = `moved ${source.displayPath} to ${formatPath(path)}${what}${formatRelinked(relinked)}`;
    const result = successResult(summary, [...moved, ...changed]);
    return { ...result, value: { ...result.value, links: relinked.links } };
  },
});

function resolveParentCase({ view }: Run, path: VaultPath): VaultPath {
  return path === rootPath ? path : childPath(view.resolveCase(parentPath(path)), baseName(path));
}

function formatRelinked({ links, files }: RelinkResult): string {
  return links === 0 ? '' : `; updated ${pluralize(links, 'link')} in ${pluralize(files.size, 'note')}`;
}
