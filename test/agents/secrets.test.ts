import { appendFileSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Update } from '../../packages/vault/src/app/index.ts';
import type { Call, SeenRequest } from '../scripted-model/server.ts';
import { keepsake } from './command-line.ts';
import { agentVault, looking } from './agent-vault.ts';
import type { AgentVault } from './agent-vault.ts';

const password = 'Xk9!vB2q';
const pin = '4821';
const githubKey = `ghp_${'aB3dE6gH9j'.repeat(4)}`;
const note = { text: `Le wifi du gîte a changé : mdp ${password}. Et le code de ma carte ${pin}.` };

const maskPattern = /\[secret [^\]]*\]/g;
const masksIn = (text: string): string[] => [...new Set(text.match(maskPattern))];

const entry = (title: string): Call => ({
  tool: 'append',
  input: { path: 'vault/changelog.md', content: `# 2025-07-14\n\n## ${title}`, position: 'top' },
});

/** A model that writes one line with all masks of the input into a note, and the changelog entry. */
const copying =
  (path: string) =>
  (request: SeenRequest): { calls: Call[]; text: string } => ({
    calls: [
      {
        tool: 'write',
        input: {
          path,
          content: `# Gîte\n\nwifi: ${masksIn(request.userTexts.at(-1)?.replace(/Masks such as .*/, '') ?? '').join(', carte: ')}\n`,
        },
      },
      entry('Wifi changed'),
    ],
    text: 'Summary: Filed the new wifi password of the gîte and the code of the card.',
  });

function askedItem({ result }: Update): string {
  return result?.kind === 'filed' ? (result.asked ?? '') : '';
}

function expectUnseen({ model }: AgentVault, ...secrets: string[]): void {
  expect(model.requests.length).toBeGreaterThan(0);
  for (const { rawBody } of model.requests)
    for (const secret of secrets) expect(rawBody).not.toContain(secret);
}

/** All text of the vault. */
const wholeVault = ({ folder }: AgentVault): string =>
  globSync('**/*.md', { cwd: folder })
    .map((path) => readFileSync(join(folder, path), 'utf8'))
    .join('\n');

/** Files the note; the vault then has its masks and a question. */
async function fileNote(vault: AgentVault, path = 'vault/bucket/gite.md'): Promise<Update> {
  vault.model.respond(copying(path));
  return vault.file(note);
}

