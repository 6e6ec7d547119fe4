import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { UpdateInput } from '../../packages/vault/src/contract/index.ts';
import { onePage, stream, words } from '../intake/hostile/pdf-file.ts';
import { mail } from '../intake/mails.ts';
import type { Turn } from '../scripted-model/server.ts';
import { layOut } from '../temporary-vault.ts';
import type { Files } from '../temporary-vault.ts';
import { agentVault } from './agent-vault.ts';
import type { AgentVault } from './agent-vault.ts';

const now = (): number => new Date(2025, 6, 14, 18, 30).getTime();
const csv = 'tool;count\nhammer;3\n';
const item = 'vault/inbox/2025-07-14-the-stock-964e';
const stock: Partial<UpdateInput> = {
  text: 'The stock',
  files: [{ name: 'stock.csv', bytes: Buffer.from(csv) }],
};

const move = (from: string, to: string) => ({ tool: 'move', input: { from, to } });
const entry = {
  tool: 'append',
  input: { path: 'vault/changelog.md', content: '# 2025-07-14\n\n## Stock\nCounted.', position: 'top' },
};
const done: Turn = { text: 'Filed it.' };

/** Files the stock with an agent that makes these calls. */
async function fileStock(
  calls: readonly { tool: string; input: unknown }[],
  files: Files = {},
): Promise<AgentVault> {
  const vault = await agentVault(files, { clock: now });
  vault.model.script({ calls: [...calls, entry] }, done);
  const { result } = await vault.file(stock);
  expect(result).toMatchObject({ kind: 'filed' });
  return vault;
}

type Kept = { original: string; content: string; isRead: boolean };

/** The original that a note names, which must exist, and whether the note contains its text. */
function originalOf({ folder, text }: AgentVault, note: string): Kept {
  const named = /^original: "?(.*?)"?$/m.exec(text(note) ?? '')?.[1] ?? '';
  const original = join(note, '..', named);
  return {
    original,
    content: readFileSync(join(folder, original), 'utf8'),
    isRead: text(note)?.includes('| hammer | 3') === true,
  };
}

const keptAt = (original: string): Kept => ({ original, content: csv, isRead: true });

describe('the original of a document', () => {
  it('is hidden from the model and goes to the bucket with the text that the model saw', async () => {
    const vault = await fileStock([]);
    const [first] = vault.model.requests;
    expect(first?.userTexts.at(-1)).toContain('| hammer | 3');
    expect(first?.rawBody).not.toContain('hammer;3');
    expect(originalOf(vault, 'bucket/stock.md')).toEqual(keptAt('bucket/stock.csv'));
    expect(vault.text('bucket/stock.md')).toContain('type: csv\nsource: stock.csv\n');
    expect(readdirSync(join(vault.folder, 'inbox'))).toEqual([]);
  });

  it('follows its note into the bucket of a project', async () => {
    const vault = await fileStock([move(`${item}/stock.md`, 'vault/projects/shop/bucket/2025-stock.md')]);
    expect(originalOf(vault, 'projects/shop/bucket/2025-stock.md')).toEqual(
      keptAt('projects/shop/bucket/stock.csv'),
    );
  });

  it('goes to the bucket of the project even if its note is elsewhere in the project', async () => {
    const vault = await fileStock([
      move(`${item}/stock.md`, 'vault/bucket/a.md'),
      move('vault/bucket/a.md', 'vault/projects/shop/stock.md'),
    ]);
    expect(originalOf(vault, 'projects/shop/stock.md')).toEqual(keptAt('projects/shop/bucket/stock.csv'));
  });

  it('goes to the bucket of the project even if its note is in another folder named bucket', async () => {
    const vault = await fileStock([move(`${item}/stock.md`, 'vault/projects/shop/old/bucket/stock.md')]);
    expect(originalOf(vault, 'projects/shop/old/bucket/stock.md')).toEqual(
      keptAt('projects/shop/bucket/stock.csv'),
    );
  });

  it('gets another name if its own is taken', async () => {
    const vault = await fileStock([], { 'bucket/stock.csv': 'old\n', 'bucket/stock.md': 'old\n' });
    expect(originalOf(vault, 'bucket/stock-2.md')).toEqual(keptAt('bucket/stock-2.csv'));
    expect(vault.text('bucket/stock.csv')).toBe('old\n');
  });

  it('is kept together with its note even if the agent deletes the note', async () => {
    const vault = await fileStock([{ tool: 'delete', input: { path: `${item}/stock.md` } }]);
    expect(originalOf(vault, 'bucket/stock.md')).toEqual(keptAt('bucket/stock.csv'));
  });

  it('stays in the inbox with the question and follows its note once the question is answered', async () => {
    const review = { tool: 'write', input: { path: `${item}/review.md`, content: 'Which shop?\n' } };
    const vault = await fileStock([review]);
    expect(originalOf(vault, 'inbox/2025-07-14-the-stock-964e/stock.md')).toEqual(
      keptAt('inbox/2025-07-14-the-stock-964e/stock.csv'),
    );
    vault.model.script({ calls: [move(`${item}/stock.md`, 'vault/projects/shop/bucket/'), entry] }, done);
    await vault.file({ text: 'The one in town.', inboxRef: '2025-07-14-the-stock-964e' });
    expect(originalOf(vault, 'projects/shop/bucket/stock.md')).toEqual(
      keptAt('projects/shop/bucket/stock.csv'),
    );
    expect(readdirSync(join(vault.folder, 'inbox'))).toEqual([]);
  });

  it.each(['vault/projects/shop/stock.csv', 'vault/notes/bucket/stock.csv'])(
    'cannot be moved to %s by an agent, because documents belong in buckets',
    async (place) => {
      const review = { tool: 'write', input: { path: `${item}/review.md`, content: 'Which shop?\n' } };
      const vault = await fileStock([review]);
      layOut(vault.folder, { 'projects/shop/state.md': 'Open.\n' });
      vault.model.script({ calls: [move(`${item}/stock.csv`, place), entry] }, done);
      await vault.file({ text: 'The one in town.', inboxRef: '2025-07-14-the-stock-964e' });
      expect(
        vault.model.requests
          .at(-1)
          ?.toolResults.map(({ text }) => text)
          .join('\n'),
      ).toContain('documents can only be stored in a bucket');
      expect(originalOf(vault, 'bucket/stock.md')).toEqual(keptAt('bucket/stock.csv'));
    },
  );

  it('is removed with everything else when the update is undone', async () => {
    const vault = await fileStock([]);
    const [update] = vault.keepsake.agents.updates.list({ limit: 1 });
    expect((await vault.keepsake.changes.undo(update?.id ?? '')).kind).toBe('written');
    for (const name of ['stock.md', 'stock.csv'])
      expect(existsSync(join(vault.folder, 'bucket', name))).toBe(false);
  });
});

