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
  it('accepts input, which is filed later with: keepsake updates run', async () => {
    const vault = await agentVault();
    const added = await keepsake(vault, ['add', 'Something happened']);
    const [, id = ''] = /^accepted ([0-9a-f-]{36})\n$/.exec(added.stdout) ?? [];
    expect(added).toMatchObject({
      code: 0,
      stderr: 'saved in the queue; file it with: keepsake updates run\n',
    });
    expect((await keepsake(vault, ['updates'])).stdout).toMatch(
      new RegExp(`  ${id.slice(0, 8)}  waiting    Something happened\n$`),
    );
    vault.model.script(entry, { text: 'Filed it.' });
    const ran = await keepsake(vault, ['updates', 'run']);
    expect(ran.stderr).toBe(`working on ${id.slice(0, 8)}\n  append vault/changelog.md\n`);
    expect(ran.stdout).toMatch(
      /done +Something happened.*\n\n    Filed it\.\n\n      vault\/changelog\.md: \+1 entry/,
    );
    const shown = await keepsake(vault, ['updates', 'show', id.slice(0, 6)]);
    expect(shown.stdout).toContain(
      'Something happened\n\nFiled it.\n\n  vault/changelog.md: +1 entry ("Happened")\n',
    );
    expect(await keepsake(vault, ['undo', id.slice(0, 8)])).toMatchObject({ code: 0 });
    expect(vault.text('changelog.md')).not.toContain('Happened');
  });

  it('files documents and piped input immediately with --wait, and tells the model their source', async () => {
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
      /^Filed it\.\n\n  vault\/changelog\.md: \+1 entry[^]*undo with: keepsake undo \w{8}\n$/,
    );
    const opening = vault.model.requests[0]?.userTexts.join('\n') ?? '';
    expect(opening).toContain(`Source: "minutes.md" (not the person's own words).`);
    expect(opening).toContain('| They said yes.');
    expect(opening).toContain('| The minutes of today');
  });

  it('warns about secrets by kind, masks them, and never repeats a secret', async () => {
    const vault = await agentVault();
    const secret = ['Tr0ub4dor', '9xq'].join('');
    const note = join(temporaryFolder(), 'router.md');
    writeFileSync(note, `# Router\n\npassword: ${secret}\n`);
    const added = await keepsake(vault, ['add', `Deploy with DB_PASSWORD=${secret}`, note]);
    expect(added.stderr).toContain(
      'note: the text seems to contain a secret (password); the model gets a mask instead, and an inbox question will ask whether to keep it\n' +
        'note: router.md seems to contain a secret (password); the model gets a mask instead, and an inbox question will ask whether to keep it\n',
    );
    expect(added.stdout + added.stderr).not.toContain(secret);
    const [, id = ''] = /^accepted (\S+)/.exec(added.stdout) ?? [];
    expect(vault.keepsake.agents.updates.find(id)?.input.text).toMatch(
      /^Deploy with DB_PASSWORD=\[secret [0-9a-f]{8}-1: password\]$/,
    );
    const kept = await keepsake(vault, ['add', `Deploy with DB_PASSWORD=${secret}`, '--keep-secrets']);
    expect(kept.stderr).toContain('the model gets a mask instead, and it is stored in plain text\n');
    const plain = await keepsake(vault, ['add', 'The password is in the safe.']);
    expect(plain.stderr).not.toContain('secret');
  });

  it('reports repeated, rejected and missing input', async () => {
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
    expect(refused.stderr).toMatch(/^reading a\.pdf\nerror: a\.pdf: executables are not supported/);
    expect(await keepsake(vault, ['add', 'missing.md'])).toMatchObject({ code: 2 });
  });

  it('says that the input is kept and how to continue if there is no model, and does not wait', async () => {
    const vault = await agentVault({}, { model: null });
    const kept = (asNote: string): RegExp =>
      new RegExp(
        String.raw`kept in the queue: no model is configured for the agents; choose one with: keepsake config model .+\nwithout a model: ${asNote}tell a connected AI tool to "file what waits"; with one: keepsake updates run\n$`,
      );
    const saveIt = 'save it as a note with: keepsake add --as-note, or ';
    const added = await keepsake(vault, ['add', 'Something happened']);
    expect(added).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^accepted /),
      stderr: expect.stringMatching(kept(saveIt)),
    });
    const waited = await keepsake(vault, ['add', 'Something else', '--wait']);
    expect(waited).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^accepted /) });
    expect(waited.stderr).toMatch(kept(saveIt));
    const listed = await keepsake(vault, ['updates']);
    expect(listed.stdout).toMatch(/waiting +Something else\n.*waiting +Something happened\n$/);
    expect(listed.stderr).toMatch(kept(''));
  });

  it('shows why an update waits and until when, and leaves it in the queue when stopped', async () => {
    const vault = await agentVault();
    vault.model.respond(() => ({
      fault: 'status',
      status: 503,
      headers: { 'retry-after-ms': '1' },
      body: 'busy',
    }));
    const added = await keepsake(vault, ['add', 'Something happened', '--wait'], {
      stopAt: /^next attempt in \d s; \w{8} stays in the queue\n/m,
    });
    expect(added.stderr).toMatch(
      /working on \w{8}\nfailed: .* returned HTTP 503 \(busy\); try again later\nnext attempt in/,
    );
    expect(added.code).toBe(1);
    expect(added.stdout).toMatch(/returned HTTP 503 .*\nnext attempt (is due|in \d+ s)\n$/);
    expect(added.stderr).toMatch(
      /\nsaved in the queue; file it with: keepsake updates run\n.*"file what waits"\n$/,
    );
    const listed = await keepsake(vault, ['updates']);
    expect(listed.stdout).toMatch(
      /waiting +Something happened\n    waiting for the model: .*503.*\n    next attempt (is due|in \d+ s)/,
    );
    expect(listed.stderr).toBe('saved in the queue; file the waiting updates with: keepsake updates run\n');
  });

  it('shows that an update is held, and the decision on it', async () => {
    const vault = await agentVault();
    vault.model.script(profile, { text: 'Noted.' }, { text: 'Noted.' });
    const added = await keepsake(vault, ['add', 'Change the profile', '--from', 'an email', '--wait']);
    const [, id = ''] = /keepsake approve (\w{8})/.exec(added.stdout) ?? [];
    expect(added.stdout).toContain('held for approval, nothing written: this changes vault/profile.md');
    expect((await keepsake(vault, ['inbox'])).stdout).toContain(`${id}  needs your approval`);
    expect((await keepsake(vault, ['approve', id])).stdout).toMatch(
      new RegExp(`^approved ${id}; undo with: keepsake undo \\w{8}\n$`),
    );
    expect(vault.text('profile.md')).toMatch(/\nx\n$/);
    expect((await keepsake(vault, ['updates'])).stdout).toContain('  approved   Change the profile');
    expect((await keepsake(vault, ['inbox'])).stdout).toBe('the inbox is empty\n');
  });
});

