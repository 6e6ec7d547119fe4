import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Files } from '../temporary-vault.ts';
import type { SeenRequest, Turn } from '../scripted-model/server.ts';
import { agentVault, anEntry, looking } from './agent-vault.ts';

const demo = 'packages/vault/demo/vault';

function demonstration(): Files {
  const paths = globSync('**/*', { cwd: demo, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    paths.map(({ parentPath, name }) => {
      const file = join(parentPath, name);
      return [file.slice(demo.length + 1), readFileSync(file)];
    }),
  );
}

/** Everything before the input, in the order in which providers match their cache. */
function beforeInput({ system, body, userTexts }: SeenRequest): string {
  const [context] = userTexts.join('\n').split(/^Today is \w+day \d/m);
  return [JSON.stringify(body['tools']), system, context].join('\n');
}

function sharedLength(first: string, second: string): number {
  let at = 0;
  while (at < first.length && first[at] === second[at]) at += 1;
  return at;
}

describe('the list of files that agents start with', () => {
  it('has rounded tokens and the day of the last change, of recently changed files at its end', async () => {
    const line = 'Forty characters, with this many words.\n';
    const { model, keepsake } = await agentVault(
      {
        'old.md': `---\nupdated: 2026-05-01T10:00:00\n---\n${line.repeat(810)}`,
        'notes/new.md': `---\nupdated: 2026-06-16T10:00:00\n---\n${line.repeat(9)}`,
      },
      { clock: () => new Date(2026, 5, 17, 9).getTime() },
    );
    model.script(looking, { text: 'Nothing.\nFound: no' });
    await keepsake.agents.ask('What is there?', new AbortController().signal);
    const [tree = '', recent = ''] = model.requests[0]?.userTexts[1]?.split('\n\nChanged last:\n\n') ?? [];
    expect(tree).toMatch(/^Files, with tokens and the day of the last change:\n\nvault\/\n├── /);
    expect(tree).toContain('\n├── old.md  [8k · 2026-05-01]\n');
    expect(tree).toMatch(/ └── new\.md\n/);
    expect(recent.split('\n').at(-1)).toBe('vault/notes/new.md  [100 · 2026-06-16]');
  });

  it('costs at most 2,100 tokens in the demo vault', async () => {
    const { model, keepsake } = await agentVault(demonstration(), {
      clock: () => new Date(2026, 5, 17, 9).getTime(),
    });
    model.script(looking, { text: 'Nothing.\nFound: no' });
    await keepsake.agents.ask('What is there?', new AbortController().signal);
    const list = model.requests[0]?.userTexts.find((text) => text.startsWith('Files, with')) ?? '';
    expect(list.split('\n').length).toBeGreaterThan(100);
    expect(list.length / 4).toBeLessThan(2_100);
  });
});

describe('the stable prefix of a request', () => {
  it('makes up at least 90% of everything before the input in consecutive updates of the demo vault', async () => {
    let now = new Date(2026, 5, 17, 9).getTime();
    const { model, file } = await agentVault(demonstration(), { clock: () => now });
    model.respond(({ toolResults }, index) =>
      toolResults.length === 0 ? anEntry(`The boiler is repaired, report ${index}`) : { text: 'Done.' },
    );
    const opening: SeenRequest[] = [];
    for (const day of [17, 17, 18]) {
      now = new Date(2026, 5, day, 9, opening.length).getTime();
      const seen = model.requests.length;
      await file({ text: `The boiler is repaired, report ${seen}` });
      opening.push(...model.requests.slice(seen, seen + 1));
    }
    const [first = '', second = '', nextDay = ''] = opening.map(beforeInput);
    expect(first.length).toBeGreaterThan(20_000);
    const shares = [second, nextDay].map((other) => sharedLength(first, other) / first.length);
    console.log(`prefix shared between updates: ${shares.map((share) => share.toFixed(3)).join(', ')}`);
    for (const share of shares) expect(share).toBeGreaterThanOrEqual(0.9);
  });

  it('keeps the overview and profile of the context when a file is added', async () => {
    const { model, file } = await agentVault({
      'overview.md': '# Overview\n\nThe house.\n',
      'profile.md': '# Profile\n\nTall.\n',
    });
    const addFile = (path: string): Turn => ({
      calls: [
        { tool: 'write', input: { path, content: 'A note\n' } },
        {
          tool: 'append',
          input: { path: 'vault/changelog.md', content: '# 2025-07-14\n\n## A note', position: 'top' },
        },
      ],
      text: 'Summary: filed it.',
    });
    // The first update adds the status to the overview.
    const paths = ['vault/a.md', 'vault/b.md', 'vault/c.md'];
    model.script(...paths.map(addFile));
    for (const path of paths) await file({ text: `A note in ${path}` });
    const [, first, second] = model.requests.map(({ body }) => body['messages'] as object[]);
    const [, description, files] = first ?? [];
    expect(JSON.stringify(description)).toContain('Tall.');
    expect(JSON.stringify(description)).not.toContain('Files, with tokens');
    expect(second?.slice(0, 2)).toEqual(first?.slice(0, 2));
    expect(JSON.stringify(files)).toContain('Files, with tokens');
    expect(second?.[2]).not.toEqual(files);
  });
});

it('the end of the stable prefix is marked for a provider with explicit caching', async () => {
  const { model, file } = await agentVault({}, { protocol: 'anthropic' });
  model.respond(({ toolResults }) => (toolResults.length === 0 ? anEntry('A note') : { text: 'Done.' }));
  await file({ text: 'A note' });
  type Block = { text?: string; cache_control?: object };
  const messages = model.requests[0]?.body['messages'] as { role: string; content: Block[] }[];
  const marked = messages
    .flatMap(({ content }) => content)
    .filter((block) => block.cache_control !== undefined);
  expect(marked.map(({ text }) => text?.slice(0, 9))).toEqual([
    'Current s',
    'Files, wi',
    expect.stringMatching(/^Today is /),
  ]);
});
