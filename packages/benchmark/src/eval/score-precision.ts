import { collapseWhitespace, supportChecker } from '../../../vault/src/review/index.ts';
import type { Scenario } from './filing-scenarios.ts';
import { maskFrontmatter, stripMaintainedText } from './comparable-text.ts';
import { shown, sumUp } from './filing-outcome.ts';
import type { DimensionScore, VaultFiles, FilingOutcome, InitialState } from './filing-outcome.ts';
import { referenceRemover } from './note-references.ts';

/** The share of added lines in which every name, number and date is in an input, was in the vault, or is allowed. */
export function scorePrecision(
  { language, inputs, expect }: Scenario,
  start: InitialState,
  outcome: FilingOutcome,
): DimensionScore {
  const added = addedLines(start.files, outcome.files);
  // Adding nothing scores 1: this dimension only penalizes invention, and does not reward long texts.
  if (added.length === 0) return { passed: 1, of: 1, problems: [] };
  const patterns = expect.facts.flatMap(({ pattern }) =>
    pattern === undefined ? [] : [new RegExp(pattern, 'giu')],
  );
  const expected = added.flatMap(({ line }) =>
    patterns.flatMap((pattern) => collapseWhitespace(line).match(pattern) ?? []),
  );
  const check = supportChecker(
    {
      texts: [
        // Numbers that code maintains do not count as sources.
        ...[...start.files].flatMap(([path, text]) => [path, stripMaintainedText(path, text)]),
        ...start.documents,
        ...inputs.flatMap(({ text, files }) => [text, ...files]),
        ...expect.facts.flatMap(({ text }) => text ?? []),
        ...(outcome.times ?? []),
        ...expect.allowed,
        ...expected,
      ],
      days: outcome.days,
    },
    language,
  );
  const withoutReferences = referenceRemover(outcome.files);
  return sumUp(
    added.map(({ path, line }) => {
      const invented = check(withoutReferences(line)).map((each) => JSON.stringify(each));
      return invented.length === 0
        ? null
        : `unsupported in ${shown(path)}: ${invented.join(', ')}, in the line: ${line.trim()}`;
    }),
  );
}

/**
 * Lines that were in no file of the initial vault. Frontmatter and comments are excluded because code writes them, and the inbox because
 * its questions state no facts.
 */
function addedLines(before: VaultFiles, after: VaultFiles): { path: string; line: string }[] {
  const linesOf = (path: string, text: string): string[] =>
    stripMaintainedText(path, maskFrontmatter(text))
      .replaceAll(/<!--[\s\S]*?-->/g, '')
      // A mask in the place of a secret, which has a number.
      .replaceAll(/\[secret [^\]]*\]/g, '')
      .split('\n');
  const old = new Set([...before].flatMap(([path, text]) => linesOf(path, text)));
  return [...after].flatMap(([path, text]) =>
    path === 'tree.md' || path.startsWith('inbox/')
      ? []
      : linesOf(path, text).flatMap((line) => (line.trim() === '' || old.has(line) ? [] : [{ path, line }])),
  );
}