describe('keepsake updates', () => {
  it('cancels and retries updates, and reports requests that cannot be fulfilled', async () => {
    const vault = await agentVault();
    const { stdout } = await keepsake(vault, ['add', 'x', '--json']);
    const { id } = JSON.parse(stdout) as { id: string };
    expect(await keepsake(vault, ['updates', 'retry', id])).toMatchObject({ code: 2 });
    expect((await keepsake(vault, ['updates', 'cancel', id])).stdout).toBe(`cancelled ${id.slice(0, 8)}\n`);
    expect((await keepsake(vault, ['updates', 'run'])).stdout).toBe('no waiting updates\n');
    expect((await keepsake(vault, ['updates', 'retry', id])).code).toBe(0);
    vault.model.script({ fault: 'status', status: 401, body: '{}' });
    const ran = await keepsake(vault, ['updates', 'run']);
    expect(ran).toMatchObject({ code: 1 });
    expect(ran.stderr).toContain('check the API key');
    expect((await keepsake(vault, ['updates', 'show', id])).stdout).toContain(
      `parked; retry with: keepsake updates retry ${id.slice(0, 8)}`,
    );
    expect(await keepsake(vault, ['updates', 'show', 'ffff'])).toMatchObject({
      code: 2,
      stderr: 'error: update not found: ffff; list the updates with: keepsake updates\n',
    });
  });
});

