import { cpSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerQuestion } from '../packages/vault/src/agents/index.ts';
import { openKeepsake, readEnvironment } from '../packages/vault/src/app/index.ts';
import { zeroUsage, defaultRunLimits } from '../packages/vault/src/models/index.ts';
import type { ChatStep } from '../packages/vault/src/models/index.ts';
import { tools } from '../packages/vault/src/tools/index.ts';
import { runCommand } from '../test/run-command.ts';

/** A copy of the documentation vault, opened so that its output contains nothing specific to this machine. */
export type ExampleVault = {
  /** Calls of one run share reads and staged changes; nothing is ever committed. */
  startRun(): (tool: string, input: unknown) => Promise<string>;
  /** The answer to a question if the model behaves as given. */
  answer(chosen: ChosenAnswer): Promise<string>;
  /** Returns the output of a command. Commands must only read, because they all use the same copy. */
  run(line: string): Promise<string>;
  close(): Promise<void>;
};

/** The behaviour of the example model: it searches, then writes an overview and names the files to quote below it. */
export type ChosenAnswer = { question: string; search: unknown; overview: string; files: unknown };

/** The time of every example, in the local time zone. */
const now = new Date(2025, 6, 14, 18, 30);

export async function openExampleVault(source: string): Promise<ExampleVault> {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-docs-'));
  const vault = join(folder, 'vault');
  cpSync(source, vault, { recursive: true });
  for (const entry of readdirSync(vault, { recursive: true, encoding: 'utf8' }))
    utimesSync(join(vault, entry), now, now);
  // Uses only the configuration, models and state of this folder.
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
        if (tool === undefined) throw new Error(`tool ${name} does not exist`);
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
            calls: calls.map(({ tool, input }) => ({ id: tool, toolName: tool, input, isInvalid: false })),
            rawMessages: null,
            usage,
          };
        },
      };
      const answered = await answerQuestion(question, {
        model,
        prices: null,
        limits: defaultRunLimits,
        ledger: { usageToday: () => zeroUsage, usageOfRun: () => null, record: () => undefined },
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

/** Splits a line into words as a shell does, with quotes. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');
}