describe.each(['openai', 'anthropic'] as const)('secrets in an input, with the %s protocol', (protocol) => {
  it('reach neither the model nor the vault, and the user is asked', async () => {
    const vault = await agentVault({}, { protocol });
    vault.model.respond(copying('vault/bucket/gite.md'));
    const update = await vault.file({
      text: note.text,
      files: [
        {
          name: 'deploy.md',
          bytes: Buffer.from(`# Deploy\n\nexport TOKEN=${githubKey}\nand ${password} again\n`),
        },
        {
          name: 'key.eml',
          bytes: Buffer.from(
            `From: a@example.org\r\nSubject: Key\r\nMessage-ID: <a@b>\r\n\r\nmdp: Tournesol77\r\n`,
          ),
        },
      ],
    });
    expectUnseen(vault, password, pin, githubKey, 'Tournesol77');
    for (const secret of [password, pin, githubKey, 'Tournesol77']) {
      expect(wholeVault(vault)).not.toContain(secret);
      expect(stringsOf([update, vault.events])).not.toContain(secret);
    }
    const review = vault.text(`inbox/${askedItem(update)}/review.md`) ?? '';
    expect(askedItem(update)).toMatch(/-secrets-[0-9a-f]{8}$/);
    expect(review).toContain('This input contains 4 secrets (password, code, GitHub key)');
    expect(review).toContain('The original (`key.eml`) is stored unchanged');
    expect(masksIn(vault.text('bucket/gite.md') ?? '')).toHaveLength(4);
  });

  it('in a long input reach the model in no part', async () => {
    const vault = await agentVault({}, { protocol, configuration: 'context: 6000\n' });
    const lines = Array.from(
      { length: 400 },
      (_, index) =>
        `Line ${index}: ${index % 40 === 7 ? `mdp Secret-${index}-Xy9` : 'nothing of importance was said here'}.`,
    );
    vault.model.respond((request) => copying(`vault/bucket/part-${vault.model.requests.length}.md`)(request));
    await vault.file({ text: lines.join('\n') });
    expect(vault.model.requests.length).toBeGreaterThan(2);
    expect(vault.model.requests.some(({ rawBody }) => rawBody.includes('mdp [secret '))).toBe(true);
    for (const { rawBody } of vault.model.requests) expect(rawBody).not.toMatch(/Secret-\d/);
  });

  it('in a question are masked, also those of earlier questions', async () => {
    const vault = await agentVault({ 'bucket/wifi.md': `wifi: ${password}\n` }, { protocol });
    vault.model.script(looking, {
      calls: [{ tool: 'concat', input: { files: [{ path: 'vault/bucket/wifi.md' }] } }],
      text: 'It is the password of the wifi. [1]\nSee the note. [1]',
    });
    const answer = await vault.keepsake.agents.ask(
      `What is the password ${password} for, and token: ${githubKey}?`,
      new AbortController().signal,
      { previousTurns: [{ question: 'Is mdp Kenavo29 mine?', document: 'No.' }] },
    );
    expectUnseen(vault, password, githubKey, 'Kenavo29');
    expect(vault.model.requests[0]?.rawBody).toContain('password [secret 1: password] for');
    expect(answer.document).toContain(`wifi: ${password}`);
  });
});

/** As JSON without numbers: a count of tokens may have the digits of a secret. */
function stringsOf(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => (typeof each === 'number' ? 0 : each));
}

