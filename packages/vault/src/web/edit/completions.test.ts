import { CompletionContext } from '@codemirror/autocomplete';
import type { CompletionResult } from '@codemirror/autocomplete';
import { EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { headingsOf, linkName, noteCompletions, personName } from './completions.ts';
import type { VaultNames } from './completions.ts';
import { noteLanguage } from './note-language.ts';

const files = [
  'garden.md',
  'projects/roof/state.md',
  'projects/tiles/state.md',
  'people/lea-martin.md',
  'pump.png',
];
const names: VaultNames = {
  path: 'garden.md',
  files: () => files,
  peopleFolder: () => 'people',
  read: (path) => Promise.resolve(`# Of ${path}\n\n## [[Link]] #tag\n`),
  tags: () => Promise.resolve(['pump', 'water']),
  templates: () => ['templates/call.md'],
  fillTemplate: (path) => Promise.resolve(`filled ${path}`),
};

/** The labels that are offered after a text, and where they start. */
async function complete(text: string): Promise<{ from: string; labels: string[] } | null> {
  const state = EditorState.create({ doc: text, extensions: noteLanguage() });
  const context = new CompletionContext(state, text.length, false);
  for (const source of noteCompletions(names)) {
    const result: CompletionResult | null = await source(context);
    if (result !== null)
      return { from: text.slice(result.from), labels: result.options.map(({ label }) => label) };
  }
  return null;
}

describe('completion in a note', () => {
  it.each([
    ['See [[st', 'st', ['garden', 'state', 'state', 'lea-martin']],
    ['![[p', 'p', ['garden', 'state', 'state', 'lea-martin', 'pump.png']],
    ['[[roof/state#o', 'o', ['Of projects/roof/state.md', 'Link tag']],
    ['# Here\n\n[[#', '', ['Here']],
    ['a #wa', '#wa', ['#pump', '#water']],
    ['With @le', '@le', ['@Lea Martin']],
    ['a\n/ca', '/ca', ['/call']],
  ])('after %j', async (text, from, labels) => {
    expect(await complete(text)).toEqual({ from, labels });
  });

  it.each(['#', 'a#b', 'mail@le', '[[closed]] ', '```\n[[a', '    #a', 'and/or', 'https://a.b/#c'])(
    'is not offered after %j',
    async (text) => {
      expect(await complete(text)).toBeNull();
    },
  );

  it('names a note as shortly as is clear from the edited one', () => {
    expect(linkName('garden.md', names)).toBe('garden');
    expect(linkName('projects/roof/state.md', names)).toBe('roof/state');
    expect(linkName('projects/roof/state.md', { ...names, path: 'projects/roof/plan.md' })).toBe('state');
  });

  it('reads headings and names of people', () => {
    expect(headingsOf('# One #\n```\n# no\n```\ntext\n### a|b [c]')).toEqual(['One', 'a b c']);
    expect(personName('people/lea-martin.md')).toBe('Lea Martin');
    expect(personName('People/Léa M.md')).toBe('Léa M');
  });
});
