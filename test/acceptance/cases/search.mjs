import { files } from './vault.mjs';

const big = {
  ...files,
  'projects/appart-search/state.md': '## Statut global\nbloqué\n\n## Focus actuel\nVisites rue de Rivoli\n',
  'projects/appart-search/changelog.md':
    '# 2025-06-02\n\n## [décision] Élargir la recherche au 11e\nLes prix du 4e sont trop hauts.\n',
  'inbox/2025-07-14-x/review.md': '# Rivoli\nsecret-inbox Rivoli\n',
};
const find = (input, text, extra = {}) => ({ files: big, call: 'search', input, text, ...extra });

export const cases = [
  {
    name: 'a tag is found literally',
    ...find({ queries: ['[décision]'], mode: 'fast' }, [
      'vault/projects/startup-x/changelog.md',
      'vault/projects/appart-search/changelog.md',
    ]),
  },
  {
    name: 'accents do not matter',
    ...find({ queries: ['decision'], mode: 'fast' }, ['vault/projects/startup-x/changelog.md']),
  },
  {
    name: 'a question finds its answer without every word',
    ...find({ queries: ["pourquoi a-t-on abandonné l'API externe du prestataire ?"], mode: 'fast' }, [
      "[décision] Abandon de l'API externe",
    ]),
  },
  {
    name: 'scopes are path patterns',
    ...find({ queries: ['décision'], mode: 'fast', scopes: ['projects/appart-search/*'] }, [
      /appart-search/,
      /^(?![\s\S]*startup-x)/,
    ]),
  },
  {
    name: 'one kind of file across projects',
    // Accents never decide; the word with the accents that were typed is first.
    ...find({ queries: ['bloqué'], mode: 'fast', scopes: ['vault/projects/*/state.md'] }, [
      /^\S*vault\/projects\/appart-search\/state\.md/,
      /^(?![\s\S]*tasks\.md)/,
    ]),
  },
  {
    name: 'a folder scope covers what is under it',
    ...find({ queries: ['specs'], mode: 'fast', scopes: ['projects/startup-x/'] }, [
      'vault/projects/startup-x/bucket/email-specs.md',
    ]),
  },
  {
    name: 'a task is a section of its own',
    ...find({ queries: ['maquettes Marie'], mode: 'fast', scopes: ['tasks.md'] }, [
      'Valider les maquettes avec Marie',
      /^10 +\| #/m,
    ]),
  },
  {
    name: 'the inbox is not searchable',
    ...find({ queries: ['secret-inbox'], mode: 'fast' }, /^(?![\s\S]*inbox\/2025)/),
  },
  {
    // A model has them in its context, so a note only says where the words are.
    name: 'overview and profile are named in a note, but no result',
    ...find(
      { queries: ['Overview', 'Profile'], mode: 'fast' },
      /^(?![\s\S]*(?:^|\n)(?!note: )[^\n]*vault\/(overview|profile)\.md)/,
    ),
  },
  { name: 'no query is refused', ...find({ queries: [], mode: 'fast' }, undefined, { exit: 2 }) },
  {
    name: 'a malformed pattern is refused by name',
    ...find({ queries: ['x'], mode: 'fast', scopes: ['projects/[a'] }, undefined, { exit: 2 }),
  },
  {
    name: 'a scope that matches nothing is ignored',
    ...find({ queries: ['bloqué'], mode: 'fast', scopes: ['nowhere/*', 'projects/*/state.md'] }, [
      'vault/projects/appart-search/state.md',
    ]),
  },
  {
    name: 'hostile queries do not break it',
    ...find({ queries: ['"', '* OR NEAR(', "a' AND 1=1 --", '-', '^:@#'], mode: 'fast' }, undefined),
  },
  {
    name: 'deep without a model still answers and says so',
    ...find({ queries: ['abandon API externe'], mode: 'deep' }, [
      'vault/projects/startup-x/changelog.md',
      /model/i,
    ]),
  },
  {
    name: 'a write is searchable in the next call',
    files: big,
    steps: [
      {
        batch: [
          {
            tool: 'write',
            input: { path: 'bucket/nouveau.md', content: '# Zébulon\nUn mot rare : quetzalcoatl.\n' },
          },
        ],
        results: [{ ok: true }],
      },
      {
        call: 'search',
        input: { queries: ['quetzalcoatl'], mode: 'fast' },
        text: ['vault/bucket/nouveau.md'],
      },
    ],
  },
];
