import { Argument, Option } from 'commander';
import type { Command } from 'commander';
import { commit, toFailedOutcome, tools } from '../tools/index.ts';
import type { Tool, ToolOutcome } from '../tools/index.ts';
import { withExamples, vaultCommand, withKeepsake, withToolCaller } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { parseJson } from './parse-json.ts';
import { printOutcome } from './print-outcome.ts';
import { readStandardInput } from './standard-input.ts';

type Options = VaultOptions & { batch?: string };

const names = tools.map(({ name }) => name).join(', ');

export function callCommand(cli: Cli): Command {
  const command = vaultCommand('call')
    .summary("call a tool with a model's limits")
    .description("Call a tool and print exactly the text a model would see, within a model's limits.")
    .addArgument(new Argument('[tool]', `one of ${names}`))
    .argument('[input]', 'input of the tool as JSON')
    .addOption(
      new Option(
        '--batch <source>',
        'read one {"tool": …, "input": …} per line from standard input and commit them together',
      ).choices(['-']),
    )
    .action(async (name: string | undefined, input: string | undefined, options: Options) => {
      cli.finish(
        options.batch === undefined
          ? await callOne(cli, name, input, options)
          : await callBatch(cli, options),
      );
    });
  return withExamples(command, [
    `call read '{"paths": "vault/tasks.md"}'`,
    `call concat '{"files": [{"path": "vault/tasks.md", "lines": "7-8"}]}' --json`,
    `call --batch - < calls.jsonl`,
  ]);
}

async function callOne(
  cli: Cli,
  name: string | undefined,
  text: string | undefined,
  options: Options,
): Promise<ExitCode> {
  const tool = findTool(name);
  const input = parseJson(text ?? '{}');
  const problem =
    typeof tool === 'string'
      ? tool
      : input === undefined
        ? `error: the input of ${name} is not valid JSON; pass it in quotes, for example '{"paths": "vault/tasks.md"}'`
        : null;
  if (typeof tool === 'string' || problem !== null)
    return printOutcome(cli, { kind: 'refused', message: problem ?? '' }, false);
  return withToolCaller(cli, options, async (call) =>
    printOutcome(
      cli,
      await call({ tool: tool.name, input, reader: 'model', origin: 'keepsake call' }),
      options.json,
    ),
  );
}

type Answer = { tool: unknown; ok: boolean; text: string };

/**
 * Runs the calls of all lines in one transaction and prints one result per line, even if other lines fail. The results
 * are printed after the commit, because only then are they final.
 */
async function callBatch(cli: Cli, options: Options): Promise<ExitCode> {
  return withKeepsake(cli, options, async (keepsake) => {
    const run = keepsake.writeRun('model');
    const answers: { answer: Answer; isWrite: boolean }[] = [];
    for (const line of (await readStandardInput(cli)).split('\n')) {
      if (line.trim() === '') continue;
      const call = parseJson(line) as { tool?: unknown; input?: unknown } | null | undefined;
      const tool =
        call === undefined
          ? `error: this line is not valid JSON: ${line.slice(0, 80)}`
          : findTool(call?.tool);
      const outcome: ToolOutcome =
        typeof tool === 'string' ? { kind: 'refused', message: tool } : await tool.call(call?.input, run);
      const isWrite = typeof tool !== 'string' && tool.effect === 'write';
      answers.push({ answer: { tool: call?.tool ?? null, ...toAnswer(outcome) }, isWrite });
    }
    const why = { origin: 'keepsake call --batch', summary: `${answers.length} calls` };
    const committed = await commit(run, why);
    for (const { answer, isWrite } of answers) {
      if (isWrite && committed.kind === 'failed') Object.assign(answer, toAnswer(toFailedOutcome(committed)));
      else if (isWrite && answer.ok && committed.kind !== 'failed' && committed.note !== '')
        answer.text += `\n\n${committed.note}`;
      cli.stdout.write(`${JSON.stringify(answer)}\n`);
    }
    return answers.every(({ answer }) => answer.ok) ? exitCode.ok : exitCode.errors;
  });
}

function toAnswer(outcome: ToolOutcome): { ok: boolean; text: string } {
  if (outcome.kind === 'refused') return { ok: false, text: outcome.message };
  return { ok: outcome.result.value.errors.length === 0, text: outcome.result.text };
}

/** The tool, or an error message when there is no tool with that name. */
function findTool(name: unknown): Tool | string {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool !== undefined) return tool;
  return name === undefined
    ? `error: missing tool; one of ${names}`
    : `error: unknown tool ${JSON.stringify(name)}; available: ${names}`;
}