describe('files that a note links to', () => {
  const folder = 'vault/inbox/letters';
  const note = [
    '[a](<my file.pdf>) and [b](my%20file.pdf#page=2), ![[Plan.png|200]]',
    '`[code](<my file.pdf>)`',
    '[there](../../tasks.md) [[tasks]] [other](other.md)',
  ].join('\n');

  /** Answers the question about letters with an agent that makes these calls. */
  async function answer(calls: readonly { tool: string; input: unknown }[]): Promise<AgentVault> {
    const vault = await agentVault({}, { clock: now });
    layOut(vault.folder, {
      'inbox/letters/review.md': 'Where to?\n',
      'inbox/letters/note.md': `${note}\n`,
      'inbox/letters/other.md': '[note](note.md)\n',
      'inbox/letters/my file.pdf': 'pdf',
      'inbox/letters/Plan.png': 'png',
      'projects/shop/plan.png': 'another',
    });
    vault.model.script({ calls: [...calls, entry] }, done);
    expect((await vault.file({ text: 'To the shop.', inboxRef: 'letters' })).result).toMatchObject({
      kind: 'filed',
    });
    return vault;
  }

  it('move with the note, whatever the kind of link, and the links keep working', async () => {
    const vault = await answer([move(`${folder}/note.md`, 'vault/projects/shop/note.md')]);
    expect(readdirSync(join(vault.folder, 'projects/shop/bucket')).toSorted()).toEqual([
      'Plan.png',
      'my file.pdf',
      'other.md',
    ]);
    expect(vault.text('projects/shop/note.md')?.split('\n').slice(-4, -1)).toEqual([
      '[a](<bucket/my file.pdf>) and [b](bucket/my%20file.pdf#page=2), ![[projects/shop/bucket/Plan.png|200]]',
      '`[code](<my file.pdf>)`',
      '[there](../../tasks.md) [[tasks]] [other](bucket/other.md)',
    ]);
    expect(vault.text('projects/shop/bucket/other.md')).toContain('[note](../note.md)');
  });

  it('stay linked when the agent moves them elsewhere', async () => {
    const vault = await answer([
      move(`${folder}/note.md`, 'vault/projects/shop/bucket/note.md'),
      move(`${folder}/my file.pdf`, 'vault/bucket/mine.pdf'),
      move(`${folder}/other.md`, 'vault/other.md'),
    ]);
    const text = vault.text('projects/shop/bucket/note.md');
    expect(text).toContain('[a](<../../../bucket/mine.pdf>) and [b](../../../bucket/mine.pdf#page=2)');
    expect(text).toContain('[other](../../../other.md)');
    expect(vault.text('other.md')).toContain('[note](projects/shop/bucket/note.md)');
  });
});