describe('keepsake ask', () => {
  it('succeeds if the vault does not contain the answer, and says so in the language of the vault', async () => {
    const vault = await agentVault({ 'a.md': '# A\n' });
    await keepsake(vault, ['init', vault.folder, '--language', 'fr']);
    vault.model.script(looking, { text: 'Rien.\nJ’ai cherché partout.\nFound: no' });
    expect(await keepsake(vault, ['ask', 'quoi ?'])).toEqual({
      code: 0,
      stdout: 'Rien.\nJ’ai cherché partout.\n\nnote : aucune ligne du coffre n’est citée\n',
      stderr: '  search anything\n',
    });
  });

  it('exits with a distinct code for a claim without a citation', async () => {
    const vault = await agentVault({ 'a.md': '# A\n' });
    vault.model.script(looking, { text: 'It costs 900 €.' }, { text: 'It costs 900 €.' });
    expect(await keepsake(vault, ['ask', 'what?'])).toMatchObject({
      code: 3,
      stdout: 'It costs 900 €.\n\nnote: no lines of the vault are cited\n',
    });
    expect(vault.model.requests[2]?.userTexts.at(-1)).toContain('They should show: 900.');
  });

  it('notes in French what the source lines do not contain', async () => {
    const vault = await agentVault({ 'a.md': '# A\nun\n' });
    await keepsake(vault, ['init', vault.folder, '--language', 'fr']);
    const concat = { tool: 'concat', input: { files: [{ path: 'a.md', lines: '2' }] } };
    vault.model.script({ text: 'Le prix est 900 €.', calls: [concat] }, { text: 'Le prix est 900 €.' });
    const { code, stdout } = await keepsake(vault, ['ask', 'combien ?']);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Le prix est 900 €\.\n\n---\n\n```vault[^]*```\n\nnote : ne figure pas dans les lignes ci-dessus : 900\n$/,
    );
  });

  it('folds source lines after the 15th on a terminal only, unless --all is given', async () => {
    const text = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`).join('\n');
    const vault = await agentVault({ 'a.md': `${text}\n`, "it's.md": 'one\ntwo\n' });
    const files = [{ path: 'a.md' }, { path: "it's.md" }];
    vault.model.respond(() => ({ text: 'All [1][2].', calls: [{ tool: 'concat', input: { files } }] }));
    const folded = await keepsake(vault, ['ask', 'what?'], { isTerminal: true });
    expect(folded.stdout).toContain(
      "15 | line 15\n   | ... 15 more lines; show them with: keepsake read 'vault/a.md:16-30'\n```\n",
    );
    expect(folded.stdout).toContain(
      "```vault/it's.md\n   | ... 2 more lines; show them with: keepsake read 'vault/it'\\''s.md:1-2'\n```",
    );
    const { stdout } = await keepsake(vault, ['ask', 'what?']);
    expect(stdout).toContain('30 | line 30');
    expect((await keepsake(vault, ['ask', 'what?', '--all'], { isTerminal: true })).stdout).toBe(stdout);
  });

  it('explains it and shows the nearest passages if the model answers without searching', async () => {
    const vault = await agentVault({ 'a.md': '# A\n' });
    vault.model.respond(() => ({ text: 'I know it.\nTrust me.' }));
    const asked = await keepsake(vault, ['ask', 'what?']);
    expect(asked).toMatchObject({ code: 1, stdout: expect.stringContaining('The AI model did not answer') });
    expect(asked.stderr).toContain('answered without searching the vault; try again or choose another model');
  });

  it('prints a document that keepsake verify can check later, and shows the steps on stderr', async () => {
    const vault = await agentVault({ 'a.md': '# A\none\ntwo\n' });
    vault.model.respond(() => ({
      text: 'First.\nSecond.',
      calls: [{ tool: 'concat', input: { files: [{ path: 'a.md', lines: '2-3' }] } }],
    }));
    const document = 'First.\nSecond.\n\n---\n\n```vault/a.md (lines 2-3)\n2  | one\n3  | two\n```\n';
    const asked = await keepsake(vault, ['ask', 'what', 'is', 'it?']);
    expect(asked).toEqual({ code: 0, stdout: document, stderr: '  concat a.md\n' });
    expect(vault.model.requests[0]?.userTexts.at(-1)).toMatch(/ Question:\n\nwhat is it\?$/);
    const json = JSON.parse((await keepsake(vault, ['ask', 'x', '--json'])).stdout) as object;
    expect(json).toMatchObject({
      overview: 'First.\nSecond.',
      blocks: [{ path: 'vault/a.md', text: 'one\ntwo' }],
    });
    // Documents of some earlier versions have the number of the citation.
    for (const input of [document, document.replace('```vault', '```[1] vault')])
      expect(await keepsake(vault, ['verify', '-'], { input })).toMatchObject({
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
      stdout: 'changed  vault/a.md (lines 2-3): these lines are no longer in the file\n',
    });
  });

  it('reports a replaced entry with the date and the replacement', async () => {
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
      `It was 80.\nNow it is 90.\n\n---\n\n\`\`\`vault/changelog.md (lines 8-8)\n8  | ## Price 80\n\`\`\`\n\nnote: ${told}\n`,
    );
    expect(await keepsake(vault, ['verify', '-'], { input: stdout })).toMatchObject({
      code: 0,
      stdout: `same     vault/changelog.md (lines 8-8)\n         ${told}\n`,
    });
  });
});

