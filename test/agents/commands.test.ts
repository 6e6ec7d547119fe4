import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-vault.ts';
import { agentVault, looking } from './agent-vault.ts';
import { keepsake } from './command-line.ts';

const entry = {
  calls: [
    {
      tool: 'append',
      input: { path: 'vault/changelog.md', content: '# 2025-07-14\n\n## Happened', position: 'top' },
    },
  ],
};
const profile = {
  calls: [{ tool: 'append', input: { path: 'vault/profile.md', content: 'x', position: 'bottom' } }],
};

describe('keepsake add', () => {
  it('accepts, and files when it is told to work', async () => {
    const vault = await agentVault();
    const added = await keepsake(vault, ['add', 'Something happened']);
    const [, id = ''] = /^accepted ([0-9a-f-]{36})\n$/.exec(added.stdout) ?? [];
    expect(added).toMatchObject({ code: 0, stderr: 'it is filed with: keepsake updates run\n' });
    expect((await keepsake(vault, ['updates'])).stdout).toMatch(
      new RegExp(`  ${id.slice(0, 8)}  waiting    Something happened\n$`),
    );
    vault.model.script(entry, { text: 'Filed it.' });
    const ran = await keepsake(vault, ['updates', 'run']);
    expect(ran.stderr).toBe(`working on ${id.slice(0, 8)}\n  append vault/changelog.md\n`);
    expect(ran.stdout).toMatch(/done +Something happened/);
    const shown = await keepsake(vault, ['updates', 'show', id.slice(0, 6)]);
    expect(shown.stdout).toContain(
      'Something happened\n\nFiled it.\n\n  vault/changelog.md\n  vault/overview.md\n',
    );
    expect(await keepsake(vault, ['undo', id.slice(0, 8)])).toMatchObject({ code: 0 });
    expect(vault.text('changelog.md')).not.toContain('Happened');
  });

  it('works at once with --wait, on files and on what is piped in, and tells where they come from', async () => {
    const vault = await agentVault();
    const note = join(temporaryFolder(), 'minutes.md');
    writeFileSync(note, 'They said yes.\n');
    vault.model.script(entry, { text: 'Filed it.' });
    const added = await keepsake(vault, ['add', '-', note, '--wait'], { input: 'The minutes of today' });
    expect(added.code).toBe(0);
    expect(added.stderr).toMatch(
      /^accepted [0-9a-f-]{36}\nworking on \w{8}\n  append vault\/changelog.md\n$/,
    );
    expect(added.stdout).toMatch(
      /^Filed it\.\n\n  vault\/changelog\.md\n[^]*undo with: keepsake undo \w{8}\n$/,
    );
    const opening = vault.model.requests[0]?.userTexts.join('\n') ?? '';
    expect(opening).toContain('It comes from "minutes.md": not the words of the person.');
    expect(opening).toContain('| They said yes.');
    expect(opening).toContain('| The minutes of today');
  });

  it('says so when it is the same again, refused or missing', async () => {
    const vault = await agentVault();
    const first = await keepsake(vault, ['add', 'x', '--key', 'k', '--json']);
    expect(JSON.parse(first.stdout)).toEqual({
      status: 'accepted',
      id: expect.any(String),
      warnings: [],
    });
    expect((await keepsake(vault, ['add', 'x', '--key', 'k', '--json'])).stdout).toBe(first.stdout);
    const program = join(temporaryFolder(), 'a.pdf');
    writeFileSync(program, Buffer.from('MZ\x90\0\x03\0', 'latin1'));
    const refused = await keepsake(vault, ['add', program]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/^reading a\.pdf\nerror: a\.pdf: it is a program/);
    expect(await keepsake(vault, ['add', 'missing.md'])).toMatchObject({ code: 2 });
  });

  it('says without a model that it is kept and what makes it go on, and does not wait for nothing', async () => {
    const vault = await agentVault({}, { model: null });
    const kept =
      'it is kept until there is a model: no model is chosen for the agents; choose one with: keepsake config model anthropic/<name>; then: keepsake updates run\n';
    const added = await keepsake(vault, ['add', 'Something happened']);
    expect(added).toMatchObject({ code: 0, stdout: expect.stringMatching(/^accepted /), stderr: kept });
    const waited = await keepsake(vault, ['add', 'Something else', '--wait']);
    expect(waited).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^accepted /) });
    expect(waited.stderr).toContain(kept);
    const listed = await keepsake(vault, ['updates']);
    expect(listed.stdout).toMatch(/waiting +Something else\n.*waiting +Something happened\n$/);
    expect(listed.stderr).toBe(kept.replace('it is kept', 'what waits is kept'));
  });

  it('shows why it waits and until when, and leaves it in the queue when it is stopped', async () => {
    const vault = await agentVault();
    vault.model.respond(() => ({
      fault: 'status',
      status: 503,
      headers: { 'retry-after-ms': '1' },
      body: 'busy',
    }));
    const added = await keepsake(vault, ['add', 'Something happened', '--wait'], {
      stopAt: /^attempt 2 of 3 in \d s; \w{8} is kept meanwhile\n/m,
    });
    expect(added.stderr).toMatch(
      /working on \w{8}\nfailed: .* answered 503 \(busy\); try again later\nattempt 2 of 3/,
    );
    expect(added.code).toBe(1);
    expect(added.stdout).toMatch(/answered 503 .*\nthe next attempt is due( in \d+ s)?\n$/);
    expect(added.stderr).toMatch(/\nit is filed with: keepsake updates run\n$/);
    const listed = await keepsake(vault, ['updates']);
    expect(listed.stdout).toMatch(
      /waiting +Something happened\n    attempt 1 failed: .*503.*\n    the next attempt is due/,
    );
    expect(listed.stderr).toBe('what waits is filed with: keepsake updates run\n');
  });

  it('shows what is held, and what was decided', async () => {
    const vault = await agentVault();
    vault.model.script(profile, { text: 'Noted.' }, { text: 'Noted.' });
    const added = await keepsake(vault, ['add', 'Change the profile', '--from', 'an email', '--wait']);
    const [, id = ''] = /keepsake approve (\w{8})/.exec(added.stdout) ?? [];
    expect(added.stdout).toContain('held, nothing is written yet: it changes vault/profile.md');
    expect((await keepsake(vault, ['inbox'])).stdout).toContain(`${id}  needs your approval`);
    expect((await keepsake(vault, ['approve', id])).stdout).toMatch(
      new RegExp(`^approved ${id}; take that back with: keepsake undo \\w{8}\n$`),
    );
    expect(vault.text('profile.md')).toMatch(/\nx\n$/);
    expect((await keepsake(vault, ['updates'])).stdout).toContain('  approved   Change the profile');
    expect((await keepsake(vault, ['inbox'])).stdout).toBe('nothing waits for you\n');
  });
});

