import { z } from 'zod';
import { changeValue } from '../contract/index.ts';
import { childPath, count, nameOf, revisionOf, showPath } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { failure, success } from './changing.ts';
import { defineWriteTool } from './define-tool.ts';
import { explainMissing, namePath } from './name-path.ts';
import { readBelow } from './read-below.ts';
import { relink } from './relink.ts';
import type { Relinked } from './relink.ts';

export const move = defineWriteTool({
  name: 'move',
  title: 'Move a file or folder',
  description: [
    'Moves or renames a file, or a folder with everything in it. Links to it, and in it, are rewritten so that they lead where',
    'they led. Never replaces anything. Example:',
    '{"from": "vault/bucket/specs.md", "to": "vault/projects/startup-x/bucket/specs.md"}',
  ].join(' '),
  input: z.strictObject({
    from: z.string().describe('A file or folder'),
    to: z.string().describe('Its new path; an existing folder to put it into'),
  }),
  output: changeValue,
  async run({ from, to }, run) {
    const [source, target] = [namePath(from), namePath(to)];
    if (!source.ok) return failure(source.error);
    if (!target.ok) return failure(target.error);
    if (run.view.layout().isFixed(source.path))
      return failure({ path: source.shown, message: 'it belongs to every vault and cannot be moved' });
    const present = await run.view.read(source.path);
    if (present.kind === 'missing') return failure(await explainMissing(run)(source));
    if (present.kind === 'refused') return failure({ path: source.shown, message: present.reason });

    const there = await run.view.read(target.path);
    const isInto = there.kind === 'folder' || (to.endsWith('/') && present.kind === 'file');
    const path = isInto ? childPath(target.path, nameOf(source.path)) : target.path;
    if (`${path}/`.startsWith(`${source.path}/`))
      return failure({ path: source.shown, message: 'it cannot be moved into itself' });
    const taken = isInto ? await run.view.read(path) : there;
    if (taken.kind === 'refused') return failure({ path: target.shown, message: taken.reason });
    if (taken.kind !== 'missing') {
      const isCaseOnly = path !== source.path && path.toLowerCase() === source.path.toLowerCase();
      const message = isCaseOnly
        ? 'the names differ only in case, and something is there already; move it to another name first'
        : 'it exists already and is not replaced; choose another name';
      return failure({ path: showPath(path), message });
    }

    const below = await readBelow(run, source.path, present.kind === 'folder');
    if ('error' in below) return failure(below.error);
    const moves = new Map<VaultPath, VaultPath>();
    for (const file of below.files) {
      const destination = (path + file.path.slice(source.path.length)) as VaultPath;
      const staged = run.transaction.move(file.path, destination, file.bytes);
      if (!staged.ok) return failure({ path: showPath(destination), message: staged.reason });
      run.shown.forget(file.path);
      moves.set(file.path, destination);
    }
    for (const folder of below.folders) run.transaction.removeFolder(folder);
    const relinked = await relink(run, moves);
    const moved = below.files.map((file) => {
      const now = moves.get(file.path) ?? path;
      const revision = revisionOf(relinked.files.get(now) ?? file.bytes);
      return { path: showPath(now), kind: 'moved' as const, revision, from: showPath(file.path) };
    });
    const destinations = new Set(moves.values());
    const changed = [...relinked.files]
      .filter(([note]) => !destinations.has(note))
      .map(([note, bytes]) => ({
        path: showPath(note),
        kind: 'changed' as const,
        revision: revisionOf(bytes),
      }));
    const what = present.kind === 'folder' ? ` (${count(below.files.length, 'file')})` : '';
    const said = `moved ${source.shown} to ${showPath(path)}${what}${tell(relinked)}`;
    const result = success(said, [...moved, ...changed]);
    return { ...result, value: { ...result.value, links: relinked.links } };
  },
});

function tell({ links, files }: Relinked): string {
  return links === 0 ? '' : `; ${count(links, 'link')} in ${count(files.size, 'note')} rewritten`;
}
