import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Update } from '../../packages/vault/src/app/index.ts';
import type { SeenRequest } from '../scripted-model/server.ts';
import { agentVault, anEntry, anInput } from './agent-vault.ts';
import type { AgentVault } from './agent-vault.ts';

/** A real image of one color, so that images differ in their bytes. */
function png(red: number, green: number, blue: number): Buffer {
  const [width, height] = [3, 2];
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const rows = Buffer.from(
    Array.from({ length: height }, () => [0, ...repeat([red, green, blue], width)]).flat(),
  );
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND')]);
}

function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

const repeat = (values: number[], times: number): number[] =>
  Array.from({ length: times }, () => values).flat();
const [red, green, blue] = [png(255, 0, 0), png(0, 255, 0), png(0, 0, 255)];

type Part = {
  type: string;
  text?: string;
  content?: Part[];
  image_url?: { url: string };
  source?: { data: string };
};
type Message = { role: string; content: string | Part[] };

/** The position and bytes of each image in a request, in the order in which the model sees them. */
function imagesIn({ body }: SeenRequest): { where: 'user' | 'result'; after: string; bytes: Buffer }[] {
  const found: ReturnType<typeof imagesIn> = [];
  let before = '';
  const visit = (part: Part, where: 'user' | 'result'): void => {
    const data = part.source?.data ?? part.image_url?.url.replace(/^data:image\/png;base64,/, '');
    if (data !== undefined) found.push({ where, after: before, bytes: Buffer.from(data, 'base64') });
    for (const inner of part.content ?? []) visit(inner, 'result');
  };
  for (const { role, content } of body['messages'] as Message[]) {
    for (const part of Array.isArray(content) ? content : [])
      visit(part, role === 'tool' ? 'result' : 'user');
    before = role;
  }
  return found;
}

/** No text of a request contains an image in any encoding. */
function expectNoImageAsText({ userTexts, toolResults, system }: SeenRequest, ...images: Buffer[]): void {
  const texts = [system, ...userTexts, ...toolResults.map(({ text }) => text)].join('\n');
  for (const image of images) {
    expect(texts).not.toContain(image.toString('base64').slice(0, 40));
    expect(texts).not.toContain(JSON.stringify([...image]).slice(1, 40));
  }
  expect(texts).not.toContain('base64');
}

