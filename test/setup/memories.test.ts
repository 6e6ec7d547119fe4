import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCommand } from '../run-command.ts';
import type { Ran } from '../run-command.ts';
import { layOut, temporaryFolder } from '../temporary-vault.ts';

const token = `ghp_${'aB3dE6gH9jK2mN5pQ8sT'.repeat(2).slice(0, 36)}`;

const files = {
  '.codex/memories/MEMORY.md': `Deploys on Fridays.\nexport GITHUB_TOKEN=${token}\n`,
  '.codex/memories/raw_memories.md': 'raw\n',
  '.codex/memories/rollout_summaries/2026-11-01-import.md': 'The import was fixed.\n',
  '.gemini/GEMINI.md': '### Gemini Added Memories\n- Prefers tea.\n',
  '.claude/CLAUDE.md': 'Answer briefly.\n',
  '.claude/projects/-home-ada-x/memory/MEMORY.md': '- [sqlite](sqlite.md)\n',
  '.claude/projects/-home-ada-x/memory/sqlite.md': '---\nname: sqlite\n---\n\nPrefers SQLite.\n',
  '.claude/projects/-home-ada-x/session.jsonl': '{}\n',
  'code/CLAUDE.md': 'Run the tests first.\n',
  'code/.cursor/rules/style.mdc': '---\nglobs: "*.ts"\n---\nTwo spaces.\n',
  'code/.git/config': '',
  'secret.txt': 'outside\n',
};

type User = {
  home: string;
  run: (args: string[], input?: string) => Promise<Ran>;
  notes: () => string[];
  read: (path: string) => string;
};

async function createUser(): Promise<User> {
  const home = temporaryFolder();
  layOut(home, files);
  symlinkSync(join(home, 'secret.txt'), join(home, 'code', 'AGENTS.md'));
  const vault = join(home, 'vault');
  const run: User['run'] = (args, input) =>
    runCommand(args, {
      cwd: join(home, 'code'),
      variables: { HOME: home, KEEPSAKE_VAULT: vault },
      ...(input !== undefined && { input, isTerminal: true }),
    });
  await run(['init', vault]);
  await run(['link', 'startup-x', '--create']);
  return {
    home,
    run,
    notes: () => globSync('**/memories/**/*.md', { cwd: vault }).toSorted(),
    read: (path) => readFileSync(join(vault, path), 'utf8'),
  };
}

const all = [
  'bucket/memories/claude-code/-home-ada-x/MEMORY.md',
  'bucket/memories/claude-code/-home-ada-x/sqlite.md',
  'bucket/memories/claude-code/claude-instructions.md',
  'bucket/memories/codex/MEMORY.md',
  'bucket/memories/codex/rollout_summaries/2026-11-01-import.md',
  'bucket/memories/gemini/gemini-instructions.md',
  'projects/startup-x/bucket/memories/claude-instructions.md',
  'projects/startup-x/bucket/memories/cursor-rules/style-instructions.md',
];

it('shows the plan, and imports the memories of all tools only after a yes, without secrets and links', async () => {
  const { home, run, notes, read } = await createUser();
  const dry = await run(['import', 'memories', '--dry-run']);
  expect(dry).toMatchObject({ code: 0 });
  expect(dry.out).toContain(
    'codex: 2 notes into vault/bucket/memories/codex, 1 secrets removed\n  MEMORY.md\n',
  );
  expect(dry.out).toContain('skipped AGENTS.md: symbolic link');
  expect(await run(['import', 'memories'], 'n\n')).toMatchObject({ code: 2 });
  expect(await run(['import', 'memories'])).toMatchObject({ code: 2 });
  expect(notes()).toEqual([]);
  expect(await run(['import', 'memories'], 'y\n')).toMatchObject({ code: 0 });
  expect(notes()).toEqual(all);
  expect(read('bucket/memories/codex/MEMORY.md')).toContain('Deploys on Fridays.');
  expect(notes().map(read).join('\n')).not.toMatch(/ghp_|outside/);
  expect(readFileSync(join(home, '.codex/memories/MEMORY.md'), 'utf8')).toContain(token);
  expect((await run(['find', 'prefers tea'])).out).toContain('gemini-instructions.md');
});

it('follows no link to a folder, neither out of a project nor in a circle', async () => {
  const { home, run, notes, read } = await createUser();
  const rules = join(home, 'code/.cursor/rules');
  mkdirSync(join(home, 'private'));
  writeFileSync(join(home, 'private', 'diary.md'), 'outside\n');
  symlinkSync(join(home, 'private'), join(rules, 'shared'));
  symlinkSync('.', join(rules, 'again'));
  const linked = await run(['import', 'memories', 'project', '--yes']);
  expect(linked.out).toContain('project: 2 notes');
  expect(linked.out).toContain('skipped cursor-rules/shared: symbolic link');
  renameSync(join(home, 'code/.cursor'), join(home, 'cursor'));
  symlinkSync(join(home, 'cursor'), join(home, 'code/.cursor'));
  expect((await run(['import', 'memories', 'project', '--yes'])).out).toContain('skipped .cursor/rules');
  expect(notes().map(read).join()).not.toContain('outside');
  expect(notes().filter((path) => path.includes('cursor-rules'))).toHaveLength(1);
});

it('imports nothing twice, updates what changed, and can be undone', async () => {
  const { home, run, notes, read } = await createUser();
  const first = await run(['import', 'memories', 'codex', '--yes']);
  const again = await run(['import', 'memories', 'codex', '--yes']);
  expect(again.out).toContain('0 new, 0 updated, 2 already imported');
  writeFileSync(join(home, '.codex/memories/MEMORY.md'), 'Deploys on Mondays.\n');
  expect((await run(['import', 'memories', 'codex', '--yes'])).out).toContain('0 new, 1 updated');
  expect(read('bucket/memories/codex/MEMORY.md')).toContain('Mondays');
  const [, second] =
    /keepsake undo (\w+)/.exec((await run(['import', 'memories', 'gemini', '--yes'])).out) ?? [];
  expect(await run(['undo', second ?? ''])).toMatchObject({ code: 0 });
  expect(notes().filter((path) => path.includes('gemini'))).toEqual([]);
  expect(first.out).toContain('2 new');
});

it('needs a link for the files of a project, and finds nothing without tools', async () => {
  const { home, run } = await createUser();
  await run(['link', '--remove']);
  expect(await run(['import', 'memories', 'project', '--yes'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('link it with: keepsake link <project>'),
  });
  const empty = temporaryFolder();
  const nothing = await runCommand(['import', 'memories', '--yes'], {
    cwd: empty,
    variables: { HOME: empty, KEEPSAKE_VAULT: join(home, 'vault') },
  });
  expect(nothing).toMatchObject({ code: 0, out: 'No memories found.\n' });
  expect(existsSync(join(home, 'vault/bucket/memories'))).toBe(false);
});
