import { cpSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerQuestion } from '../packages/vault/src/agents/index.ts';
import { openKeepsake, readEnvironment } from '../packages/vault/src/app/index.ts';
import { nothingSpent, usualLimits } from '../packages/vault/src/models/index.ts';
import type { ChatStep } from '../packages/vault/src/models/index.ts';
import { tools } from '../packages/vault/src/tools/index.ts';
import { runCommand } from '../test/run-command.ts';

/** The vault of the documentation, opened as a copy that nothing of this machine shows in. */
export type ExampleVault = {
  /** Calls of one run see what the others read and staged; nothing is ever committed. */
  startRun(): (tool: string, input: unknown) => Promise<string>;
  /** What a question is answered with when a model has chosen this. */
  answer(chosen: ChosenAnswer): Promise<string>;
  /** What a command prints. Commands are for reading: they all work on the same copy. */
  run(line: string): Promise<string>;
  close(): Promise<void>;
};

/** What the model of an example does: it searches, then writes an overview and names what is assembled below it. */
export type ChosenAnswer = { question: string; search: unknown; overview: string; files: unknown };

/** The moment of every example, in local time wherever that is. */
const now = new Date(2025, 6, 14, 18, 30);

export async function openExampleVault(source: string): Promise<ExampleVault> {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-docs-'));
  const vault = join(folder, 'vault');
  cpSync(source, vault, { recursive: true });
  for (const entry of readdirSync(vault, { recursive: true, encoding: 'utf8' }))
    utimesSync(join(vault, entry), now, now);
  // No configuration, models or state but those of this folder.
  const own = ['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME'].map((name): [string, string] => [
    name,
    folder,
  ]);
  const variables = Object.fromEntries(own);
  const environment = readEnvironment({ PATH: process.env['PATH'], ...variables });
  const clock = (): number => now.getTime();
  const keepsake = await openKeepsake({ vault, state: join(folder, 'state'), environment, clock });

  return {
    startRun() {
      const run = keepsake.writeRun('model');
      return async (name, input) => {
        const tool = tools.find((each) => each.name === name);
        if (tool === undefined) throw new Error(`there is no tool ${name}`);
        const outcome = await tool.call(input, run);
        return outcome.kind === 'refused' ? outcome.message : outcome.result.text;
      };
    },
    async answer({ question, search, overview, files }) {
      const steps = [
        { text: '', calls: [{ tool: 'search', input: search }] },
        { text: overview, calls: [{ tool: 'concat', input: { files } }] },
      ];
      const model = {
        name: 'example',
        async step(): Promise<ChatStep> {
          const { text, calls } = steps.shift() ?? { text: '', calls: [] };
          const usage = { input: 0, cached: 0, written: 0, output: 0 };
          return {
            text,
            calls: calls.map((call) => ({ id: call.tool, isInvalid: false, ...call })),
            said: null,
            usage,
          };
        },
      };
      const answered = await answerQuestion(question, {
        model,
        prices: null,
        limits: usualLimits,
        ledger: { today: () => nothingSpent, spentOn: () => null, add: () => undefined },
        emit: () => undefined,
        clock,
        run: keepsake.readRun('model'),
        id: 'example',
        language: 'fr',
        signal: new AbortController().signal,
      });
      if (answered.kind === 'stopped') throw new Error(answered.reason.text);
      return answered.answer.document;
    },
    async run(line) {
      const options = ['--vault', vault, '--state', join(folder, 'command-state')];
      const { code, out, err } = await runCommand([...wordsOf(line), ...options], { variables });
      if (code !== 0) throw new Error(`keepsake ${line} failed: ${err}`);
      return out.trimEnd();
    },
    async close() {
      await keepsake.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Words as a shell divides them; quotes hold several together. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');
}
