import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { layOut } from '../temporary-vault.ts';
import type { Turn } from '../scripted-model/server.ts';
import { agentVault } from './agent-vault.ts';

const made = '---\ncreated: 2025-07-14T18:30:00\n---\n\n';
const project = {
  'projects/startup-x/state.md': `${made}## Status\nactive\n\n## Blocked by\nThe external API is late.\n`,
  'projects/startup-x/changelog.md': `${made}# 2025-07-01\n\n## Began\nFirst day.\n`,
};
const now = (): number => new Date(2025, 6, 14, 18, 30).getTime();

/** Acts like a model: searches, reads, changes three files and summarizes. */
const filing: Turn[] = [
  { text: 'Looking.', calls: [{ tool: 'search', input: { queries: ['external API'], mode: 'fast' } }] },
  { calls: [{ tool: 'read', input: { paths: 'vault/projects/startup-x/state.md' } }] },
  {
    calls: [
      {
        tool: 'edit',
        input: {
          path: 'vault/projects/startup-x/state.md',
          old: 'The external API is late.',
          new: 'Nothing: the API is built in house.',
        },
      },
      {
        tool: 'append',
        input: {
          path: 'vault/projects/startup-x/changelog.md',
          content: '# 2025-07-14\n\n## [decision] No external API\nThe supplier cannot deliver before June.',
          position: 'top',
        },
      },
      entry('startup-x builds the API itself'),
    ],
  },
  { text: 'Filed the decision in startup-x.' },
];

function entry(title: string) {
  const content = `# 2025-07-14\n\n## ${title}\nSee the project.`;
  return { tool: 'append', input: { path: 'vault/changelog.md', content, position: 'top' } };
}

const answering = (lines: string): Turn[] => [
  { calls: [{ tool: 'search', input: { queries: ['supplier deliver'], mode: 'fast' } }] },
  { calls: [{ tool: 'read', input: { paths: 'vault/projects/startup-x/changelog.md' } }] },
  {
    text: 'The API is built in house.\nThe reason is in the changelog of startup-x.',
    calls: [{ tool: 'concat', input: { files: [{ path: 'vault/projects/startup-x/changelog.md', lines }] } }],
  },
];

const evidence = (first: number): string =>
  [
    `\`\`\`vault/projects/startup-x/changelog.md (lines ${first}-${first + 1})`,
    `${String(first).padEnd(2)} | ## [decision] No external API`,
    `${String(first + 1).padEnd(2)} | The supplier cannot deliver before June.`,
    '```',
  ].join('\n');
const overview = 'The API is built in house.\nThe reason is in the changelog of startup-x.';