describe('the question about secrets', () => {
  it('answered with keep, puts the secrets into the notes, wherever these are now, without a model', async () => {
    const vault = await agentVault();
    const item = askedItem(await fileNote(vault));
    mkdirSync(join(vault.folder, 'projects/gite'), { recursive: true });
    renameSync(join(vault.folder, 'bucket/gite.md'), join(vault.folder, 'projects/gite/access.md'));
    appendFileSync(join(vault.folder, 'projects/gite/access.md'), 'A later line.\n');
    const calls = vault.model.requests.length;
    expect((await keepsake(vault, ['updates'])).stdout).toContain('  asks ');
    const answer = await vault.file({ text: 'keep', inboxRef: item });
    expect((await keepsake(vault, ['updates'])).stdout).not.toContain('  asks ');
    expect(answer.result).toMatchObject({ kind: 'filed', asked: null });
    expect(vault.text('projects/gite/access.md')).toContain(
      `wifi: ${password}, carte: ${pin}\nA later line.`,
    );
    expect(vault.text(`inbox/${item}/review.md`)).toBeNull();
    expect(vault.model.requests).toHaveLength(calls);
  });

  it.each(['drop them', 'no, do not keep them', 'non', 'plus tard'])(
    'answered with "%s", drops them for good',
    async (reply) => {
      const vault = await agentVault();
      const item = askedItem(await fileNote(vault));
      const answer = await vault.file({ text: reply, inboxRef: item });
      expect(answer.result).toMatchObject({ kind: 'filed', asked: null });
      expect(vault.text(`inbox/${item}/review.md`)).toBeNull();
      expect(masksIn(vault.text('bucket/gite.md') ?? '')).toHaveLength(2);
      const { durable } = vault.keepsake.state.databases();
      expect(durable.prepare('select count(*) from update_secrets').pluck().get()).toBe(0);
      expect(JSON.stringify(durable.prepare('select * from updates').all())).not.toContain(password);
      // Undoing the answer brings the question back, but not the secrets.
      await vault.keepsake.changes.undo(answer.id);
      expect(await vault.file({ text: 'keep', inboxRef: item })).toMatchObject({
        state: 'parked',
        reason: { code: 'secrets-elsewhere' },
      });
      expect(vault.text(`inbox/${item}/review.md`)).not.toBeNull();
    },
  );

  it.each([
    'keep',
    'Keep them, no password manager here',
    'yes',
    'garder',
    'Oui, garde-les',
    'please keep both',
  ])('takes "%s" for keep', async (reply) => {
    const vault = await agentVault();
    await vault.file({ text: reply, inboxRef: askedItem(await fileNote(vault)) });
    expect(vault.text('bucket/gite.md')).toContain(password);
  });

  it('is answered only by the user', async () => {
    const vault = await agentVault();
    const item = askedItem(await fileNote(vault));
    const answer = await vault.file({
      text: 'keep',
      inboxRef: item,
      source: { kind: 'other', name: 'a client' },
    });
    expect(answer).toMatchObject({ state: 'parked', reason: { code: 'secrets-user-only' } });
    expect(wholeVault(vault)).not.toContain(password);
    await vault.file({ text: 'keep', inboxRef: item });
    expect(vault.text('bucket/gite.md')).toContain(password);
  });

  it('is in French for a user who reads French', async () => {
    const vault = await agentVault({}, { locale: 'fr_FR.UTF-8' });
    const item = askedItem(await fileNote(vault));
    const review = vault.text(`inbox/${item}/review.md`) ?? '';
    expect(review).toContain('Ce message contient 2 secrets (mot de passe, code).');
    expect(review).toMatch(/- Le wifi du gîte a changé : mdp \[secret [0-9a-f]{8}-1: mot de passe\]/);
    expect(review).toContain('en clair, lisibles ensuite par les modèles');
    await vault.file({ text: 'garder', inboxRef: item });
    expect(vault.text('bucket/gite.md')).toContain(password);
  });

  it('keeps secrets that the model wrote nowhere in a note of the bucket', async () => {
    const vault = await agentVault();
    vault.model.script({
      calls: [entry('Wifi of the gîte and card changed')],
      text: 'Summary: The wifi of the gîte changed.',
    });
    const item = askedItem(await vault.file(note));
    await vault.file({ text: 'keep', inboxRef: item });
    expect(wholeVault(vault)).toContain(`mdp ${password}. Et le code de ma carte ${pin}.`);
    expect(vault.text('changelog.md')).not.toContain(password);
  });

  it('leaves masks in an open question to the agent, and restores them when that is filed', async () => {
    const vault = await agentVault();
    vault.model.respond((request) => ({
      calls: [
        {
          tool: 'write',
          input: {
            path: `vault/inbox/${/stored in vault\/inbox\/([\w-]+)/.exec(request.userTexts.join(''))?.[1]}/review.md`,
            content: 'Which gîte?\n',
          },
        },
        entry('Asked'),
      ],
      text: 'Summary: Asked which gîte.',
    }));
    const asked = askedItem(await vault.file(note));
    const secretItem = globSync('inbox/*-secrets-*', { cwd: vault.folder })[0]?.slice('inbox/'.length) ?? '';
    await vault.file({ text: 'keep', inboxRef: secretItem });
    expect(wholeVault(vault)).not.toContain(password);
    vault.model.respond(copying('vault/bucket/gite.md'));
    await vault.file({ text: 'The one in Locronan', inboxRef: asked });
    expectUnseen(vault, password, pin);
    expect(vault.text('bucket/gite.md')).toContain(`wifi: ${password}, carte: ${pin}`);
  });
});

