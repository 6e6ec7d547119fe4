import { z } from 'zod';
import { changeValue } from '../contract/index.ts';
import { childPath, count, nameOf, revisionOf, showPath, isFixed } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { failure, success } from './changing.ts';
import { defineWriteTool } from './define-tool.ts';
import { linksTo } from './links-to.ts';
import { explainMissing, namePath } from './name-path.ts';
import { readBelow } from './read-below.ts';

export const move = defineWriteTool({
  name: 'move',
  description: [
    'Moves or renames a file, or a folder with everything in it. Never replaces anything. Example:',
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
    if (isFixed(source.path))
      return failure({ path: source.shown, message: 'it belongs to every vault and cannot be moved' });
    const present = await run.view.read(source.path);
    if (present.kind === 'missing') return failure(await explainMissing(run.view)(source));
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
    const links = await linksTo(run, new Set(below.files.map((file) => file.path)));
    const changes = [];
    for (const file of below.files) {
      const destination = (path + file.path.slice(source.path.length)) as VaultPath;
      const staged = run.transaction.move(file.path, destination, file.bytes);
      if (!staged.ok) return failure({ path: showPath(destination), message: staged.reason });
      run.shown.forget(file.path);
      changes.push({
        path: showPath(destination),
        kind: 'moved' as const,
        revision: revisionOf(file.bytes),
        from: showPath(file.path),
      });
    }
    for (const folder of below.folders) run.transaction.removeFolder(folder);
    const what = present.kind === 'folder' ? ` (${count(below.files.length, 'file')})` : '';
    const note = links === '' ? '' : `\n\n${links}`;
    return success(`moved ${source.shown} to ${showPath(path)}${what}${note}`, changes);
  },
});
