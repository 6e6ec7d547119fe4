import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { UpdateInput } from '../../packages/vault/src/contract/index.ts';
import type { Call } from '../scripted-model/server.ts';
import { agentVault } from './agent-vault.ts';
import type { AgentVault } from './agent-vault.ts';
import { keepsake } from './command-line.ts';

const day = 86_400_000;
const start = Date.parse('2026-11-02T09:00:00');

const entry = (title: string): Call => ({
  tool: 'append',
  input: { path: 'vault/changelog.md', content: `# 2026-11-02\n\n## ${title}\n`, position: 'top' },
});

/** Files a note and its entry, whatever the input is. */
const filing = (name: string): { calls: Call[]; text: string } => ({
  calls: [
    {
      tool: 'write',
      input: { path: `vault/bucket/${name}.md`, content: 'The rent rises to 870 euros in January.\n' },
    },
    entry(name),
  ],
  text: 'Summary: Filed the new rent of 870 euros in January.',
});

async function vaultWithRent(now: { at: number } = { at: start }): Promise<AgentVault> {
  return agentVault({}, { clock: () => now.at });
}

const rent = { text: 'The rent rises to 870 euros in January.' };
const longText = 'The rent rises to 870 euros in January. '.repeat(13).slice(0, 500);
const plan = { name: 'plan.md', bytes: Buffer.from('# Plan\n\nRent: 870 euros.\n') };
const pastedMail = { text: `Subject: Rent\nMessage-ID: <one@example.org>\n\n${rent.text}` };

const mail = (messageId: string, received: string): UpdateInput['files'] => [
  {
    name: `${received}.eml`,
    bytes: Buffer.from(
      [
        `Received: from ${received}.example.org`,
        `Message-ID: ${messageId}`,
        'From: Ada <ada@example.org>',
        'Subject: Rent',
        'Date: Mon, 2 Nov 2026 09:00:00 +0100',
        '',
        'The rent rises to 870 euros in January.',
        '',
      ].join('\r\n'),
    ),
  },
];

