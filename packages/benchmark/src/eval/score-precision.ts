import type { Scenario } from './filing-scenarios.ts';
import { bodyOf, comparable } from './note-text.ts';
import { shown, sumUp } from './outcome.ts';
import type { Dimension, Files, Outcome, Start } from './outcome.ts';
import { supportChecker } from './support.ts';
import { collapsed } from './wanted.ts';

/** Of the lines that were added, those in which every name, number and date was said, was there, or is allowed. */
export function precisionOf(
  { language, inputs, expect }: Scenario,
  start: Start,
  outcome: Outcome,
): Dimension {
  const added = addedLines(start.files, outcome.files);
  // Who adds nothing invents nothing: the dimension takes away, and gives nobody anything for writing much.
  if (added.length === 0) return { passed: 1, of: 1, problems: [] };
  const patterns = expect.facts.flatMap(({ pattern }) =>
    pattern === undefined ? [] : [new RegExp(pattern, 'giu')],
  );
  const expected = added.flatMap(({ line }) =>
    patterns.flatMap((pattern) => collapsed(line).match(pattern) ?? []),
  );
  const check = supportChecker(
    {
      texts: [
        // A number that code counted supports nothing.
        ...[...start.files].flatMap(([path, text]) => [path, comparable(path, text)]),
        ...start.documents,
        ...inputs.flatMap(({ text, files }) => [text, ...files]),
        ...expect.facts.flatMap(({ text }) => text ?? []),
        ...expect.allowed,
        ...expected,
      ],
      days: outcome.days,
    },
    language,
  );
  return sumUp(
    added.map(({ path, line }) => {
      const invented = check(line).map((each) => JSON.stringify(each));
      return invented.length === 0
        ? null
        : `${shown(path)} says ${invented.join(', ')}, which nobody said: ${line.trim()}`;
    }),
  );
}

/**
 * Lines that were nowhere in the vault, in whatever file they are now. Frontmatter and comments come from code, and a question
 * in the inbox claims nothing.
 */
function addedLines(before: Files, after: Files): { path: string; line: string }[] {
  const linesOf = (path: string, text: string): string[] =>
    comparable(path, bodyOf(text))
      .replaceAll(/<!--[\s\S]*?-->/g, '')
      .split('\n');
  const old = new Set([...before].flatMap(([path, text]) => linesOf(path, text)));
  return [...after].flatMap(([path, text]) =>
    path === 'tree.md' || path.startsWith('inbox/')
      ? []
      : linesOf(path, text).flatMap((line) => (line.trim() === '' || old.has(line) ? [] : [{ path, line }])),
  );
}