describe('keepsake updates', () => {
  it('cancels, retries and says what cannot be done', async () => {
    const vault = await agentVault();
    const { stdout } = await keepsake(vault, ['add', 'x', '--json']);
    const { id } = JSON.parse(stdout) as { id: string };
    expect(await keepsake(vault, ['updates', 'retry', id])).toMatchObject({ code: 2 });
    expect((await keepsake(vault, ['updates', 'cancel', id])).stdout).toBe(`cancelled ${id.slice(0, 8)}\n`);
    expect((await keepsake(vault, ['updates', 'run'])).stdout).toBe('nothing waits\n');
    expect((await keepsake(vault, ['updates', 'retry', id])).code).toBe(0);
    vault.model.script({ fault: 'status', status: 401, body: '{}' });
    const ran = await keepsake(vault, ['updates', 'run']);
    expect(ran).toMatchObject({ code: 1 });
    expect(ran.stderr).toContain('check the API key');
    expect((await keepsake(vault, ['updates', 'show', id])).stdout).toContain(
      `it is kept; try it again with: keepsake updates retry ${id.slice(0, 8)}`,
    );
    expect(await keepsake(vault, ['updates', 'show', 'ffff'])).toMatchObject({
      code: 2,
      stderr: 'error: there is no update ffff; see: keepsake updates\n',
    });
  });
});

