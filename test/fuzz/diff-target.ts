import { mergeLines } from '../../packages/vault/src/changes/merge-lines.ts';
import { diffLines, internLines } from '../../packages/vault/src/contract/index.ts';
import { splitLines, unifiedDiff } from '../../packages/vault/src/vault/index.ts';
import { must } from './target.ts';
import type { Target } from './target.ts';

/** Three texts separated by NUL: the common base and the versions of both sides. */
export const diff: Target = {
  full: 60_000,
  maxBytes: 2_000,
  words: [
    '\0',
    '\0\0',
    '\n',
    '\r\n',
    '\n\n',
    'a\n',
    'b\n',
    '## Entry\n',
    '\n## Entry\nwhat happened\n',
    '- [ ] task\n',
    '-a\n',
    '+a\n',
    '@@ -1,1 +1,1 @@\n',
    '\\ x\n',
    '---\nupdated: 1\n---\n',
  ],
  open: () => ({
    run(input) {
      const [base = '', wanted = '', present = ''] = input.toString('utf8').split('\0');
      mustLead(base, wanted);
      mustShow(base, wanted);
      for (const stacks of [false, true]) mustMerge(base, wanted, present, stacks);
    },
  }),
};

function mustLead(base: string, wanted: string): void {
  const [old, fresh] = [base.split('\n'), wanted.split('\n')];
  const [a, b] = internLines(old, fresh) as [Int32Array, Int32Array];
  const made: string[] = [];
  let at = 0;
  for (const edit of diffLines(a, b).edits) {
    made.push(...old.slice(at, edit.old.start), ...fresh.slice(edit.new.start, edit.new.end));
    at = edit.old.end;
  }
  must(
    [...made, ...old.slice(at)].join('\n') === wanted,
    'the edits between two texts lead from one to the other',
  );
}

/** Applies the displayed diff as `patch` would. */
function mustShow(base: string, wanted: string): void {
  const shown = unifiedDiff('vault/x.md', Buffer.from(base), Buffer.from(wanted)).split('\n').slice(2);
  must(shown.join('\n').length < 110_000, 'a diff is bounded');
  if (shown.some((line) => line.startsWith('\\'))) return;
  const old = splitLines(base);
  const made: string[] = [];
  let at = 0;
  for (const line of shown) {
    const start = /^@@ -(\d+),(\d+) /.exec(line);
    if (start !== null) {
      const first = Number(start[2]) === 0 ? Number(start[1]) : Number(start[1]) - 1;
      while (at < first) made.push(old[at++] ?? '');
    } else if (line.startsWith('+')) made.push(line.slice(1));
    else {
      must(old[at] === line.slice(1), 'a diff shows the lines that are there');
      if (line.startsWith(' ')) made.push(line.slice(1));
      at += 1;
    }
  }
  must(
    [...made, ...old.slice(at)].join('\n') === splitLines(wanted).join('\n'),
    'a diff that is applied gives the new text',
  );
}

function mustMerge(base: string, wanted: string, present: string, stacks: boolean): void {
  const merged = mergeLines(base, wanted, present, stacks);
  if (!merged.ok) {
    must(merged.conflicts.length > 0, 'a merge that fails says where');
    return;
  }
  const count = (text: string): Map<string, number> => {
    const counts = new Map<string, number>();
    for (const line of text.split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1);
    return counts;
  };
  const [inBase, inMerged] = [count(base), count(merged.text)];
  for (const side of [wanted, present])
    for (const line of count(side).keys())
      must(inBase.has(line) || inMerged.has(line), 'a merge loses no line that a side has added');
  if (wanted === present || present === base)
    must(merged.text === wanted, 'if one side is unchanged, the other wins');
}