describe('an input with the same content as a filed one', () => {
  it.each<[string, Partial<UpdateInput>, number]>([
    ['within 24 hours', rent, day],
    ['with files, however much later', { ...rent, files: [plan] }, 400 * day],
    ['with the Message-ID of a mail, however much later', pastedMail, 400 * day],
    ['with at least 500 characters, however much later', { text: longText }, 400 * day],
  ])('is known without a model %s', async (_, input, delay) => {
    const now = { at: start };
    const vault = await vaultWithRent(now);
    vault.model.script(filing('rent'));
    const first = await vault.file(input);
    expect(first.result?.kind).toBe('filed');
    const asked = vault.model.requests.length;
    now.at += delay;
    const again = await vault.file({ ...input, text: `${input.text}\r\n` });
    expect(vault.model.requests).toHaveLength(asked);
    expect(again.result).toEqual({
      kind: 'unchanged',
      summary: `Already filed on 2026-11-02 (update ${first.id.slice(0, 8)}).`,
      known: expect.arrayContaining(['vault/bucket/rent.md', 'vault/changelog.md']),
      earlier: { id: first.id, at: start },
    });
    expect(again.spent).toBeNull();
  });

  it.each<[string, Partial<UpdateInput>]>([
    ['a short text', { text: 'Paid the rent.' }],
    ['a text of less than 500 characters', { text: longText.slice(0, 499) }],
  ])('is another event after more than 24 hours: %s', async (_, input) => {
    const now = { at: start };
    const vault = await vaultWithRent(now);
    for (const name of ['october', 'november', 'december']) {
      vault.model.script(filing(name));
      expect((await vault.file(input)).result?.kind).toBe('filed');
      now.at += day + 1;
    }
  });

  it('is reported by the command line, which can file it again', async () => {
    const vault = await agentVault();
    vault.model.script(filing('rent'));
    await keepsake(vault, ['add', rent.text, '--wait']);
    const second = await keepsake(vault, ['add', rent.text, '--wait']);
    expect(second.stdout).toMatch(/^Already filed on [\d-]{10} \(update \w{8}\)\.\n\nnothing was changed\n/);
    expect(second.stdout).toContain('to file it anyway, repeat the command with --again\n');
    vault.model.script(filing('rent-again'));
    const third = await keepsake(vault, ['add', rent.text, '--again', '--wait']);
    expect(third.stdout).toContain('vault/bucket/rent-again.md');
  });

  it.each<[string, (vault: AgentVault, id: string) => Promise<unknown>]>([
    ['was undone', (vault, id) => vault.keepsake.changes.undo(id)],
    [
      'was undone in one file',
      async ({ keepsake: { changes } }, id) => {
        const all = await changes.find(id)?.changes();
        return changes.undo(id, { path: all?.find(({ path }) => path.endsWith('rent.md'))?.path });
      },
    ],
    ['lost its note', async (vault) => rmSync(join(vault.folder, 'bucket/rent.md'))],
  ])('goes to the model if the earlier one %s', async (_, change) => {
    const vault = await vaultWithRent();
    vault.model.script(filing('rent'));
    await change(vault, (await vault.file(rent)).id);
    vault.model.script(filing('rent-again'));
    expect((await vault.file(rent)).result?.kind).toBe('filed');
  });

  it('is known again once the undo was undone', async () => {
    const vault = await vaultWithRent();
    vault.model.script(filing('rent'));
    const { id } = await vault.file(rent);
    const undone = await vault.keepsake.changes.undo(id);
    await vault.keepsake.changes.undo(undone.kind === 'written' ? undone.id : '');
    expect((await vault.file(rent)).result).toMatchObject({ kind: 'unchanged', earlier: { id } });
  });

  it('goes to the model if the earlier one is held, and is known once that was approved', async () => {
    const vault = await vaultWithRent();
    const source = { kind: 'other', name: 'a mail' } as const;
    const holding = (name: string): ReturnType<typeof filing> => ({
      ...filing(name),
      calls: [
        ...filing(name).calls,
        {
          tool: 'append',
          input: { path: 'vault/profile.md', content: `Pays ${name}.`, position: 'bottom' },
        },
      ],
    });
    vault.model.script(holding('rent'));
    const first = await vault.file({ ...rent, source });
    expect(first.result?.kind).toBe('held');
    vault.model.script(holding('rent-2'));
    expect((await vault.file({ ...rent, source })).result?.kind).toBe('held');
    await vault.keepsake.changes.approve(first.id);
    expect((await vault.file({ ...rent, source })).result).toMatchObject({
      kind: 'unchanged',
      earlier: { id: first.id },
    });
  });

  it('goes to the model if the earlier one failed', async () => {
    const vault = await vaultWithRent();
    vault.model.script({ fault: 'status', status: 401 });
    expect((await vault.file(rent)).state).toBe('parked');
    vault.model.script(filing('rent'));
    expect((await vault.file(rent)).result?.kind).toBe('filed');
  });

  it('goes to the model if the user wants it filed again, or says in their own words what others wrote', async () => {
    const vault = await vaultWithRent();
    for (const [name, input] of [
      ['a', { source: { kind: 'other', name: 'a mail' } }],
      ['b', {}],
      ['c', { again: true }],
    ] as const) {
      vault.model.script(filing(`rent-${name}`));
      expect((await vault.file({ ...rent, ...input })).result?.kind).toBe('filed');
    }
  });

  it('is known while its question is open, and goes to the model once that was answered', async () => {
    const vault = await vaultWithRent();
    vault.model.respond((request) => {
      const [, folder = ''] = /stored in vault\/inbox\/([\w-]+)/.exec(request.userTexts.join('')) ?? [];
      const question = { path: `vault/inbox/${folder}/review.md`, content: 'Which flat?\n' };
      return {
        calls: [{ tool: 'write', input: question }, entry('Asked')],
        text: 'Summary: Asked which flat.',
      };
    });
    const first = await vault.file(rent);
    const asked = first.result?.kind === 'filed' ? first.result.asked : null;
    expect(asked).not.toBeNull();
    expect((await vault.file(rent)).result).toMatchObject({ kind: 'unchanged', earlier: { id: first.id } });
    vault.model.script(filing('answered'));
    await vault.file({ text: 'The one in Brest.', inboxRef: asked ?? '' });
    vault.model.script(filing('rent'));
    expect((await vault.file(rent)).result?.kind).toBe('filed');
  });

  it('is the same mail by its Message-ID, and another one with another', async () => {
    const vault = await vaultWithRent();
    const source = { kind: 'other', name: 'mail' } as const;
    vault.model.script(filing('rent'));
    const first = await vault.file({ files: mail('<one@example.org>', 'imap'), source });
    expect(first.result?.kind).toBe('filed');
    expect((await vault.file({ files: mail('<one@example.org>', 'pop'), source })).result).toMatchObject({
      kind: 'unchanged',
      earlier: { id: first.id },
    });
    vault.model.script(filing('rent-2'));
    expect((await vault.file({ files: mail('<two@example.org>', 'imap'), source })).result?.kind).toBe(
      'filed',
    );
  });

  it('goes to the model if it differs only in a secret', async () => {
    const vault = await vaultWithRent();
    vault.model.script(filing('wifi'));
    await vault.file({ text: 'The wifi has changed: mdp Xk9!vB2q' });
    expect((await vault.file({ text: 'The wifi has changed: mdp Xk9!vB2q' })).result?.kind).toBe('unchanged');
    vault.model.script(filing('wifi-2'));
    expect((await vault.file({ text: 'The wifi has changed: mdp Zz8?pQ4w' })).result?.kind).toBe('filed');
  });

  it('goes to the model if it answers a question', async () => {
    const vault = await agentVault({
      'inbox/2026-11-01-a/review.md': 'Which flat?\n',
      'inbox/2026-11-01-a/original.md': 'The rent rises to 870 euros.\n',
      'inbox/2026-11-01-b/review.md': 'Which contract?\n',
      'inbox/2026-11-01-b/original.md': 'The contract of 2025 ends.\n',
    });
    for (const item of ['a', 'b']) {
      vault.model.script(filing(`answer-${item}`));
      const { result } = await vault.file({ text: 'The one in Brest', inboxRef: `2026-11-01-${item}` });
      expect(result?.kind).toBe('filed');
    }
  });
});