describe('an input whose secrets the user keeps from the start', () => {
  it('is filed in clear, but masked for the model, without a question', async () => {
    const vault = await agentVault();
    vault.model.respond(copying('vault/bucket/gite.md'));
    const update = await vault.file({ ...note, keepSecrets: true });
    expect(update.result).toMatchObject({ kind: 'filed', asked: null });
    expectUnseen(vault, password, pin);
    expect(vault.text('bucket/gite.md')).toContain(`wifi: ${password}, carte: ${pin}`);
    await vault.keepsake.changes.undo(update.id);
    expect(wholeVault(vault)).not.toContain(password);
  });

  it('stays masked when the lines of another program conflict with it', async () => {
    const vault = await agentVault({ 'bucket/gite.md': 'wifi: old\n' });
    const path = 'vault/bucket/gite.md';
    const read = { tool: 'read', input: { paths: [path] } };
    const file = join(vault.folder, 'bucket/gite.md');
    vault.model.respond((request, index) => {
      const [first, second] = masksIn(request.userTexts.join('\n').split('Code asks')[1] ?? '');
      const edit = (old: string): Call => ({
        tool: 'edit',
        input: { path, old, new: `wifi: ${first}, carte: ${second}` },
      });
      const text = 'Summary: The wifi of the gîte changed.';
      if (index === 0) return { calls: [read, edit('wifi: old')] };
      // Meanwhile another program changes the same line.
      if (index === 1) writeFileSync(file, readFileSync(file, 'utf8').replace('wifi: old', 'wifi: other'));
      if (index === 1) return { calls: [entry('Wifi')], text };
      return index === 2 ? { calls: [read] } : { calls: [edit('wifi: other')], text };
    });
    const update = await vault.file({ ...note, keepSecrets: true });
    expect(update.result).toMatchObject({ kind: 'filed' });
    expect(vault.model.requests.some(({ rawBody }) => rawBody.includes('Someone else changed'))).toBe(true);
    expectUnseen(vault, password, pin);
    expect(vault.text('bucket/gite.md')).toContain(`wifi: ${password}, carte: ${pin}`);
  });

  it('stays masked in the inbox when the conflicts do not end', async () => {
    const vault = await agentVault({ 'bucket/gite.md': 'wifi: 0\n' });
    const path = 'vault/bucket/gite.md';
    const file = join(vault.folder, 'bucket/gite.md');
    vault.model.respond((request, index) => {
      const [first, second] = masksIn(request.userTexts.join('\n').split('Code asks')[1] ?? '');
      const [, current = ''] = /^(wifi: .*)$/m.exec(readFileSync(file, 'utf8')) ?? [];
      const changed = `wifi: ${first}, carte: ${second}`;
      if (index % 2 === 0)
        return {
          calls: [
            { tool: 'read', input: { paths: [path] } },
            { tool: 'edit', input: { path, old: current, new: changed } },
          ],
        };
      writeFileSync(file, readFileSync(file, 'utf8').replace(current, `wifi: ${index}`));
      const calls = index === 1 ? [entry('Wifi')] : [];
      return { calls, text: 'Summary: The wifi of the gîte changed.' };
    });
    const update = await vault.file({ ...note, keepSecrets: true });
    const review = vault.text(`inbox/${askedItem(update)}/review.md`) ?? '';
    expect(review).toContain('# Conflicting edits');
    expect(review).toMatch(/wifi: \[secret \w+-1: password\], carte: \[secret \w+-2: code\]/);
    expect(wholeVault(vault)).not.toContain(password);
    expectUnseen(vault, password, pin);
  });
});

