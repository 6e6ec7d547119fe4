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
    expect(report.leftOut).toEqual([
      { path: '2 messages', reason: 'an earlier version of a prompt or an answer' },
      { path: '2 tool calls', reason: 'calls and their results are not imported' },
      { path: '2 thoughts', reason: 'what a model thinks is not imported' },
      { path: 'chat.html', reason: 'the same conversations as a web page' },
      { path: 'user.json', reason: 'your account' },
    ]);
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
    await expect(run()).rejects.toThrow('damaged after 1 element');
    expect(snapshot(folder)).toEqual(before);
  });
});

/** A conversation with these messages, one below the other. */
const thread = (id: string, updated: number, ...messages: object[]): object => ({
  title: id,
  create_time: 1_752_503_400,
  update_time: updated,
  mapping: Object.fromEntries(
    messages.map((message, index) => {
      const parent = index === 0 ? null : `${index - 1}`;
      const children = index === messages.length - 1 ? [] : [`${index + 1}`];
      return [`${index}`, node(`${index}`, parent, children, message)];
    }),
  ),
  current_node: `${messages.length - 1}`,
  conversation_id: id,
});

describe('ChatGPT export with texts beside the messages', () => {
  const canvas = (recipient: string, input: object): object => ({
    ...says('assistant', [JSON.stringify(input)]),
    recipient,
  });
  const context = (about: string): object => ({
    ...says('user', []),
    content: { content_type: 'user_editable_context', user_profile: about, user_instructions: 'Be short.' },
    metadata: { is_visually_hidden_from_conversation: true },
  });

  it('contains attached texts, canvases, custom instructions and memories', async () => {
    const { run, read, folder } = await importVault({
      'conversations.json': JSON.stringify([
        thread(
          'essay',
          1_752_503_500,
          context('I live in Lyon.'),
          {
            ...says('user', ['Read this.']),
            metadata: {
              attachments: [
                { id: 'file-a1', name: 'Pasted text.txt' },
                { id: 'file-b2', name: 'scan.pdf' },
              ],
            },
          },
          canvas('canmore.create_textdoc', {
            name: 'Essay',
            type: 'document',
            content: '# Draft\n\nFirst words.',
          }),
          canvas('canmore.update_textdoc', {
            updates: [{ pattern: 'First', multiple: false, replacement: 'Second words' }],
          }),
          canvas('canmore.update_textdoc', {
            updates: [{ pattern: '.*', multiple: false, replacement: 'All new words.' }],
          }),
          { ...says('assistant', ['Has a cat named Mim.']), recipient: 'bio' },
          says('assistant', ['Done.']),
        ),
        thread('older', 1_752_503_401, context('I live in Paris.'), says('user', ['Hello'])),
      ]),
      'file-a1-Pasted text.txt': 'A long pasted letter.\n```\ncode\n```\n',
      'file-b2-scan.pdf': '%PDF-1.7',
      'file-a12-other.txt': 'of no message',
    });
    const report = await run();
    expect(report.added).toMatchObject({ conversations: 2, notes: 2 });
    const note = read('bucket/chatgpt/2025-07-14-essay.md');
    expect(note).toContain(
      'Read this.\n\n*Attached: scan.pdf*\n\n*Attached: Pasted text.txt*\n\n````\nA long pasted letter.\n```\ncode\n```\n````\n',
    );
    for (const text of [
      '*Canvas: Essay*\n\n```\n# Draft\n\nFirst words.\n```',
      '*Canvas: Essay (changed)*\n\n```\nSecond words\n```',
      '*Canvas: Essay*\n\n```\nAll new words.\n```',
    ])
      expect(note).toContain(text);
    expect(read('bucket/chatgpt/custom-instructions.md')).toContain('\n\nI live in Lyon.\n\nBe short.\n');
    expect(read('bucket/chatgpt/memory.md')).toContain('\n- Has a cat named Mim.\n');
    expect(report.leftOut).toEqual([
      { path: 'file-a12-other.txt', reason: 'named in its conversation, not imported' },
      { path: 'file-b2-scan.pdf', reason: 'named in its conversation, not imported' },
    ]);
    const before = snapshot(folder);
    expect(await run()).toMatchObject({ id: null, unchanged: 4 });
    expect(snapshot(folder)).toEqual(before);
  });
});

