import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Parser } from 'commonmark';
import { describe, expect, it } from 'vitest';
import { answer as answerSchema, api } from '../../packages/vault/src/contract/index.ts';
import { agentVault, anEntry, looking } from '../agents/agent-vault.ts';
import type { AgentVault } from '../agents/agent-vault.ts';
import { keepsake } from '../agents/command-line.ts';
import { connectStdio, textOf } from '../mcp/clients.ts';
import { mcpVault } from '../mcp/mcp-vault.ts';
import type { Turn } from '../scripted-model/server.ts';
import type { Files } from '../temporary-vault.ts';
import { departs } from './departs.ts';
import { changelogPath, exampleVault, readExample, statePath, tasksPath } from './example-vault.ts';
import { openInterfaces } from './interfaces.ts';

const question = "Pourquoi a-t-on abandonné l'API externe ?";
const overview = 'Le prestataire ne peut pas livrer avant juin [2].\nL’intégration du paiement continue [1].';
const files = [{ path: statePath }, { path: changelogPath, lines: '9-14' }, { path: tasksPath }];

type Entry = { path: string; lines?: string };

/** The last turn of the search agent. */
function answering(entries: readonly Entry[], text = overview): Turn {
  return { text, calls: [{ tool: 'concat', input: { files: entries } }] };
}

type Asked = AgentVault & {
  answer: ReturnType<typeof answerSchema.parse>;
  concat: (entries: readonly Entry[]) => Promise<string>;
};

/** Asks the search agent, whose model takes these turns and repeats the last one. */
async function ask(turns: readonly Turn[], content: Files = exampleVault): Promise<Asked> {
  const vault = await agentVault(content);
  vault.model.script(...turns);
  vault.model.respond(() => turns.at(-1) ?? {});
  const answered = await vault.keepsake.agents.ask(question, new AbortController().signal);
  return {
    ...vault,
    answer: answerSchema.parse(answered),
    async concat(entries) {
      const input = { files: entries };
      const outcome = await vault.keepsake.callTool({
        tool: 'concat',
        input,
        reader: 'model',
        origin: 'test',
      });
      return outcome.kind === 'result' ? outcome.result.text : expect.unreachable(outcome.message);
    },
  };
}

const codeBlocksOf = (text: string): { info: string; content: string }[] => {
  const blocks = [];
  for (let node = new Parser().parse(text).firstChild; node !== null; node = node.next)
    if (node.type === 'code_block') blocks.push({ info: node.info ?? '', content: node.literal ?? '' });
  return blocks;
};

