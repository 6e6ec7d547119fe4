import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startBackgroundTidying, readEnvironment } from '../../packages/vault/src/app/index.ts';
import type { SeenRequest, Turn } from '../scripted-model/server.ts';
import { runCommand } from '../run-command.ts';
import { agentVault } from './agent-vault.ts';
import type { AgentVault, AgentVaultOptions } from './agent-vault.ts';
import { untidyVault } from './untidy-vault.ts';
import type { Planted } from './untidy-vault.ts';

const evening = new Date(2026, 10, 18, 21, 30).getTime();

const files = {
  'projects/house/tasks.md':
    '# Order the terrace tiles\n\nstatus: to-do | added: 2026-10-01\n\n# Call the roofer about the gutter\n\nstatus: to-do | added: 2026-10-02\n\n# Phone roofer about gutter leak\n',
  'projects/house/state.md': '# House\n\n## Works\n\n- The kitchen budget is 12000 euros.\n',
  'projects/house/changelog.md':
    '# 2026-11-10\n\n## Terrace tiles ordered\n\nThe tiles for the terrace arrive in December.\n\n# 2026-11-02\n\n## Kitchen budget raised to 15000 euros\n',
};

type Line = { path: string; line: number; text: string };
type Group = { kind: string; lines: Line[] };

/** The groups of lines in a request. */
function groupsIn({ userTexts }: SeenRequest): Group[] {
  return [...userTexts.join('\n').matchAll(/^Group \d+, (\w+):\n((?:.+\n?)+)/gm)].map(
    ([, kind = '', block = '']) => ({
      kind,
      lines: [...block.matchAll(/^(.+?):(\d+) \| (.*)$/gm)].map(([, path = '', line = '', text = '']) => ({
        path,
        line: Number(line),
        text,
      })),
    }),
  );
}

/** A model that proposes the groups for which `choose` returns lines. */
const proposing =
  (choose: (group: Group) => Line[] | null) =>
  (request: SeenRequest): Turn => ({
    calls: [
      {
        tool: 'propose',
        input: {
          proposals: groupsIn(request).flatMap(({ kind, lines }) => {
            const chosen = choose({ kind, lines });
            return chosen === null ? [] : [{ kind, lines: chosen }];
          }),
        },
      },
    ],
  });

const all = proposing(({ lines }) => lines.slice(0, 2));

function tidyVault(options: AgentVaultOptions = {}): Promise<AgentVault> {
  return agentVault(files, { clock: () => evening, ...options });
}

const { signal } = new AbortController();

