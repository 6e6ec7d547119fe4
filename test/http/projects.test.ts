import { expect, it } from 'vitest';
import { api } from '../../packages/vault/src/contract/index.ts';
import { httpVault } from './http-vault.ts';

it('the HTTP API lists projects with their status, next deadline and last change', async () => {
  const vault = await httpVault({
    'projects/roof/state.md':
      '---\nupdated: 2026-06-02T10:00:00\ntokens: 3\n---\n\n# Roof\n\n<!-- kept short -->\n\nTiles are ordered.\n',
    'projects/roof/tasks.md': [
      '# Call the roofer',
      'status: done | prio: high',
      'deadline: 2026-06-01',
      '',
      '# Payer',
      'status: en-cours | prio: haute',
      'échéance: 2026-06-20',
      '',
      '# Paint',
      'status: to-do',
      'deadline: 2026-06-09',
      '',
    ].join('\n'),
    'projects/garden/notes.md': '---\nupdated: 2026-06-03T10:00:00\ntokens: 3\n---\n\nNothing.\n',
    'projects/garden/description.md': '---\nupdated: 2026-06-03T10:00:00\ntokens: 3\n---\n\n# The garden\n',
    'projects/loose.md': 'no project\n',
  });
  expect(api.projects.parse(await vault.get('/projects'))).toEqual({
    projects: [
      {
        name: 'roof',
        title: 'roof',
        path: 'vault/projects/roof',
        status: 'Tiles are ordered.',
        deadline: { day: '2026-06-09', task: 'Paint' },
        updated: expect.any(String) as string,
      },
      {
        name: 'garden',
        title: 'The garden',
        path: 'vault/projects/garden',
        status: null,
        deadline: null,
        updated: '2026-06-03T10:00:00',
      },
    ],
  });
});