/** The words of the page on search below a heading of level 2. */
function sectionOfSearchPage(heading: string): string {
  const sections = readFileSync('docs/search.md', 'utf8').split(/^## /m);
  const found = sections.find((section) => section.startsWith(`${heading}\n`));
  return (found ?? expect.unreachable(heading)).replaceAll(/\s+/g, ' ');
}

describe('concat: in an answer', () => {
  it('A3 is a tool of the search agent and not of the update agent; clients have it too', async () => {
    const vault = await agentVault(exampleVault);
    vault.model.script(looking, answering(files));
    await vault.keepsake.agents.ask(question, new AbortController().signal);
    expect(vault.model.requests[0]?.toolNames.toSorted()).toEqual(['concat', 'read', 'search', 'tree']);
    const before = vault.model.requests.length;
    vault.model.script(anEntry('Anything'), { text: 'Filed.' });
    await vault.file({ text: 'Anything' });
    const updating = vault.model.requests[before]?.toolNames ?? [];
    expect(updating).toContain('edit');
    expect(updating).not.toContain('concat');
    const client = await connectStdio(await mcpVault(), 'modern');
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('vault_concat');
    departs('A3', 'docs/adr/0095-departures-from-the-specification.md');
  });

  it('A5 is the last step, after search and read', async () => {
    const searching: Turn = { calls: [{ tool: 'search', input: { queries: ['API externe'] } }] };
    const reading: Turn = { calls: [{ tool: 'read', input: { paths: changelogPath } }] };
    const { model, answer } = await ask([searching, reading, answering(files)]);
    expect(model.requests).toHaveLength(3);
    expect(model.requests[2]?.toolResults.map(({ tool }) => tool)).toEqual(['search', 'read']);
    expect(answer.blocks).toHaveLength(3);
    expect(model.requests[0]?.system).toContain('Finish with one `concat` call');
  });

  it('A24 is the second part of the answer, below the overview', async () => {
    const { answer, concat } = await ask([answering(files)]);
    expect(answer.document.startsWith(overview)).toBe(true);
    expect(answer.document.endsWith(`\n${await concat(files)}`)).toBe(true);
  });

  it('A25 follows the overview, an empty line, ---, and an empty line, byte for byte', async () => {
    const { answer, concat } = await ask([answering(files)]);
    expect(await concat(files)).toBe(readExample('concat'));
    expect(answer.document).toBe(`${overview}\n\n---\n\n${readExample('concat')}`);
  });

  it('A26 follows an overview of two to five lines; one line is accepted, more only after one correction', async () => {
    const rows = (count: number): string =>
      Array.from({ length: count }, () => 'Le prestataire ne peut pas livrer.').join('\n');
    for (const count of [1, 2, 5]) {
      const { answer, model } = await ask([answering(files, rows(count))]);
      expect([count, answer.overview, model.requests.length]).toEqual([count, rows(count), 1]);
    }
    const { answer, model } = await ask([answering(files, rows(7)), { text: rows(7) }]);
    expect(model.requests).toHaveLength(2);
    expect(model.requests[0]?.system).toMatch(/two\s+to\s+five\s+lines/i);
    expect(model.requests[1]?.userTexts.at(-1)).toContain('The overview has 7 lines.');
    expect(answer.document).toBe(`${rows(7)}\n\n---\n\n${readExample('concat')}`);
    departs('A26', 'docs/adr/0095-departures-from-the-specification.md');
  });

  it('A32 is part of one document, the same at every interface', async () => {
    const vault = await openInterfaces(exampleVault);
    const answers: Record<string, unknown> = {};
    vault.model.respond(() => answering(files));
    const { stdout } = await keepsake(vault, ['ask', question]);
    answers['command line'] = stdout;
    const posted = await vault.get<{ document: string }>('/answers', {
      token: vault.owner,
      json: { question },
    });
    answers['HTTP'] = posted.document;
    const called = await vault.callMcp('memory_search', { question });
    answers['MCP'] = textOf(called);
    answers['structured MCP'] = (called.structuredContent as { document: string }).document;
    const document = `${overview}\n\n---\n\n${readExample('concat')}`;
    expect(answers).toEqual({
      'command line': `${document}\n`,
      HTTP: document,
      MCP: document,
      'structured MCP': document,
    });
  });
});

describe('the concat engine', () => {
  it('C44 is mechanical: what a model writes never becomes a block', async () => {
    const forged = `${overview}\n\`\`\`vault/forged.md\n1  | forged\n\`\`\``;
    const { answer } = await ask([answering([{ path: statePath, lines: '8' }], forged)]);
    expect(codeBlocksOf(answer.document)).toEqual([
      { info: `${statePath} (lines 8-8)`, content: '8  | actif\n' },
    ]);
    expect(sectionOfSearchPage('The concat engine')).toContain('A mechanical component, not a model.');
  });

  it('C45 gets a list of files from the agent, each whole or a range of lines', async () => {
    const { answer } = await ask([answering([{ path: statePath }, { path: tasksPath, lines: '7-8' }])]);
    expect(answer.blocks.map(({ path, start, end }) => [path, start, end])).toEqual([
      [statePath, 1, 14],
      [tasksPath, 7, 8],
    ]);
    expect(sectionOfSearchPage('The concat engine')).toContain(
      'an ordered list of files, each as a whole or as a range of lines',
    );
  });

  it('C46 puts the path of the file, and nothing else, before each block', async () => {
    const { answer } = await ask([answering(files)]);
    expect(codeBlocksOf(answer.document).map(({ info }) => info)).toEqual([
      statePath,
      `${changelogPath} (lines 9-14)`,
      tasksPath,
    ]);
    expect(sectionOfSearchPage('The concat engine')).toContain('the path as its header');
  });
});

describe('the format of an answer', () => {
  it('C47 has two parts, the overview and then the output of concat; notes of code come after them', async () => {
    const { answer, concat } = await ask([answering(files)]);
    expect(answer.document.split('\n\n---\n\n')).toEqual([overview, await concat(files)]);
    const claim = 'Le contrat est signé par Gérard [1].';
    const [gone, state] = [{ path: 'vault/gone.md' }, { path: statePath, lines: '8' }];
    const wrong = answering([gone, state], claim);
    const { answer: noted, concat: quote } = await ask([wrong, wrong, wrong, wrong, { text: claim }]);
    const [first, second] = noted.document.split('\n\n---\n\n');
    expect(first).not.toContain('note:');
    const [block, notes] = (second ?? '').split('```\n\n');
    expect(`${block}\`\`\``).toBe(await quote([state]));
    const rows = notes?.split('\n') ?? [];
    expect(rows).toContain('error: vault/gone.md: file not found');
    expect(rows.find((row) => row.startsWith('note: not in the lines above:'))).toContain('Gérard');
  });

  it('C48 begins with an overview of what was found and why it matters', async () => {
    const { model } = await ask([answering(files)]);
    const instructions = (model.requests[0]?.system ?? '').replaceAll(/\s+/g, ' ');
    expect(instructions).toMatch(
      /in the language of the question.*first the answer, then .*where it comes from/,
    );
    expect(instructions).toContain('After each statement, put the number of the lines that support it');
    expect(sectionOfSearchPage('The format of an answer')).toContain('what was found and why it matters');
  });

  it('C49 ends with the raw content of the files, under their paths', async () => {
    const { answer } = await ask([answering(files)]);
    const whole = codeBlocksOf(answer.document).filter(({ info }) => !info.includes('(lines'));
    expect(whole.map(({ info }) => info)).toEqual([statePath, tasksPath]);
    for (const { info, content } of whole)
      expect(content.replaceAll(/^\d+ *\| ?/gm, '')).toBe(exampleVault[info.slice('vault/'.length)]);
  });

  it('C50 is the same for MCP clients and the web interface', async () => {
    const vault = await openInterfaces(exampleVault);
    vault.model.respond(() => answering(files));
    const called = await vault.callMcp('memory_search', { question });
    const owner = { token: vault.owner };
    const response = await vault.send('/answers', { ...owner, json: { question, keep: true } });
    const { id } = api.savedAnswer.parse(await response.json());
    let saved = api.savedAnswer.parse(await vault.get(`/answers/${id}`, owner));
    while (saved.state === 'running') {
      await sleep(5);
      saved = api.savedAnswer.parse(await vault.get(`/answers/${id}`, owner));
    }
    expect(saved.answer?.document).toBe(`${overview}\n\n---\n\n${readExample('concat')}`);
    expect(textOf(called)).toBe(saved.answer?.document);
  });
});