/** Every file of the vault outside the inbox. */
function notesOf({ folder }: AgentVault): Record<string, string> {
  const paths = globSync('**/*.md', { cwd: folder }).filter((path) => !path.startsWith('inbox/'));
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

const review = 'inbox/2026-11-18-tidying/review.md';

describe.each(['openai', 'anthropic'] as const)('tidying, with the %s protocol', (protocol) => {
  it('proposes questions with the lines that justify them in one inbox item and writes nothing else', async () => {
    const vault = await tidyVault({ protocol });
    const before = notesOf(vault);
    vault.model.respond(all);
    const report = await vault.keepsake.agents.tidy(signal);
    expect(report).toMatchObject({ kind: 'proposed', item: '2026-11-18-tidying', proposals: 3 });
    expect(notesOf(vault)).toEqual(before);
    const text = vault.text(review) ?? '';
    expect(text).toContain('“Order the terrace tiles”');
    expect(text).toContain('`vault/projects/house/changelog.md:3`: “Terrace tiles ordered”');
    expect(text).toContain('“The kitchen budget is 12000 euros.”');
    expect(text).toContain('“Phone roofer about gutter leak”');
    expect(vault.model.requests).toHaveLength(1);
    expect(await vault.keepsake.inbox()).toMatchObject([{ kind: 'question', proposals: [1, 2, 3] }]);
  });
});

it('tidying drops proposals whose lines do not exist', async () => {
  const vault = await tidyVault();
  vault.model.respond(
    proposing(({ kind, lines: [target, evidence] }) => {
      if (target === undefined || evidence === undefined) return null;
      if (kind === 'done') return [target, { ...evidence, text: 'Terrace tiles laid' }];
      if (kind === 'contradiction') return [target, { ...evidence, line: evidence.line + 40 }];
      return [target, { ...evidence, path: 'vault/secret.md' }];
    }),
  );
  expect(await vault.keepsake.agents.tidy(signal)).toMatchObject({ kind: 'nothing' });
  expect(vault.text(review)).toBeNull();
});

it('tidying drops proposals whose lines changed while the model was thinking', async () => {
  const vault = await tidyVault();
  vault.model.respond((request) => {
    writeFileSync(join(vault.folder, 'projects/house/tasks.md'), '# Something else\n');
    return all(request);
  });
  expect(await vault.keepsake.agents.tidy(signal)).toMatchObject({ kind: 'proposed', proposals: 1 });
  expect(vault.text(review)).toContain('kitchen budget');
});

it('tidying calls no model when no lines are similar', async () => {
  const vault = await agentVault({ 'tasks.md': '# Buy bread\n' }, { clock: () => evening });
  expect(await vault.keepsake.agents.tidy(signal)).toEqual({ kind: 'nothing', candidates: 0, cost: null });
  expect(vault.model.requests).toHaveLength(0);
});

it('tidying ignores entries that record what it tidied', async () => {
  const vault = await agentVault(
    {
      'tasks.md': '# Order the terrace tiles\nadded: 2026-10-01\n',
      'changelog.md': '# 2026-11-10\n\n## Tidied: order the terrace tiles\n\nIt was there twice.\n',
    },
    { clock: () => evening },
  );
  expect(await vault.keepsake.agents.tidy(signal)).toEqual({ kind: 'nothing', candidates: 0, cost: null });
});

it('tidying reads tasks as today does: finished ones are not compared', async () => {
  const vault = await agentVault(
    {
      'tasks.md': '# Order the terrace tiles\nstatus: done | added: 2026-10-01\n',
      'changelog.md': '# 2026-11-10\n\n## Terrace tiles ordered\n\nThe terrace tiles are ordered.\n',
    },
    { clock: () => evening },
  );
  expect(await vault.keepsake.agents.tidy(signal)).toEqual({ kind: 'nothing', candidates: 0, cost: null });
});

it('tidying creates no item when the model proposes nothing, and does not show hidden files to it', async () => {
  const vault = await tidyVault({ configuration: 'agents: { exclude: [projects/house/state.md] }\n' });
  vault.model.script({ calls: [{ tool: 'propose', input: { proposals: [] } }] });
  expect(await vault.keepsake.agents.tidy(signal)).toMatchObject({ kind: 'nothing' });
  expect(vault.text(review)).toBeNull();
  expect(vault.model.requests[0]?.rawBody).not.toContain('12000');
});

const priced = 'prices: { input: 3, output: 15 }\nmodel: openai-compatible/test\n';

it('tidying respects its budget and says what it cost', async () => {
  const vault = await tidyVault({ configuration: `${priced}tidying: { dailyCost: 0.03 }\n` });
  vault.model.respond((request: SeenRequest) => ({
    ...all(request),
    usage: { input: 3_000, output: 1_400 },
  }));
  expect(await vault.keepsake.agents.tidy(signal)).toMatchObject({ kind: 'proposed', cost: '0.0300 / 0.03' });
  expect(vault.text(review)).toContain('Cost of tidying today: 0.0300 / 0.03.');
  await vault.file({ text: 'no', inboxRef: '2026-11-18-tidying' });
  const requests = vault.model.requests.length;
  writeFileSync(
    join(vault.folder, 'tasks.md'),
    '# Paint the garden fence\n\n# Paint the fence of the garden\n',
  );
  expect(await vault.keepsake.agents.tidy(signal)).toMatchObject({ kind: 'stopped', cost: '0.0300 / 0.03' });
  expect(vault.model.requests).toHaveLength(requests);
});

it('tidying sends less text when the budget is small', async () => {
  const padding = 'carefully '.repeat(30);
  const names = ['fence', 'garage', 'window', 'cellar', 'chimney', 'balcony', 'gutter', 'kitchen'];
  const tasks = names.map(
    (name) => `# Paint the ${name} ${padding}\n\n# Paint the ${name} ${padding}again\n`,
  );
  const count = async (dailyCost: number): Promise<number> => {
    const vault = await agentVault(
      { 'tasks.md': tasks.join('\n') },
      {
        clock: () => evening,
        configuration: `model: openai-compatible/test\nprices: { input: 10, output: 0 }\ntidying: { dailyCost: ${dailyCost} }\n`,
      },
    );
    vault.model.script({ calls: [{ tool: 'propose', input: { proposals: [] } }] });
    await vault.keepsake.agents.tidy(signal);
    const [request] = vault.model.requests;
    return request === undefined ? 0 : groupsIn(request).length;
  };
  const [whole, part] = [await count(1), await count(0.015)];
  expect(whole).toBeGreaterThanOrEqual(names.length);
  expect(part).toBeGreaterThan(0);
  expect(part).toBeLessThan(whole);
});

describe('answers to tidying', () => {
  const item = '2026-11-18-tidying';

  it('turn a yes into an update with the instruction, remember a no, and close the item', async () => {
    const vault = await tidyVault();
    vault.model.respond(all);
    await vault.keepsake.agents.tidy(signal);
    const summary = 'Summary: Removed the task Order the terrace tiles, which is done.';
    vault.model.respond(({ rawBody }) => ({
      calls: rawBody.includes('edited vault/projects/house/tasks.md')
        ? []
        : [
            { tool: 'read', input: { paths: 'vault/projects/house/tasks.md' } },
            {
              tool: 'edit',
              input: {
                path: 'vault/projects/house/tasks.md',
                old: '# Order the terrace tiles\n\nstatus: to-do | added: 2026-10-01\n\n',
                new: '',
              },
            },
          ],
      text: summary,
    }));
    const answered = await vault.file({ text: '1 yes, 2 no', inboxRef: item });
    expect(answered.result).toMatchObject({ kind: 'filed' });
    expect(answered.result?.summary).toMatch(
      /^Tidying: 1 confirmed, 1 declined\. Being filed as [0-9a-f]{8}\.$/,
    );
    expect(vault.text(review)).not.toContain('terrace');
    expect(vault.text(review)).toContain('## 3.');
    await vault.file({ text: 'non', inboxRef: item });
    expect(vault.text(review)).toBeNull();
    await vault.keepsake.agents.updates.work(undefined, signal, (error) => expect.fail(String(error)));
    expect(vault.model.requests[1]?.userTexts.join('\n')).toContain('Order the terrace tiles');
    const confirmed = vault.keepsake.agents.updates
      .list({ limit: 10 })
      .find(({ input }) => input.source.name === 'tidying');
    expect(confirmed).toMatchObject({
      state: 'done',
      input: { source: { kind: 'person' } },
      result: { kind: 'filed' },
    });
    expect(vault.text('projects/house/tasks.md')).not.toContain('terrace tiles');
  });

  it('are not asked again after a no', async () => {
    const vault = await tidyVault();
    vault.model.respond(all);
    await vault.keepsake.agents.tidy(signal);
    await vault.file({ text: 'no', inboxRef: item });
    const requests = vault.model.requests.length;
    expect(await vault.keepsake.agents.tidy(signal)).toMatchObject({ kind: 'nothing', candidates: 0 });
    expect(vault.model.requests).toHaveLength(requests);
  });

  it('wait for an open item before new proposals are made', async () => {
    const vault = await tidyVault();
    vault.model.respond(all);
    await vault.keepsake.agents.tidy(signal);
    expect(await vault.keepsake.agents.tidy(signal)).toEqual({ kind: 'open', item });
  });

  it('file nothing for lines that changed meanwhile', async () => {
    const vault = await tidyVault();
    vault.model.respond(all);
    await vault.keepsake.agents.tidy(signal);
    writeFileSync(join(vault.folder, 'projects/house/tasks.md'), '# Something else\n');
    const answered = await vault.file({ text: '1y', inboxRef: item });
    expect(answered.result?.summary).toContain('1 no longer apply');
    expect(vault.keepsake.agents.updates.list({ limit: 10 })).toHaveLength(1);
  });

  it('go to the update agent when they are more than yes or no', async () => {
    const vault = await tidyVault();
    vault.model.respond(all);
    await vault.keepsake.agents.tidy(signal);
    const requests = vault.model.requests.length;
    vault.model.respond(() => ({ text: 'Summary: nothing to file.' }));
    await vault.file({ text: 'yes to the first, but only next week', inboxRef: item });
    expect(vault.model.requests.length).toBeGreaterThan(requests);
  });
});

it('tidying speaks French', async () => {
  const vault = await tidyVault({ locale: 'fr_FR.UTF-8' });
  vault.model.respond(all);
  await vault.keepsake.agents.tidy(signal);
  expect(vault.text(review)).toContain('Cette tâche est-elle faite ?');
  const answered = await vault.file({ text: '2 non, 3 non', inboxRef: '2026-11-18-tidying' });
  expect(answered.result?.summary).toBe('Rangement : 0 acceptée(s), 2 refusée(s).');
});

it('the service runs tidying once a day after the configured time, if it is on', async () => {
  const vault = await tidyVault({ configuration: 'tidying: { at: "21:15" }\n' });
  vault.model.script({ calls: [{ tool: 'propose', input: { proposals: [] } }] });
  let now = new Date(2026, 10, 18, 21, 14).getTime();
  let checks = 0;
  let onCheck: (count: number) => void = () => undefined;
  const reports: unknown[] = [];
  const reported = Promise.withResolvers<void>();
  const timer = startBackgroundTidying({
    agents: vault.keepsake.agents,
    environment: readEnvironment(vault.variables),
    hasModel: () => true,
    // Each check is a minute after the one before.
    clock() {
      checks += 1;
      onCheck(checks);
      return (now += 60_000) - 60_000;
    },
    onReport(report) {
      reports.push(report);
      reported.resolve();
    },
    onError: reported.reject,
    timing: { intervalMs: 1 },
  });
  await reported.promise;
  const checkedAgain = Promise.withResolvers<void>();
  onCheck = (count) => (count === 20 ? checkedAgain.resolve() : undefined);
  await checkedAgain.promise;
  await timer.stop();
  expect(reports).toEqual([expect.objectContaining({ kind: 'nothing' })]);
  expect(vault.model.requests).toHaveLength(1);
});

it('tidying is off until it is turned on, and tidy runs it now', async () => {
  const vault = await tidyVault();
  const run = (...args: string[]) => runCommand(args, { variables: vault.variables });
  expect((await run('config', 'tidying')).out).toMatch(/tidying\s+off/);
  expect((await run('config', 'tidying', 'on', '--at', '20:30', '--budget', '0.02')).out).toMatch(
    /tidying\s+on, at 20:30\nbudget\s+0.02 a day/,
  );
  expect((await run('config', 'tidying', 'on', '--at', '25:00')).err).toContain('not a time of day: 25:00');
  expect((await run('config', 'tidying', 'off')).out).toMatch(/tidying\s+off/);
  vault.model.respond(all);
  const tidied = await run('tidy', '--vault', vault.folder, '--state', vault.state);
  expect(tidied.out).toMatch(/^3 proposals in the inbox: \d{4}-\d{2}-\d{2}-tidying\n/);
  const inbox = await run('inbox', '--vault', vault.folder, '--state', vault.state);
  expect(inbox.out).toContain('## 1. Is this task done?');
});

it('tidying shows the model all of 30 planted problems in little text', async () => {
  const { files: untidy, planted } = untidyVault();
  const vault = await agentVault(untidy, { clock: () => evening });
  vault.model.script({ calls: [{ tool: 'propose', input: { proposals: [] } }] });
  await vault.keepsake.agents.tidy(signal);
  const [request] = vault.model.requests;
  if (request === undefined) throw new Error('no model was asked');
  const groups = groupsIn(request);
  const isShown = ({ kind, target, evidence }: Planted): boolean =>
    groups.some(
      (group) =>
        group.kind === kind &&
        [target, evidence].every((text) => group.lines.some((line) => line.text.endsWith(text))),
    );
  expect(planted).toHaveLength(30);
  expect(planted.filter((each) => !isShown(each))).toEqual([]);
  expect(groups.length).toBeLessThan(45);
  expect(request.userTexts.join('').length / 4).toBeLessThan(2_500);
});
