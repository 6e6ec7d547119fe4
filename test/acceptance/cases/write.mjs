import { changelog, files, state, tasks } from './vault.mjs';

const statePath = 'projects/startup-x/state.md';
export const cases = [
  {
    name: 'edit by numbered lines',
    files,
    batch: [
      { tool: 'read', input: { paths: statePath } },
      {
        tool: 'edit',
        input: {
          path: statePath,
          old: '10 | ## Focus actuel\n11 | Intégration du module de paiement',
          new: '## Focus actuel\nMise en production',
        },
      },
    ],
    results: [{ ok: true }, { ok: true, text: ['11 | Mise en production'] }],
    after: {
      [statePath]: (text) =>
        text.includes('## Focus actuel\nMise en production\n\n## Ce qui bloque') &&
        !text.includes('Intégration'),
    },
  },
  {
    name: 'an edit without a read is refused',
    files,
    batch: [{ tool: 'edit', input: { path: statePath, old: '8  | actif', new: 'pause' } }],
    results: [{ ok: false, text: /read/i }],
    exit: 1,
    after: { [statePath]: state },
  },
  {
    name: 'text that moved but is unique is found',
    files,
    batch: [
      { tool: 'read', input: { paths: statePath } },
      {
        tool: 'edit',
        input: {
          path: statePath,
          old: '7  | ## Statut global\n8  | actif',
          new: '## Statut global\nligne\nactif',
        },
      },
      { tool: 'edit', input: { path: statePath, old: '10 | ## Focus actuel', new: '## Focus' } },
    ],
    results: [{ ok: true }, { ok: true }, { ok: true }],
    after: { [statePath]: ['ligne\nactif', '## Focus\n'] },
  },
  {
    name: 'ambiguous text without numbers is refused',
    files,
    batch: [
      { tool: 'read', input: { paths: 'tasks.md' } },
      { tool: 'edit', input: { path: 'tasks.md', old: 'prio: haute', new: 'prio: basse' } },
    ],
    results: [{ ok: true }, { ok: false, text: /2/ }],
    exit: 1,
    after: { 'tasks.md': tasks },
  },
  {
    name: 'text that does not match is refused and the present lines are shown',
    files,
    batch: [
      { tool: 'read', input: { paths: statePath } },
      { tool: 'edit', input: { path: statePath, old: '8  | en pause', new: 'actif' } },
    ],
    results: [{ ok: true }, { ok: false, text: /8  \| actif/ }],
    exit: 1,
    after: { [statePath]: state },
  },
  {
    name: 'append on top goes after the frontmatter, without a read',
    files,
    batch: [
      {
        tool: 'append',
        input: {
          path: 'changelog.md',
          content: '# 2025-07-15\n\n## Nouvelle entrée\nTexte.\n',
          position: 'top',
        },
      },
    ],
    results: [{ ok: true }],
    after: {
      'changelog.md': (text) =>
        /^---\n[\s\S]*?\n---\n\n# 2025-07-15\n\n## Nouvelle entrée\nTexte\.\n\n# 2025-07-14\n/.test(text) &&
        text.endsWith(changelog.slice(changelog.indexOf('# 2025-07-14'))),
    },
  },
  {
    name: 'append at the bottom',
    files,
    batch: [
      {
        tool: 'append',
        input: { path: 'tasks.md', content: '# Relancer Paul\nstatus: à-faire', position: 'bottom' },
      },
    ],
    results: [{ ok: true }],
    after: { 'tasks.md': /deadline: 2025-07-18\n\n# Relancer Paul\nstatus: à-faire\n$/ },
  },
  {
    name: 'append to a missing file is refused',
    files,
    batch: [{ tool: 'append', input: { path: 'bucket/none.md', content: 'x', position: 'top' } }],
    results: [{ ok: false }],
    exit: 1,
    after: { 'bucket/none.md': null },
  },
  {
    name: 'write creates parents and frontmatter',
    files,
    batch: [
      {
        tool: 'write',
        input: {
          path: 'projects/appart-search/description.md',
          content: '# appart-search\nTrouver un appartement.\n',
        },
      },
    ],
    results: [{ ok: true }],
    after: {
      'projects/appart-search/description.md':
        /^---\n(?=[\s\S]*created: \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\n)(?=[\s\S]*updated: \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\n)(?=[\s\S]*tokens: \d+\n)[\s\S]*?---\n\n?# appart-search\n/,
    },
  },
  {
    name: 'replacing an unread file is refused',
    files,
    batch: [{ tool: 'write', input: { path: 'tasks.md', content: '# x\n' } }],
    results: [{ ok: false, text: /read/i }],
    exit: 1,
    after: { 'tasks.md': tasks },
  },
  {
    name: 'move takes the file along and never clobbers',
    files,
    batch: [
      {
        tool: 'move',
        input: { from: 'projects/startup-x/bucket/email-specs.md', to: 'bucket/email-specs.md' },
      },
      { tool: 'move', input: { from: 'projects/startup-x/state.md', to: 'tasks.md' } },
    ],
    results: [{ ok: true }, { ok: false }],
    exit: 1,
    after: {
      'bucket/email-specs.md': /Specs v2\.1/,
      'projects/startup-x/bucket/email-specs.md': null,
      'tasks.md': /Appeler le comptable/,
    },
  },
  {
    name: 'delete removes a folder',
    files: { ...files, 'inbox/2025-07-14-vocal/review.md': '# ?\n' },
    batch: [{ tool: 'delete', input: { path: 'inbox/2025-07-14-vocal/' } }],
    results: [{ ok: true }],
    after: { 'inbox/2025-07-14-vocal/review.md': null },
  },
  {
    name: 'root files cannot be deleted',
    files,
    batch: [{ tool: 'delete', input: { path: 'changelog.md' } }],
    results: [{ ok: false }],
    exit: 1,
    after: { 'changelog.md': changelog },
  },
  {
    name: 'nothing is written outside',
    files,
    batch: [
      { tool: 'write', input: { path: '../outside.md', content: 'x' } },
      { tool: 'write', input: { path: 'vault/.git/hooks/post-commit', content: 'x' } },
    ],
    results: [{ ok: false }, { ok: false }],
    exit: 1,
    after: { '../outside.md': null, '.git/hooks/post-commit': null },
  },
  {
    name: 'tree.md is not for writing',
    files,
    batch: [{ tool: 'write', input: { path: 'tree.md', content: 'x' } }],
    results: [{ ok: false }],
    exit: 1,
  },
  {
    name: 'only created, updated and tokens change in the frontmatter',
    files: { 'bucket/n.md': '---\r\ntype: email   # from Marie\r\ntags: [a,   b]\r\n---\r\n\r\nhello\r\n' },
    batch: [{ tool: 'append', input: { path: 'bucket/n.md', content: 'world', position: 'bottom' } }],
    results: [{ ok: true }],
    after: { 'bucket/n.md': ['type: email   # from Marie\r\ntags: [a,   b]\r\n', 'hello\r\n'] },
  },
];
