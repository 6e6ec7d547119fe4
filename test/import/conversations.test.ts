import { createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { importVault, undo } from './import-vault.ts';
import { filesIn, snapshot } from './snapshot.ts';

type Node = { id: string; parent: string | null; children: string[]; message: unknown };

const says = (role: string, parts: unknown[], more: object = {}): object => ({
  id: 'm',
  author: { role, name: null, metadata: {} },
  create_time: 1_752_503_401.2,
  update_time: null,
  content: { content_type: 'text', parts },
  status: 'finished_successfully',
  end_turn: true,
  weight: 1,
  metadata: {},
  recipient: 'all',
  channel: null,
  ...more,
});

const node = (id: string, parent: string | null, children: string[], message: unknown): Node => ({
  id,
  parent,
  children,
  message,
});

/** As exported by chatgpt.com: a tree in which one answer was regenerated. */
const chatgpt = (id: string, title: string, last = 'Use **VACUUM**.'): object => ({
  title,
  create_time: 1_752_503_400.123,
  update_time: 1_752_507_000.5,
  mapping: Object.fromEntries(
    [
      node('root', null, ['system'], null),
      node(
        'system',
        'root',
        ['question'],
        says('system', [''], { metadata: { is_visually_hidden_from_conversation: true } }),
      ),
      node('question', 'system', ['first', 'call'], {
        ...says('user', []),
        content: {
          content_type: 'multimodal_text',
          parts: [
            { content_type: 'image_asset_pointer', asset_pointer: 'file-service://file-abc', width: 10 },
            'How do I shrink it?\n\n```sql\nselect 1;\n```',
          ],
        },
        metadata: { attachments: [{ id: 'file-abc', name: 'schema.png', mime_type: 'image/png' }] },
      }),
      node('first', 'question', [], says('assistant', ['An unwanted answer.'])),
      node('call', 'question', ['result'], {
        ...says('assistant', []),
        content: { content_type: 'code', language: 'python', text: 'print(1)' },
        recipient: 'python',
      }),
      node('result', 'call', ['thoughts'], {
        ...says('tool', []),
        content: { content_type: 'execution_output', text: '1' },
      }),
      node('thoughts', 'result', ['second'], {
        ...says('assistant', []),
        content: { content_type: 'thoughts', thoughts: [] },
      }),
      node('second', 'thoughts', [], {
        ...says('assistant', [`${last} \ue200cite\ue202turn0search1\ue201`]),
        metadata: { model_slug: 'gpt-5' },
      }),
    ].map((each) => [each.id, each]),
  ),
  moderation_results: [],
  current_node: 'second',
  conversation_id: id,
  id,
  is_archived: false,
  default_model_slug: 'auto',
});

const claude = (uuid: string, name: string): object => ({
  uuid,
  name,
  summary: '',
  created_at: '2025-07-14T16:30:00.000000Z',
  updated_at: '2025-07-15T08:00:00.000000Z',
  account: { uuid: 'a' },
  chat_messages: [
    {
      uuid: 'm1',
      text: 'Résume ce fichier',
      content: [{ type: 'text', text: 'Résume ce fichier', citations: [] }],
      sender: 'human',
      created_at: '2025-07-14T16:30:00.000000Z',
      attachments: [{ file_name: 'bail.txt', file_size: 10, file_type: 'txt', extracted_content: 'loyer' }],
      files: [{ file_name: 'photo.jpg' }],
    },
    {
      uuid: 'm2',
      text: 'Le loyer est de 700 €.',
      content: [
        { type: 'thinking', thinking: 'hmm' },
        { type: 'tool_use', name: 'artifacts', input: {} },
        { type: 'text', text: 'Le loyer est de 700 €.\n\n```\nunclosed' },
      ],
      sender: 'assistant',
      attachments: [],
      files: [],
    },
  ],
});

async function zip(file: string, entries: Record<string, string | Buffer>): Promise<string> {
  const archive = new ZipFile();
  for (const [name, content] of Object.entries(entries))
    archive.addBuffer(Buffer.from(content as string), name, { mtime: new Date('2025-08-01T00:00:00') });
  archive.end();
  await finished(archive.outputStream.pipe(createWriteStream(file)));
  return file;
}

describe('ChatGPT export', () => {
  it('becomes a note for each conversation, as the user last saw it', async () => {
    const { run, read, folder } = await importVault({
      'conversations.json': JSON.stringify([
        chatgpt('11', 'SQLite: too large?'),
        chatgpt('22', 'SQLite too large'),
      ]),
      'user.json': '{}',
      'chat.html': '<html></html>',
    });
    const report = await run();
    expect(report).toMatchObject({
      kind: 'chatgpt',
      into: 'vault/bucket/chatgpt',
      added: { conversations: 2 },
    });
    expect(report.leftOut).toMatchObject([{ path: '2 other files of the export' }]);
    expect(filesIn(folder)).toEqual([
      'bucket/chatgpt/2025-07-14-sqlite-too-large-2.md',
      'bucket/chatgpt/2025-07-14-sqlite-too-large.md',
      'overview.md',
    ]);
    expect(
      read('bucket/chatgpt/2025-07-14-sqlite-too-large.md').replace(/^(?:created|updated): .*\n/gm, ''),
    ).toBe(
      [
        '---',
        'tokens: 32',
        'type: conversation',
        'source: chatgpt',
        'id: "11"',
        'title: "SQLite: too large?"',
        'model: gpt-5',
        '---',
        '',
        '# SQLite: too large?',
        '',
        '## You',
        '',
        'How do I shrink it?',
        '',
        '```sql',
        'select 1;',
        '```',
        '',
        '*Attached: schema.png*',
        '',
        '## ChatGPT',
        '',
        'Use **VACUUM**.',
        '',
      ].join('\n'),
    );
  });

  it('updates continued and renamed conversations from a newer export, but not those that the user changed', async () => {
    const { run, source, folder, read } = await importVault({});
    const file = join(source, '../export.zip');
    await zip(file, { 'conversations.json': JSON.stringify([chatgpt('11', 'One'), chatgpt('22', 'Two')]) });
    await run({ source: file });
    writeFileSync(join(folder, 'bucket/chatgpt/2025-07-14-two.md'), 'mine\n');
    const newer = join(source, '../newer.zip');
    await zip(newer, {
      'export/conversations-000.json': JSON.stringify([chatgpt('11', 'Renamed', 'More.')]),
      'export/conversations-001.json': JSON.stringify([
        chatgpt('22', 'Two', 'More.'),
        chatgpt('33', 'Three'),
      ]),
      'export/user.json': '{}',
    });
    const report = await run({ source: newer });
    expect(report).toMatchObject({
      replaced: 1,
      added: { conversations: 1 },
      kept: [{ path: '2025-07-14-two.md' }],
    });
    expect(read('bucket/chatgpt/2025-07-14-one.md')).toContain('More.');
    expect(read('bucket/chatgpt/2025-07-14-two.md')).toBe('mine\n');
  });

  it('is rejected with the position of the damage if it is truncated', async () => {
    const { run, folder } = await importVault({
      'conversations.json': `${JSON.stringify([chatgpt('1', 'One')]).slice(0, -1)},{"mapping": {"a"`,
    });
    const before = snapshot(folder);
    await expect(run()).rejects.toThrow('damaged after 1 conversations');
    expect(snapshot(folder)).toEqual(before);
  });
});

describe('Claude export', () => {
  it('becomes a note for each conversation', async () => {
    const { run, read, keepsake, folder } = await importVault({
      'conversations.json': JSON.stringify([
        claude('aa', 'Le bail'),
        { ...claude('bb', ''), chat_messages: [] },
      ]),
      'users.json': '[]',
    });
    const before = snapshot(folder);
    const report = await run();
    expect(report).toMatchObject({
      kind: 'claude',
      into: 'vault/bucket/claude',
      added: { conversations: 1 },
    });
    const note = read('bucket/claude/2025-07-14-le-bail.md');
    expect(note).toContain(
      '# Le bail\n\n## You\n\nRésume ce fichier\n\n*Attached: bail.txt*\n\n*Attached: photo.jpg*',
    );
    expect(note).toMatch(/## Claude\n\nLe loyer est de 700 €\.\n\n```\nunclosed\n```\n$/);
    expect(note).not.toContain('hmm');
    expect(await undo(keepsake, report.id)).toBe('written');
    expect(snapshot(folder)).toEqual(before);
  });
});