describe('Claude export with texts beside the messages', () => {
  const uses = (name: string, input: object): object => ({ type: 'tool_use', name, input });

  it('contains pasted texts, artifacts, project documents and memories', async () => {
    const answer = (...content: object[]): object => ({
      sender: 'assistant',
      text: '',
      content,
      attachments: [],
      files: [],
    });
    const { run, read, folder, keepsake } = await importVault({
      'conversations.json': JSON.stringify([
        {
          ...claude('aa', 'Lease'),
          chat_messages: [
            { sender: 'human', content: 'in another form' },
            {
              sender: 'human',
              text: '',
              content: [],
              attachments: [{ file_name: '', extracted_content: '# Pasted\n\nThe rent is 700.\n' }],
              files: [{ file_name: 'photo.jpg' }],
            },
            answer(
              { type: 'thinking', thinking: 'hmm' },
              { type: 'text', text: 'Here is a draft.' },
              uses('artifacts', {
                id: 'd',
                command: 'create',
                type: 'text/markdown',
                title: 'Letter',
                content: '# Letter\n\nDear Ada,',
              }),
              uses('artifacts', { id: 'd', command: 'update', old_str: 'Ada', new_str: 'Bob' }),
              uses('web_search', { query: 'rent' }),
            ),
            answer(
              uses('artifacts', { id: 'd', command: 'update', old_str: 'Dear', new_str: 'Hello' }),
              uses('create_file', { path: '/mnt/out/run.py', file_text: '# a comment\nprint(1)' }),
              uses('str_replace', { path: '/mnt/out/run.py', old_str: 'print(1)', new_str: 'print(2)' }),
            ),
          ],
        },
      ]),
      'projects.json': JSON.stringify([
        {
          uuid: 'p1',
          name: 'House / garden',
          description: 'All about it.',
          prompt_template: 'Answer in French.',
          created_at: '2025-01-02T03:04:05Z',
          docs: [
            {
              uuid: 'd1',
              filename: 'terms.pdf',
              content: 'The terms of the house.',
              created_at: '2025-01-03T00:00:00Z',
            },
            { uuid: 'd2', filename: 'notes.md', content: '# Notes\n\nWords.' },
            { uuid: 'd3', filename: 'main.py', content: '# comment' },
          ],
        },
        { uuid: 'p2', name: 'Empty', description: '', prompt_template: '', docs: [] },
      ]),
      'memories.json': JSON.stringify([
        {
          conversations_memory: 'Likes **trains**.',
          project_memories: { p1: 'The roof leaks.' },
          account_uuid: 'u',
        },
      ]),
      'users.json': '[]',
    });
    const report = await run();
    expect(report.added).toMatchObject({ conversations: 1, notes: 5 });
    expect(report.leftOut).toEqual([
      { path: '1 message', reason: 'not in a known form' },
      { path: '1 thought', reason: 'what a model thinks is not imported' },
      { path: '1 tool call', reason: 'calls and their results are not imported' },
      { path: 'users.json', reason: 'your account' },
    ]);
    const note = read('bucket/claude/2025-07-14-lease.md');
    expect(note).toContain(
      '## You\n\n*Attached: photo.jpg*\n\n*Attached: pasted text*\n\n```\n# Pasted\n\nThe rent is 700.\n```\n',
    );
    for (const text of [
      'Here is a draft.\n\n*Artifact: Letter*\n\n```markdown\n# Letter\n\nDear Ada,\n```',
      '*Artifact: Letter (changed)*\n\n```markdown\nBob\n```',
      '*Artifact: Letter*\n\n```markdown\n# Letter\n\nHello Bob,\n```',
      '*Artifact: run.py*\n\n```\n# a comment\nprint(2)\n```',
    ])
      expect(note).toContain(text);
    const projects = 'bucket/claude/projects/House - garden';
    expect(read(`${projects}/project.md`)).toContain(
      '# House / garden\n\nAll about it.\n\n## Instructions\n\nAnswer in French.\n',
    );
    expect(read(`${projects}/terms.pdf.md`)).toMatch(/created: 2025-01-03T[^]*\nThe terms of the house\.\n$/);
    expect(read(`${projects}/notes.md`)).toContain('# Notes\n\nWords.\n');
    expect(read(`${projects}/main.py.md`)).toContain('```py\n# comment\n```\n');
    expect(read('bucket/claude/memory.md')).toMatch(/Likes \*\*trains\*\*\.[^]*The roof leaks\./);
    const before = snapshot(folder);
    expect(await run()).toMatchObject({ id: null, unchanged: 6 });
    expect(snapshot(folder)).toEqual(before);
    expect(await undo(keepsake, report.id)).toBe('written');
    expect(filesIn(folder)).toEqual(['overview.md']);
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
      '# Le bail\n\n## You\n\nRésume ce fichier\n\n*Attached: photo.jpg*\n\n*Attached: bail.txt*\n\n```\nloyer\n```\n',
    );
    expect(note).toMatch(/## Claude\n\nLe loyer est de 700 €\.\n\n```\nunclosed\n```\n$/);
    expect(note).not.toContain('hmm');
    expect(await undo(keepsake, report.id)).toBe('written');
    expect(snapshot(folder)).toEqual(before);
  });
});