describe('an email with a PDF', () => {
  it('is filed in a project and found by a word that only the PDF contains', async () => {
    const vault = await agentVault({ 'projects/flat/state.md': '# Flat\n\nRented.\n' }, { clock: now });
    const pdf = onePage(stream(words('The deposit is refunded by the Zwirnerstrasse office.')));
    const letter = {
      subject: 'Your deposit',
      text: 'Please see the letter.',
      attachments: [{ filename: 'letter.pdf', content: pdf }],
    };
    const { bytes } = await mail(letter, { date: 'Wed, 9 Jul 2025 08:00:00 +0200' });
    const folder = 'vault/inbox/2025-07-14-your-deposit-md-ecf7';
    vault.model.script(
      { calls: [move(`${folder}/Your-deposit.md`, 'vault/projects/flat/bucket/'), entry] },
      done,
    );
    const { result } = await vault.file({
      files: [{ name: 'Your deposit.eml', bytes: Buffer.from(bytes) }],
      source: { kind: 'other', name: 'email' },
    });
    expect(result).toMatchObject({ kind: 'filed' });
    const opening = vault.model.requests[0]?.userTexts.join('\n') ?? '';
    expect(opening).toContain('Zwirnerstrasse');
    // "Tomorrow" in the email refers to this date.
    expect(opening).toMatch(/\| date: 2025-07-09T08:00:00\S*\n/);
    expect(readdirSync(join(vault.folder, 'projects/flat/bucket')).toSorted()).toEqual([
      'Your-deposit.eml',
      'Your-deposit.md',
      'letter.md',
      'letter.pdf',
    ]);
    expect(vault.text('projects/flat/bucket/Your-deposit.md')).toContain('[letter.pdf](letter.md)');
    expect(readFileSync(join(vault.folder, 'projects/flat/bucket/letter.pdf'))).toEqual(pdf);
    const found = await vault.keepsake.callTool({
      tool: 'search',
      input: { queries: ['Zwirnerstrasse'], mode: 'fast' },
      reader: 'person',
      origin: 'test',
    });
    const text = found.kind === 'result' ? found.result.text : found.message;
    expect(text.match(/vault\/\S+\.(?:md|pdf|eml)/g)).toEqual(['vault/projects/flat/bucket/letter.md']);
  });
});

const recording = Buffer.from('49443303000000000000fffb9000', 'hex');

describe('a recording', () => {
  const files = [{ name: 'memo.mp3', bytes: recording }];

  it('is filed as a transcript, and the original is kept', async () => {
    const vault = await agentVault({}, { clock: now, transcription: 'openai-compatible/whisper' });
    vault.model.script({ text: 'Buy a hammer, please.' }, { calls: [entry] }, done);
    expect((await vault.file({ files })).result).toMatchObject({ kind: 'filed' });
    expect(vault.text('bucket/memo.md')).toMatch(/\ntype: audio\n[^]*\nBuy a hammer, please\.\n$/);
    expect(readFileSync(join(vault.folder, 'bucket/memo.mp3'))).toEqual(recording);
  });

  it('is rejected without a transcription model, with a hint on how to set one up', async () => {
    const { file } = await agentVault({}, { clock: now });
    await expect(file({ files })).rejects.toThrow(
      /memo\.mp3: .*no transcription model.*keepsake config transcription/,
    );
  });
});

describe('unreadable files', () => {
  it.each([
    ['program.exe', Buffer.from('4d5a90000300000004000000ffff0000', 'hex')],
    ['notes.zip', Buffer.from('504b0506000000000000000000000000000000000000', 'hex')],
    ['talk.mp3', recording],
  ])('are rejected before the input is accepted: %s', async (name, bytes) => {
    const { keepsake } = await agentVault({}, { clock: now });
    const files = [...(stock.files ?? []), { name, bytes: bytes }];
    const input = { text: 'x', files, source: { kind: 'person' as const, name: 'test' } };
    await expect(keepsake.accept(input)).rejects.toThrow(name);
    expect(keepsake.agents.updates.list({ limit: 10 })).toEqual([]);
  });
});
