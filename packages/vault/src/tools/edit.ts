import { z } from 'zod';
import { changeValue } from '../contract/index.ts';
import { splitLines } from '../vault/index.ts';
import { failure, noteChange, presentLines, showAround, success, textAt } from './changing.ts';
import { defineWriteTool } from './define-tool.ts';
import { namePath } from './name-path.ts';
import { mostPlaces, placeEdit } from './place-edit.ts';
import { isNotOnlyLineEnds, storedText } from './stored-text.ts';
import { showRange } from './take-range.ts';

/** Of lines that `old` names and that are not there; it may name any. */
const maxLinesNear = 20;

export const edit = defineWriteTool({
  name: 'edit',
  title: 'Edit a file',
  description: [
    'Replaces lines that were shown. old is copied from read or search, numbers included; the numbers say where, the',
    'text must match exactly. new is plain text without numbers; to insert, repeat the line and put the new ones below it. Example: {"path": "vault/tasks.md",',
    '"old": "8  | status: à-faire | prio: haute", "new": "status: en-cours | prio: haute"}',
  ].join(' '),
  input: z.strictObject({
    path: z.string().describe('A file whose lines were shown before'),
    old: storedText()
      .refine(isNotOnlyLineEnds, { error: 'must not be empty; copy the lines to replace as they were shown' })
      .describe('The lines to replace, as they were shown'),
    new: storedText().describe('What to put in their place, without line numbers; empty to remove them'),
  }),
  output: changeValue,
  async run({ path: input, old, new: replacement }, run) {
    const named = namePath(input);
    if (!named.ok) return failure(named.error);
    const { path, shown } = named;
    const present = await textAt(run, named);
    if ('error' in present) return failure(present.error);
    if (!run.shown.has(path))
      return failure({
        path: shown,
        message: 'read it before you edit it: old must be copied from lines that were shown',
      });
    const before = presentLines(present.bytes);
    const placed = placeEdit(present.text, old, replacement);
    if (placed.kind === 'ambiguous') {
      const { places } = placed;
      const times = places.length > mostPlaces ? `more than ${mostPlaces}` : places.length;
      const lines = places.slice(0, mostPlaces).join(', ');
      const message = `the text occurs ${times} times, at lines ${lines}; copy it with its line numbers`;
      return failure({ path: shown, message });
    }
    if (placed.kind === 'numbered-replacement')
      return failure({
        path: shown,
        message:
          'new seems to carry line numbers, which go on after those of old; leave them out, or, if they are part of the text, give old without its numbers',
      });
    if (placed.kind === 'missing') {
      const { near } = placed;
      const message = 'the text is not there, or not exactly so';
      if (near === null || before.lines.length === 0)
        return failure({ path: shown, message: `${message}; read it and copy the lines as they are shown` });
      const start = Math.min(near.start, before.lines.length);
      const end = Math.min(near.end, before.lines.length, start + maxLinesNear);
      const around = showAround(run, path, before, { start, end });
      return failure({ path: shown, message: `${message}; this is what stands there now` }, `\n\n${around}`);
    }
    const unseen = run.shown.unseen(path, before, placed.replaced);
    if (unseen !== null) {
      const lines = showRange(unseen);
      const message = `lines ${lines} were not shown; read ${shown}:${lines} before you replace them`;
      return failure({ path: shown, message });
    }
    const staged = run.transaction.put(path, present.bytes, Buffer.from(placed.text));
    if (!staged.ok) return failure({ path: shown, message: staged.reason });
    const change = noteChange(run, path, present.bytes, staged.bytes);
    const now = presentLines(staged.bytes);
    // Stamps that were added push everything below them down.
    const shift = now.lines.length - splitLines(placed.text).length;
    const moved =
      placed.movedFrom === null ? '' : `; the lines had moved from ${placed.movedFrom} to ${placed.first}`;
    const unnumbered = placed.isUnnumbered ? '; the line numbers in new were taken off' : '';
    const around = showAround(run, path, now, { start: placed.first + shift, end: placed.last + shift });
    return success(`edited ${shown}${moved}${unnumbered}\n\n${around}`, [change]);
  },
});
