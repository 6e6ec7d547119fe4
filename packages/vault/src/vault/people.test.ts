import { describe, expect, it } from 'vitest';
import { roomVault } from '../../../../test/room-vault.ts';
import type { Files } from '../../../../test/temporary-vault.ts';
import { findPeople } from './index.ts';

const people = async (files: Files) => findPeople((await roomVault(files)).view);

describe('findPeople', () => {
  it('lists pages with their titles and aliases', async () => {
    expect(
      await people({
        'people/soizic.md':
          '---\naliases:\n  - Maman\n  - "S. Le Gall"\n---\n\n# Soizic Le Gall\n\n# Other\n',
        'people/family/gerard.md': '---\ntitle: Gérard\naliases: Gégé\n---\n',
        'people/ines.md': '---\naliases: [Inès, 3]\n---\nText.\n',
        'people/photo.png': 'x',
        'notes/marie.md': '# Marie\n',
      }),
    ).toEqual({
      folder: 'vault/people',
      pages: [
        { path: 'vault/people/family/gerard.md', title: 'Gérard', aliases: ['Gégé'] },
        { path: 'vault/people/ines.md', title: 'ines', aliases: ['Inès'] },
        { path: 'vault/people/soizic.md', title: 'Soizic Le Gall', aliases: ['Maman', 'S. Le Gall'] },
      ],
    });
  });

  it.each(['People', '30 People', 'Personnes', '03 - Persons'])(
    'uses an existing folder %s',
    async (name) => {
      expect(await people({ [`${name}/ada.md`]: '# Ada\n' })).toMatchObject({
        folder: `vault/${name}`,
        pages: [{ title: 'Ada' }],
      });
    },
  );

  it('prefers people/, and the name that the vault has chosen', async () => {
    const files = { 'people/ada.md': '# Ada\n', '30 People/ben.md': '# Ben\n' };
    expect(await people(files)).toMatchObject({ pages: [{ title: 'Ada' }] });
    const identity = {
      id: '0190a0b0-0000-7000-8000-000000000001',
      version: 1,
      layout: { people: '30 People' },
    };
    expect(await people({ ...files, '.keepsake/vault.json': JSON.stringify(identity) })).toMatchObject({
      pages: [{ title: 'Ben' }],
    });
  });

  it('names the default folder if there is none', async () => {
    expect(await people({ 'People of interest.md': 'x\n', 'notes/People/x.md': 'x\n' })).toEqual({
      folder: 'vault/people',
      pages: [],
    });
  });
});