describe('keepsake ask and verify', () => {
  it('exits with a code of its own when nothing in the vault was cited, in the language of the environment', async () => {
    const vault = await agentVault({ 'a.md': '# A\n' });
    vault.variables['LANG'] = 'fr_FR.UTF-8';
    vault.model.script(looking, { text: 'Rien.\nJ’ai cherché partout.' });
    expect(await keepsake(vault, ['ask', 'quoi ?'])).toEqual({
      code: 3,
      stdout: 'Rien.\nJ’ai cherché partout.\n\nnote : rien dans le coffre n’a été cité\n',
      stderr: '  search anything\n',
    });
  });

  it('fail, with a word about it, when the model answers without looking', async () => {
    const vault = await agentVault({ 'a.md': '# A\n' });
    vault.model.respond(() => ({ text: 'I know it.\nTrust me.' }));
    const asked = await keepsake(vault, ['ask', 'what?']);
    expect(asked).toMatchObject({ code: 2, stdout: '' });
    expect(asked.stderr).toContain(
      'answered without looking into the vault; try again, or choose another model',
    );
  });

  it('print the document, show the steps beside it, and check it later', async () => {
    const vault = await agentVault({ 'a.md': '# A\none\ntwo\n' });
    vault.model.respond(() => ({
      text: 'First.\nSecond.',
      calls: [{ tool: 'concat', input: { files: [{ path: 'a.md', lines: '2-3' }] } }],
    }));
    const document = 'First.\nSecond.\n\n---\n\n```vault/a.md (lines 2-3)\n2  | one\n3  | two\n```\n';
    const asked = await keepsake(vault, ['ask', 'what', 'is', 'it?']);
    expect(asked).toEqual({ code: 0, stdout: document, stderr: '  concat a.md\n' });
    expect(vault.model.requests[0]?.userTexts.at(-1)).toMatch(/The question:\n\nwhat is it\?$/);
    const json = JSON.parse((await keepsake(vault, ['ask', 'x', '--json'])).stdout) as object;
    expect(json).toMatchObject({
      overview: 'First.\nSecond.',
      blocks: [{ path: 'vault/a.md', text: 'one\ntwo' }],
    });
    expect(await keepsake(vault, ['verify', '-'], { input: document })).toMatchObject({
      code: 0,
      stdout: 'same     vault/a.md (lines 2-3)\n',
    });
    writeFileSync(join(vault.folder, 'a.md'), '# A\nzero\none\ntwo\n');
    expect((await keepsake(vault, ['verify', '-'], { input: document })).stdout).toBe(
      'moved    vault/a.md (lines 2-3), now lines 3-4\n',
    );
    writeFileSync(join(vault.folder, 'a.md'), '# A\none\n2\n');
    expect(await keepsake(vault, ['verify', '-'], { input: document })).toMatchObject({
      code: 1,
      stdout: 'changed  vault/a.md (lines 2-3): these lines are not in it any more\n',
    });
  });

  it('tell of an entry that was replaced, when and by which one', async () => {
    const vault = await agentVault({
      'changelog.md':
        '# 2025-09-02\n\n## Price 90\nreplaces: changelog.md § Price 80\n\n# 2025-07-14\n\n## Price 80\n',
    });
    vault.model.respond(() => ({
      text: 'It was 80.\nNow it is 90.',
      calls: [{ tool: 'concat', input: { files: [{ path: 'changelog.md', lines: '8-8' }] } }],
    }));
    const told =
      'vault/changelog.md:8 § Price 80 was replaced on 2025-09-02 by vault/changelog.md:3 § Price 90';
    const { stdout } = await keepsake(vault, ['ask', 'What does it cost?']);
    expect(stdout).toBe(
      `It was 80.\nNow it is 90.\n\n---\n\nnote: ${told}\n\`\`\`vault/changelog.md (lines 8-8)\n8  | ## Price 80\n\`\`\`\n`,
    );
    expect(await keepsake(vault, ['verify', '-'], { input: stdout })).toMatchObject({
      code: 0,
      stdout: `same     vault/changelog.md (lines 8-8)\n         ${told}\n`,
    });
  });
});