describe('the result of an update with secrets', () => {
  /** A model that writes masks into a task, a heading and its summary. */
  const spreading = (request: SeenRequest): { calls: Call[]; text: string } => {
    const [first = '', second = ''] = masksIn(request.userTexts.join('\n').split('Code asks')[1] ?? '');
    const content = `# Donner ${first} aux invités\nstatus: to-do | prio: medium | added: 2026-11-01\n\n- [ ] Essayer ${second}\n`;
    return {
      calls: [
        { tool: 'append', input: { path: 'vault/tasks.md', content, position: 'bottom' } },
        entry(`Wifi ${first}`),
      ],
      text: `Summary: Le wifi du gîte : ${first}, carte : ${second}.`,
    };
  };

  it('has masks in its receipt, also if they are kept in plain text', async () => {
    const vault = await agentVault({ 'tasks.md': '' });
    vault.model.respond(spreading);
    const update = await vault.file({ ...note, keepSecrets: true });
    expect(vault.text('tasks.md')).toContain(`# Donner ${password} aux invités`);
    expect(vault.text('tasks.md')).toContain(`- [ ] Essayer ${pin}`);
    const [tasks, changelog] = update.result?.kind === 'filed' ? (update.result.receipt?.files ?? []) : [];
    expect(tasks?.added).toEqual([
      expect.stringMatching(/^Donner \[secret \w{8}-1: password\] aux invités$/),
      expect.stringMatching(/^Essayer \[secret \w{8}-2: code\]$/),
    ]);
    expect(changelog?.added).toEqual([expect.stringMatching(/^Wifi \[secret \w{8}-1: password\]$/)]);
    for (const secret of [password, pin]) expect(stringsOf([update, vault.events])).not.toContain(secret);
  });

  it('names removed tasks without a secret of the input, to the model and to the user', async () => {
    const tasks = [
      'Acheter du café',
      `Demander au propriétaire de Kergoat pourquoi ${password}`,
      'Appeler Inès',
    ].map((title) => `# ${title}\nstatus: to-do | prio: medium | added: 2026-11-01\n`);
    const vault = await agentVault({ 'tasks.md': tasks.join('\n') });
    vault.model.answerRepairs();
    const text = 'Summary: Le wifi du gîte a changé.';
    const write = { path: 'vault/tasks.md', content: tasks[0], replace: true };
    vault.model.script(
      { calls: [{ tool: 'read', input: { paths: ['vault/tasks.md'] } }] },
      { calls: [{ tool: 'write', input: write }, entry('Wifi')], text },
      { text },
    );
    const update = await vault.file(note);
    expect(vault.model.requests[2]?.userTexts.at(-1)).toMatch(
      /Kergoat pourquoi \[secret \w{8}-1: password\]/,
    );
    expect(update.result).toMatchObject({
      kind: 'held',
      reason: {
        code: 'removes-unnamed',
        text: expect.stringMatching(/Kergoat pourquoi \[secret/),
      },
    });
    expect(stringsOf([update, vault.events])).not.toContain(password);
  });

  it.each([
    ['is held', `https://bob:${password}@example.org/a.png`],
    ['is held with a long address', `https://${'b'.repeat(62)}:${password}@example.org/a.png`],
  ])('has no secret in the reason if it %s', async (_, address) => {
    const vault = await agentVault();
    vault.model.respond((request) => {
      const [mask = ''] = masksIn(request.userTexts.join('\n').split('Code asks')[1] ?? '');
      const content = `![](${address.replace(password, mask)})\n`;
      return {
        calls: [{ tool: 'write', input: { path: 'vault/bucket/gite.md', content } }, entry('Wifi')],
        text: 'Summary: Le wifi du gîte a changé.',
      };
    });
    const update = await vault.file({ text: `Le mdp du wifi : ${password}`, keepSecrets: true });
    expect(update.result).toMatchObject({ kind: 'held', reason: { code: 'loads-from-elsewhere' } });
    expect(stringsOf([update, vault.events])).not.toContain(password.slice(0, 4));
  });

  it('has no secret in the reason if the model files nothing', async () => {
    const vault = await agentVault();
    vault.model.respond((request) => ({ text: `I read: ${request.userTexts.join(' ')}` }));
    const update = await vault.file(note);
    expect(vault.text(`inbox/${askedItem(update)}/review.md`)).toContain('filed nothing');
    for (const secret of [password, pin]) {
      expect(stringsOf([update, vault.events])).not.toContain(secret);
      expect(wholeVault(vault)).not.toContain(secret);
    }
  });
});