describe('keepsake', () => {
  it('config chooses a model, stores a key that is never shown, and hides files from AI', async () => {
    const vault = await agentVault({}, { model: null });
    for (const name of ['KEEPSAKE_MODEL_BASE_URL', 'KEEPSAKE_MODEL_API_KEY']) delete vault.variables[name];
    await keepsake(vault, ['config', 'model', 'mistral/m', '--input', '2', '--output', '6', '--no-test']);
    expect((await keepsake(vault, ['config'])).stdout).toContain('no API key for mistral');
    const kept = await keepsake(vault, ['config', 'key', 'mistral'], { input: 'secret-key\n' });
    expect(statSync(kept.stdout.replace('stored in ', '').trim()).mode & 0o777).toBe(0o600);
    await keepsake(vault, ['config', 'exclude', 'private/**']);
    const { stdout } = await keepsake(vault, ['config']);
    expect(stdout).toMatch(/model +mistral\/m\naddress +https:\/\/api\.mistral\.ai\/v1\nkey +from /);
    expect(stdout).toContain('exclude   ["private/**"]');
    expect(stdout + kept.stdout).not.toContain('secret-key');
    expect(await keepsake(vault, ['config', 'model', 'unknown/m'])).toMatchObject({ code: 2 });
  });

  it('config exclude shows, adds and removes patterns of files hidden from AI, and counts the matching files', async () => {
    const vault = await agentVault({ 'private/a.md': 'x\n', 'private/b.md': 'x\n' }, { model: null });
    const exclude = (...args: string[]) => keepsake(vault, ['config', 'exclude', ...args]);
    expect((await exclude()).stdout).toBe('no files are hidden from AI\n');
    expect(await exclude('private/**')).toMatchObject({
      code: 0,
      stdout: 'hidden from AI:\nprivate/**  2 files\n',
    });
    // Equivalent patterns are added once; a pattern without matches gets a warning.
    const { stdout } = await exclude('--add', ' private//** ', './vault/private/**', '/private/**', 'later/');
    expect(stdout).toBe(
      'hidden from AI:\nprivate/**  2 files\nlater/      warning: matches no file in this vault\n',
    );
    expect((await keepsake(vault, ['config'])).stdout).toContain('exclude   ["private/**","later/"]');
    expect((await keepsake(vault, ['doctor', '--verbose'])).stdout).toMatch(
      /private\/\*\* \(2 files\), later\/ \(0 files\)/,
    );
    for (const wrong of [['private\\**'], [' '], ['--remove', 'never/'], ['--clear', 'x'], ['inbox/']])
      expect(await exclude(...wrong)).toMatchObject({ code: 2, stdout: '' });
    expect((await exclude('--remove', 'later//')).stdout).toBe('hidden from AI:\nprivate/**  2 files\n');
    expect(JSON.parse((await exclude('--json')).stdout)).toEqual({
      exclude: [{ pattern: 'private/**', files: 2 }],
    });
    expect((await exclude('--clear')).stdout).toBe('no files are hidden from AI\n');
  });

  it('config exclude explains an invalid pattern in the configuration file, and can remove it', async () => {
    const configuration = `agents:\n  exclude: ['private/**', 'a\\b', inbox/, '/x']\n`;
    const vault = await agentVault({ 'private/a.md': 'x\n' }, { model: null, configuration });
    const exclude = (...args: string[]) => keepsake(vault, ['config', 'exclude', ...args]);
    const { code, stdout, stderr } = await exclude();
    expect(code).toBe(0);
    expect(stdout.split('\n')).toEqual([
      'hidden from AI:',
      'private/**  1 file',
      expect.stringMatching(/^a\\b +error: .*contains a backslash/),
      expect.stringMatching(/^inbox\/ +error: .*covers inbox\/, which the update agent must write to$/),
      expect.stringMatching(/^\/x +error: .*: starts with \/$/),
      '',
    ]);
    expect(stderr).toContain('AI access is blocked until this is fixed');
    expect(JSON.parse((await exclude('--json')).stdout)).toMatchObject({
      exclude: [
        { pattern: 'private/**', files: 1 },
        { pattern: 'a\\b', problem: expect.any(String) },
        {},
        {},
      ],
    });
    // Nothing is added while the configuration is invalid.
    expect(await exclude('later/')).toMatchObject({ code: 2, stdout: '' });
    expect((await exclude('--remove', 'a\\b')).stdout).not.toContain('backslash');
    const fixed = await exclude('later/', '--remove', '/x', 'inbox/');
    expect(fixed).toMatchObject({ code: 0, stderr: '' });
    expect((await keepsake(vault, ['config'])).stdout).toContain('exclude   ["private/**","later/"]');
  });

  it('demo creates a demo vault', async () => {
    const vault = await agentVault();
    const target = join(temporaryFolder(), 'demo');
    expect((await keepsake(vault, ['demo', target, '--no-open'])).stdout).toContain(
      `The demo vault is in ${target}.`,
    );
    expect(
      readdirSync(target, { recursive: true }).filter((name) => String(name).endsWith('.md')).length,
    ).toBeGreaterThanOrEqual(60);
    expect(existsSync(join(target, '.keepsake/vault.json'))).toBe(true);
    const overview = readFileSync(join(target, 'overview.md'), 'utf8');
    expect(overview).toContain('- [tidewatch](projects/tidewatch/description.md) (en) : bouées');
    expect(await keepsake(vault, ['demo', target, '--no-open'])).toMatchObject({ code: 2 });
  });
});