describe('keepsake config and demo', () => {
  it('choose a model, keep a key that is never shown, and keep files back', async () => {
    const vault = await agentVault({}, { model: null });
    for (const name of ['KEEPSAKE_MODEL_BASE_URL', 'KEEPSAKE_MODEL_API_KEY']) delete vault.variables[name];
    await keepsake(vault, ['config', 'model', 'mistral/m', '--input', '2', '--output', '6', '--no-test']);
    expect((await keepsake(vault, ['config'])).stdout).toContain('there is no key for mistral');
    const kept = await keepsake(vault, ['config', 'key', 'mistral'], { input: 'secret-key\n' });
    expect(statSync(kept.stdout.replace('kept in ', '').trim()).mode & 0o777).toBe(0o600);
    await keepsake(vault, ['config', 'exclude', 'private/**']);
    const { stdout } = await keepsake(vault, ['config']);
    expect(stdout).toMatch(/model +mistral\/m\naddress +https:\/\/api\.mistral\.ai\/v1\nkey +from /);
    expect(stdout).toContain('exclude   ["private/**"]');
    expect(stdout + kept.stdout).not.toContain('secret-key');
    expect(await keepsake(vault, ['config', 'model', 'nobody/m'])).toMatchObject({ code: 2 });
  });

  it('show what is kept from models, add to it, and take from it, with the files that it hides', async () => {
    const vault = await agentVault({ 'private/a.md': 'x\n', 'private/b.md': 'x\n' }, { model: null });
    const exclude = (...args: string[]) => keepsake(vault, ['config', 'exclude', ...args]);
    expect((await exclude()).stdout).toBe('nothing is kept from models\n');
    expect(await exclude('private/**')).toMatchObject({
      code: 0,
      stdout: 'kept from models:\nprivate/**  2 files\n',
    });
    // What plainly means the same is the same; what matches nothing says so.
    const { stdout } = await exclude('--add', ' private//** ', './vault/private/**', 'later/');
    expect(stdout).toBe(
      'kept from models:\nprivate/**  2 files\nlater/      warning: no file of this vault matches at present\n',
    );
    expect((await keepsake(vault, ['config'])).stdout).toContain('exclude   ["private/**","later/"]');
    expect((await keepsake(vault, ['doctor'])).stdout).toMatch(
      /private\/\*\* \(2 files\), later\/ \(0 files\)/,
    );
    for (const wrong of [
      ['private\\**'],
      ['/private'],
      [' '],
      ['--remove', 'never/'],
      ['--clear', 'x'],
      ['inbox/'],
    ])
      expect(await exclude(...wrong)).toMatchObject({ code: 2, stdout: '' });
    expect((await exclude('--remove', 'later//')).stdout).toBe('kept from models:\nprivate/**  2 files\n');
    expect(JSON.parse((await exclude('--json')).stdout)).toEqual({
      exclude: [{ pattern: 'private/**', files: 2 }],
    });
    expect((await exclude('--clear')).stdout).toBe('nothing is kept from models\n');
  });

  it('show what is wrong with a pattern that was written by hand, and take it off', async () => {
    const configuration = `agents:\n  exclude: ['private/**', 'a\\b', inbox/, '/x']\n`;
    const vault = await agentVault({ 'private/a.md': 'x\n' }, { model: null, configuration });
    const exclude = (...args: string[]) => keepsake(vault, ['config', 'exclude', ...args]);
    const { code, stdout, stderr } = await exclude();
    expect(code).toBe(0);
    expect(stdout.split('\n')).toEqual([
      'kept from models:',
      'private/**  1 file',
      expect.stringMatching(/^a\\b +error: .*it has a backslash/),
      expect.stringMatching(/^inbox\/ +error: .*covers inbox\/, where the update agent has to write$/),
      expect.stringMatching(/^\/x +error: .*it starts with \/$/),
      '',
    ]);
    expect(stderr).toContain('models see nothing at all until this is mended');
    expect(JSON.parse((await exclude('--json')).stdout)).toMatchObject({
      exclude: [
        { pattern: 'private/**', files: 1 },
        { pattern: 'a\\b', problem: expect.any(String) },
        {},
        {},
      ],
    });
    // Nothing is added to what is wrong.
    expect(await exclude('later/')).toMatchObject({ code: 2, stdout: '' });
    expect((await exclude('--remove', 'a\\b')).stdout).not.toContain('backslash');
    const mended = await exclude('later/', '--remove', '/x', 'inbox/');
    expect(mended).toMatchObject({ code: 0, stderr: '' });
    expect((await keepsake(vault, ['config'])).stdout).toContain('exclude   ["private/**","later/"]');
  });

  it('give a vault to try things on', async () => {
    const vault = await agentVault();
    const target = join(temporaryFolder(), 'demo');
    expect((await keepsake(vault, ['demo', target, '--no-open'])).stdout).toContain(
      `A vault to try things on is in ${target}.`,
    );
    expect(
      readdirSync(target, { recursive: true }).filter((name) => String(name).endsWith('.md')).length,
    ).toBeGreaterThanOrEqual(60);
    expect(existsSync(join(target, '.keepsake/vault.json'))).toBe(true);
    expect(readFileSync(join(target, 'overview.md'), 'utf8')).toBe(
      readFileSync('packages/vault/demo/vault/overview.md', 'utf8'),
    );
    expect(await keepsake(vault, ['demo', target, '--no-open'])).toMatchObject({ code: 2 });
  });
});
