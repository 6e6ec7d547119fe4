import { describe, expect, it } from 'vitest';
import { roomVault } from '../../../../test/room-vault.ts';
import type { RoomVault } from '../../../../test/room-vault.ts';
import { tools } from './index.ts';
import type { WriteRun } from './index.ts';

const project = 'vault/projects/x/changelog.md';
const files = {
  'changelog.md': '# 2025-09-02\n\n## Contract signed\n\n## [decision] Price 90\n',
  'projects/x/changelog.md': '# 2025-07-14\n\n## [décision] Price 80\nThe boiler.\n\n## Delivery\nIn June.\n',
};

/** Calls a tool and returns its error, or an empty string. */
async function errorOf(run: WriteRun, tool: string, input: object): Promise<string> {
  const outcome = await tools.find(({ name }) => name === tool)?.call(input, run);
  if (outcome?.kind !== 'result') throw new Error(`${tool} was refused`);
  return outcome.result.value.errors.map(({ path, message }) => `${path}: ${message}`).join('\n');
}

const entry = (line: string): string => `# 2025-09-03\n\n## Price 95\nreplaces: ${line}`;
const add = (run: WriteRun, line: string, path = 'changelog.md') =>
  errorOf(run, 'append', { path, content: entry(line), position: 'top' });
const seen = async (vault: RoomVault, path: string): Promise<WriteRun> => {
  const run = vault.writeRun('model');
  expect(await errorOf(run, 'read', { paths: [path] })).toBe('');
  return run;
};

describe('a `replaces:` line', () => {
  it('that names no entry is refused with the closest headings, and nothing is staged', async () => {
    const vault = await roomVault(files);
    const run = vault.writeRun('model');
    expect(await add(run, 'projects/x/changelog.md § [decision] Price 8')).toBe(
      `vault/changelog.md: replaces: no earlier entry is called "${project} § [decision] Price 8". Closest: ` +
        `"${project} § [décision] Price 80", "vault/changelog.md § [decision] Price 90", "${project} § Delivery". ` +
        'Copy the right one, or leave the line out',
    );
    expect(run.transaction.staged().size).toBe(0);
    expect(await add(run, 'projects/x/changelog.md § [décision] Price 80')).toBe('');
  });

  it.each([
    ['the entry itself', 'changelog.md § Price 95'],
    ['a file that is no changelog', 'projects/x/state.md § Delivery'],
    ['a wrong day', 'projects/x/changelog.md § 2025-07-15 / Delivery'],
  ])('that names %s is refused', async (_, line) => {
    const vault = await roomVault(files);
    expect(await add(vault.writeRun('model'), line)).toContain('no earlier entry is called');
  });

  it.each(['everything', '§ Delivery', '../x.md § Delivery'])(
    'of another form is refused: %s',
    async (line) => {
      const vault = await roomVault(files);
      expect(await add(vault.writeRun('model'), line)).toContain(
        `"replaces: ${line}" names no entry; write replaces: <path> § <heading>`,
      );
    },
  );

  it('is refused without a suggestion if there is no earlier entry', async () => {
    const vault = await roomVault({ 'changelog.md': '' });
    expect(await add(vault.writeRun('model'), 'changelog.md § A')).toContain('there is no earlier entry');
  });

  it('is refused in an edit and in a written file, also for a person', async () => {
    const vault = await roomVault(files);
    const run = await seen(vault, 'changelog.md');
    const edited = { path: 'changelog.md', old: '## Contract signed' };
    const wrong = '## Contract signed\nreplaces: projects/x/changelog.md § Deliver';
    expect(await errorOf(run, 'edit', { ...edited, new: wrong })).toContain(`"${project} § Delivery"`);
    expect(await errorOf(run, 'edit', { ...edited, new: `${wrong}y` })).toBe('');
    const path = 'projects/y/changelog.md';
    const write = (line: string) =>
      errorOf(vault.writeRun('person'), 'write', { path, content: `${entry(line)}\n` });
    expect(await write('projects/x/changelog.md § Deliver')).toContain(`"${project} § Delivery"`);
    expect(await write('projects/x/changelog.md § Delivery')).toBe('');
  });

  it('is refused when a client calls the tool, and nothing is written', async () => {
    const vault = await roomVault(files);
    const input = { path: project, content: entry('changelog.md § Price 9'), position: 'top' };
    const call = { tool: 'append', input, reader: 'model', origin: 'test', connection: 'client' } as const;
    expect(await vault.callTool(call)).toMatchObject({
      kind: 'result',
      result: {
        text: expect.stringContaining('Closest: "vault/changelog.md § [decision] Price 90"'),
        value: { errors: [{ path: project }] },
      },
    });
    expect(await vault.text('read', { paths: [project] })).not.toContain('Price 95');
  });

  it('may name an entry that the same transaction added or moved', async () => {
    const vault = await roomVault({ ...files, 'bucket/old.md': '# 2025-07-01\n\n## Offer\n' });
    const run = vault.writeRun('model');
    const first = { path: project, content: '# 2025-09-03\n\n## Delivery in May', position: 'top' };
    expect(await errorOf(run, 'append', first)).toBe('');
    expect(await add(run, 'projects/x/changelog.md § Delivery in May')).toBe('');
    expect(await errorOf(run, 'move', { from: 'bucket/old.md', to: 'projects/y/changelog.md' })).toBe('');
    expect(await add(run, 'projects/y/changelog.md § Offer')).toBe('');
  });

  it('that was already in the file is not refused, but a further one is', async () => {
    const vault = await roomVault({ ...files, 'changelog.md': `${entry('gone.md § A')}\n` });
    const run = await seen(vault, 'changelog.md');
    const edit = (content: string) =>
      errorOf(run, 'edit', { path: 'changelog.md', old: '## Price 95', new: content });
    expect(await edit('## Price 96')).toBe('');
    expect(await add(run, 'projects/x/changelog.md § Delivery')).toBe('');
    expect(await add(run, 'gone.md § A')).toContain('"vault/gone.md § A"');
  });

  it('is raw material in a bucket and text in any other note', async () => {
    const vault = await roomVault(files);
    const run = vault.writeRun('model');
    for (const path of ['bucket/changelog.md', 'notes.md'])
      expect(await errorOf(run, 'write', { path, content: entry('gone.md § A') })).toBe('');
  });
});