// The agents are tested with one protocol, and both protocols in packages/vault/src/models; this runs everything with
// each.
it.each(['openai', 'anthropic'] as const)(
  'with the %s protocol, a note is filed, is quoted verbatim in an answer even after its lines moved, and can be undone',
  async (protocol) => {
    const { model, file, text, keepsake, events, folder } = await agentVault(project, {
      protocol,
      clock: now,
    });
    const before = { state: text('projects/startup-x/state.md'), overview: text('overview.md') };
    model.script(...filing);
    const update = await file({ text: 'We drop the external API and build it ourselves.' });
    expect(update).toMatchObject({ state: 'done', attempts: 1, reason: null });
    expect(update.result).toMatchObject({
      kind: 'filed',
      summary: 'Not confirmed by the check of the changes: "Filed the decision in startup-x."',
      asked: null,
      paths: [
        'vault/projects/startup-x/state.md',
        'vault/projects/startup-x/changelog.md',
        'vault/changelog.md',
        'vault/overview.md',
      ],
      receipt: {
        files: [
          { path: 'vault/projects/startup-x/state.md', linesAdded: 1, linesRemoved: 1 },
          { path: 'vault/projects/startup-x/changelog.md', added: ['[decision] No external API'] },
          { path: 'vault/changelog.md', unit: 'entry', change: 'changed', removed: [] },
        ],
        notFiled: [],
        unsupported: [{ path: 'vault/projects/startup-x/changelog.md', values: ['June'] }],
      },
    });
    expect(text('projects/startup-x/state.md')).toBe(
      '---\ncreated: 2025-07-14T18:30:00\nupdated: 2025-07-14T18:30:00\ntokens: 18\n---\n\n' +
        '## Status\nactive\n\n## Blocked by\nNothing: the API is built in house.\n',
    );
    expect(text('changelog.md')?.match(/^## .*/gm)).toEqual(['## startup-x builds the API itself']);
    expect(text('overview.md')).toMatch(
      /# Overview\n\n<!-- keepsake:status -->\n2025-07-14 · inbox: 0\n<!-- \/keepsake:status -->\n$/,
    );
    expect(readdirSync(join(folder, 'inbox'))).toEqual([]);
    expect(events.map(({ type }) => type).filter((type) => type.startsWith('update'))).toEqual([
      'update-accepted',
      'update-started',
      'update-committed',
    ]);

    model.script(...answering('9-10'));
    const signal = new AbortController().signal;
    const answer = await keepsake.agents.ask('Why no external API?', signal);
    expect(answer.document).toBe(`${overview}\n\n---\n\n${evidence(9)}`);
    expect(answer.blocks).toMatchObject([
      { start: 9, end: 10, text: '## [decision] No external API\nThe supplier cannot deliver before June.' },
    ]);
    expect(model.requests.at(-2)?.toolResults.at(-1)?.text).toContain('[decision] No external API');

    const changelog = text('projects/startup-x/changelog.md') ?? '';
    layOut(folder, {
      'projects/startup-x/changelog.md': changelog.replace('# 2025-07-14', '# 2025-07-15\n\n# 2025-07-14'),
    });
    expect(await keepsake.verify(answer.document)).toMatchObject([
      { state: 'moved', start: 9, end: 10, now: { start: 11, end: 12 } },
    ]);
    model.script(...answering('11-12'));
    const again = await keepsake.agents.ask('Why no external API?', signal);
    expect(again.document).toBe(`${overview}\n\n---\n\n${evidence(11)}`);
    expect(await keepsake.verify(again.document)).toMatchObject([{ state: 'same' }]);

    layOut(folder, { 'projects/startup-x/changelog.md': changelog });
    expect((await keepsake.changes.undo(update.id)).kind).toBe('written');
    expect(text('projects/startup-x/state.md')).toBe(before.state);
    expect(text('overview.md')).toBe(before.overview);
    expect(text('changelog.md')).not.toContain('startup-x');
    expect(text('projects/startup-x/changelog.md')).toBe(project['projects/startup-x/changelog.md']);
  },
);

it('the update agent asks in the inbox when it cannot decide, and files the input with the answer', async () => {
  const { model, file, text, keepsake, folder } = await agentVault(project, { clock: now });
  const review =
    '# Which project?\n\nI looked for the call in all projects.\n\n**Is this about startup-x?**\n';
  model.script(
    {
      calls: [
        {
          tool: 'write',
          input: { path: 'vault/inbox/2025-07-14-the-call-went-well/review.md', content: review },
        },
        entry('A call that is not clear'),
      ],
    },
    { text: 'I ask in the inbox which project the call belongs to.' },
  );
  const asked = await file({ text: 'The call went well, they sign in August.' });
  const item = '2025-07-14-the-call-went-well';
  expect(asked.result).toMatchObject({ kind: 'filed', asked: item });
  expect(readdirSync(join(folder, 'inbox', item)).toSorted()).toEqual(['original.md', 'review.md']);
  expect(text(`inbox/${item}/original.md`)).toContain('The call went well, they sign in August.');
  expect(text('overview.md')).toContain('2025-07-14 · inbox: 1');
  expect(await keepsake.inbox()).toMatchObject([{ kind: 'question', item, review: review.trim() }]);

  model.script(
    {
      calls: [
        {
          tool: 'append',
          input: {
            path: 'vault/projects/startup-x/state.md',
            content: '## Next\nThey sign in August.',
            position: 'bottom',
          },
        },
        entry('startup-x: they sign in August'),
      ],
    },
    { text: 'Filed in startup-x.' },
  );
  const answered = await file({ text: 'Yes, startup-x.', inboxRef: item });
  expect(answered.result).toMatchObject({ kind: 'filed', asked: null });
  expect(model.requests.at(-2)?.userTexts.join('\n')).toContain('Is this about startup-x?');
  expect(text('projects/startup-x/state.md')).toContain('They sign in August.');
  expect(readdirSync(join(folder, 'inbox'))).toEqual([]);
  expect(text('overview.md')).toContain('2025-07-14 · inbox: 0');
  expect(await keepsake.inbox()).toEqual([]);

  for (const { id } of [answered, asked]) expect((await keepsake.changes.undo(id)).kind).toBe('written');
  expect(text('projects/startup-x/state.md')).toBe(project['projects/startup-x/state.md']);
  expect(text('changelog.md')?.match(/^## .*/gm)).toBeNull();
});