describe('an image', () => {
  it('is sent together with a text that names it, and stored byte for byte, if it is attached to an update', async () => {
    const { model, file, folder } = await agentVault();
    model.script(anEntry('A picture'));
    model.respond(() => ({ text: 'Kept the picture.' }));
    const update = await file({
      text: 'A picture.',
      files: [{ name: 'Red.PNG', bytes: red }],
    });
    const [first] = model.requests;
    if (first === undefined) throw new Error('no request');
    expect(first.images).toEqual({ inToolResults: 0, inUserMessages: 1 });
    expect(imagesIn(first).map(({ where, bytes }) => ({ where, bytes }))).toEqual([
      { where: 'user', bytes: red },
    ]);
    expect(first.userTexts.join('\n')).toMatch(/\[image vault\/inbox\/\S+\/Red\.png · png · 3×2\]/);
    expectNoImageAsText(first, red);
    expect(update.result).toMatchObject({ kind: 'filed' });
    expect(readFileSync(join(folder, 'bucket/Red.png'))).toEqual(red);
  });

  it.each([
    ['update', 'openai'],
    ['update', 'anthropic'],
    ['search', 'openai'],
  ] as const)('is sent to the %s agent where the %s protocol supports it', async (agent, protocol) => {
    const isInResult = protocol === 'anthropic';
    const { model, file, keepsake } = await agentVault(
      { 'bucket/green.png': green, 'bucket/blue.png': blue, 'bucket/note.md': 'Colours.\n' },
      { protocol },
    );
    const paths = ['bucket/green.png', 'bucket/note.md', 'bucket/blue.png'];
    model.script({
      calls: [
        { tool: 'read', input: { paths } },
        { tool: 'tree', input: {} },
      ],
    });
    model.respond(() => ({ text: 'Two colours.\nGreen and blue.' }));
    if (agent === 'update') await file({ text: 'Look at the pictures.' });
    else await keepsake.agents.ask('Which colours?', new AbortController().signal);
    const request = model.requests[1];
    if (request === undefined) throw new Error('no second request');
    expect(request.images).toEqual(
      isInResult ? { inToolResults: 2, inUserMessages: 0 } : { inToolResults: 0, inUserMessages: 2 },
    );
    const images = imagesIn(request);
    expect(images.map(({ bytes }) => bytes)).toEqual([green, blue]);
    // Outside results, they follow immediately in a message that names them.
    expect(images.map(({ where, after }) => ({ where, after }))).toEqual(
      isInResult
        ? [green, blue].map(() => ({ where: 'result', after: 'assistant' }))
        : [green, blue].map(() => ({ where: 'user', after: 'tool' })),
    );
    if (!isInResult)
      expect(request.userTexts.at(-1)).toMatch(
        /in this order: vault\/bucket\/green\.png, vault\/bucket\/blue\.png$/,
      );
    expect(request.toolResults[0]?.text).toMatch(
      /\[image vault\/bucket\/green\.png[^]*\[image vault\/bucket\/blue\.png/,
    );
    expect(request.toolResults.map(({ tool }) => tool)).toEqual(['read', 'tree']);
    for (const image of [green, blue]) expect(request.rawBody.split(image.toString('base64')).length).toBe(2);
    expectNoImageAsText(request, green, blue);
  });

  it('can be moved to a project by the update agent', async () => {
    const { model, file, folder } = await agentVault({ 'projects/x/state.md': 'active\n' });
    model.respond(({ userTexts }, index) => {
      const from = /vault\/inbox\/\S+\/red\.png/.exec(userTexts.join('\n'))?.[0];
      return index === 0
        ? { calls: [{ tool: 'move', input: { from, to: 'projects/x/bucket/red.png' } }] }
        : { text: 'Moved it.' };
    });
    await file({ text: 'A picture of x.', files: [{ name: 'red.png', bytes: red }] });
    expect(readFileSync(join(folder, 'projects/x/bucket/red.png'))).toEqual(red);
  });
});

describe('an image kept with a question', () => {
  it('goes to the bucket when the question is answered', async () => {
    const { model, keepsake, folder } = await agentVault({
      'inbox/2025-07-14-photo/review.md': 'Whose photo is it?\n',
      'inbox/2025-07-14-photo/photo.png': green,
    });
    model.script(anEntry('Of the owl'));
    model.respond(() => ({ text: 'It is of the owl.' }));
    const { updates } = keepsake.agents;
    const { id } = await updates.accept(anInput({ text: 'Of the owl.', inboxRef: '2025-07-14-photo' }));
    await updates.work(id, new AbortController().signal, () => undefined);
    expect(updates.find(id)).toMatchObject({ state: 'done', reason: null });
    expect(readFileSync(join(folder, 'bucket/photo.png'))).toEqual(green);
  });
});

describe('a file attached to an update', () => {
  const filed = async (name: string): Promise<{ vault: AgentVault; update: Update | undefined }> => {
    const vault = await agentVault();
    vault.model.script(anEntry('A contract'));
    vault.model.respond(() => ({ text: 'Filed.' }));
    const { updates } = vault.keepsake.agents;
    const bytes = Buffer.from('The contract.\n');
    const { id } = await updates.accept(
      anInput({ files: [{ name, bytes }], source: { kind: 'other', name: 'email' } }),
    );
    await updates.work(id, new AbortController().signal, () => undefined);
    return { vault, update: updates.find(id) };
  };

  it.each([
    ['is kept even if it is named original.md', 'original.md', /^bucket\/original(-2)?\.md$/],
    ['is kept if its name starts like a device name', 'aux.notes.md', /^bucket\/\S*aux\S*notes\S*\.md$/],
    [
      'is kept with a name truncated after a whole character',
      `${'a'.repeat(59)}𠀀𠀀.md`,
      /^bucket\/a+𠀀*\.md$/,
    ],
    [
      'does not pass for a question of the agent if it is named review.md',
      'review.md',
      /^bucket\/\S*review\S*\.md$/,
    ],
  ])('%s', async (_what, name, kept) => {
    const { vault, update } = await filed(name);
    expect(update).toMatchObject({ state: 'done', reason: null, result: { kind: 'filed', asked: null } });
    expect(vault.model.requests[0]?.userTexts.join('\n')).toContain('7  | The contract.');
    const files = readdirSync(vault.folder, { recursive: true, encoding: 'utf8' });
    expect(files.filter((path) => path.startsWith('bucket/'))).toEqual([expect.stringMatching(kept)]);
  });
});
