import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openKeepsake, readEnvironment } from '../../packages/vault/src/app/index.ts';
import { initVault } from '../../packages/vault/src/vault/index.ts';
import { processVariables } from '../process-variables.ts';
import { startScriptedModel } from '../scripted-model/server.ts';
import type { SeenRequest, Turn } from '../scripted-model/server.ts';
import { Place } from './scenario.ts';

const context = 32_000;
const facts = 40;
const tokensOf = (text: string): number => Math.ceil(text.length / 4);

/**
 * Files a transcript of this many thousand tokens with a model whose context is 32,000 tokens, and kills the process
 * repeatedly. Every fact is filed once, and no finished part is processed again.
 */
export async function longInputCampaign(thousands: number, kills = 10): Promise<number> {
  const place = new Place();
  const model = await startScriptedModel();
  const transcript = aTranscript(thousands * 1_000);
  const seen = carefulModel();
  let running: ReturnType<typeof startWorker> | null = null;
  let killed = 0;
  // Kills at regular intervals, shortly after the response that finishes a part.
  const between = Math.max(1, Math.floor(tokensOf(transcript) / (context / 3) / (kills + 1)));
  model.respond((request) => {
    const turn = seen.answer(request);
    if (killed < kills && seen.finished.length >= (killed + 1) * between) {
      killed += 1;
      const worker = running;
      setTimeout(() => worker?.kill('SIGKILL'), (killed * 37) % 400);
    }
    return turn;
  });
  const started = performance.now();
  try {
    const environment = layOut(place, model.baseUrl);
    const accepting = await openKeepsake({
      vault: place.vault,
      state: place.state,
      environment: readEnvironment(environment),
    });
    const source = { kind: 'other', name: 'transcript' } as const;
    await accepting.agents.updates.accept({ text: transcript, files: [], source });
    await accepting.close();
    let over: Over | null = null;
    for (let start = 0; over === null && start <= kills + 1; start += 1) {
      running = startWorker(place, environment, start);
      over = await ended(running);
    }
    const { problems, said } = judge(place.vault, over, seen);
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    console.log(
      `long: ${tokensOf(transcript)} tokens in ${seen.finished.length} parts, ${killed} kills, ${model.requests.length} requests, largest ${seen.largest()} tokens, ${seconds} s; ${said}`,
    );
    const isReal = killed === kills && seen.finished.length > kills;
    if (!isReal) problems.push('too few kills occurred');
    for (const problem of problems) console.log(`FAILED: ${problem}`);
    return problems.length;
  } finally {
    await model.close();
    place.remove();
  }
}

const factOf = (number: number): string =>
  `The valve ${number}-${number * 7919} is set to ${number * 13} bar`;

/** A long conversation without information, except for forty facts. */
function aTranscript(tokens: number): string {
  const lines: string[] = [];
  let length = 0;
  for (let number = 0; length < tokens * 4; number += 1) {
    const who = number % 2 === 0 ? 'Operator' : 'Planner';
    const at = `[${String(Math.floor(number / 360) % 24).padStart(2, '0')}:${String(number % 60).padStart(2, '0')}]`;
    const line = `${at} ${who}: yes, as we said, the weather holds and so does turn ${number} of this talk, more or less.`;
    lines.push(line);
    length += line.length + 1;
  }
  for (let fact = 0; fact < facts; fact += 1)
    lines.splice(Math.floor(((fact + 0.5) * lines.length) / facts), 0, `Operator: ${factOf(fact)}.`);
  return lines.join('\n');
}

/** A model that searches for the facts of a part, files those that are missing, and reports how many it filed. */
function carefulModel() {
  const finished: string[] = [];
  let largest = 0;
  return {
    /** The line range of each part whose last response was sent. */
    finished,
    largest: () => largest,
    answer({ rawBody, userTexts, toolResults }: SeenRequest): Turn {
      const size = tokensOf(rawBody);
      largest = Math.max(largest, size);
      if (size > context) return tooLong(size);
      const part = userTexts.find((text) => text.includes('Operator:')) ?? '';
      const said = [...part.matchAll(/The valve [\d-]+ is set to \d+ bar/g)].map(([fact]) => fact);
      if (toolResults.length === 0) {
        const queries = said.length === 0 ? ['valve'] : said.map((fact) => `"${fact}"`).slice(0, 20);
        return { calls: [{ tool: 'search', input: { queries, mode: 'fast' } }] };
      }
      // The last range is that of the part: the prompt shows the first lines of the document before it.
      finished.push(part.match(/\(lines? [\d-]+ of \d+/g)?.at(-1) ?? '');
      const fresh = said.filter((fact) => !toolResults.some(({ text }) => text.includes(fact)));
      const add = (path: string, content: string, position: string) => ({
        tool: 'append',
        input: { path, content, position },
      });
      const notes =
        fresh.length === 0 ? [] : [add('vault/projects/plant/state.md', fresh.join('\n'), 'bottom')];
      const entry = add('vault/changelog.md', '# 2025-07-14\n\n## The talk about valves\nFiled.', 'top');
      const isLast = part.includes('This is the last part');
      return {
        text: `Summary: ${fresh.length} valves of this part were filed.`,
        calls: [...notes, ...(isLast ? [entry] : [])],
      };
    },
  };
}

function tooLong(tokens: number): Turn {
  const message = `This model's maximum context length is ${context} tokens. However, you requested ${tokens} tokens.`;
  return { fault: 'status', status: 400, body: JSON.stringify({ error: { message } }) };
}

function layOut({ folder, vault }: Place, baseUrl: string): Record<string, string> {
  initVault(vault, { language: 'en', home: folder, clock: Date.now });
  const [project, config] = [join(vault, 'projects/plant'), join(folder, 'config/keepsake')];
  for (const each of [project, config]) mkdirSync(each, { recursive: true });
  writeFileSync(join(project, 'state.md'), '## Valves\n');
  writeFileSync(join(config, 'config.yaml'), 'limits:\n  dailyTokens: 1000000000\n');
  return {
    ...processVariables,
    XDG_CONFIG_HOME: join(folder, 'config'),
    KEEPSAKE_MODEL: 'openai-compatible/careful',
    KEEPSAKE_MODEL_BASE_URL: baseUrl,
  };
}

function startWorker({ vault, state }: Place, environment: Record<string, string>, start: number) {
  const job = JSON.stringify({ vault, state, inputs: [], ahead: start * 600_000 });
  return spawn(process.execPath, [join(import.meta.dirname, 'agents-worker.mjs'), job], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

type Over = { updates: { state: string; reason: { text: string } | null; attempts: number }[] };

async function ended(worker: ReturnType<typeof startWorker>): Promise<Over | null> {
  let said = '';
  worker.stdout.on('data', (chunk: Buffer) => void (said += chunk.toString()));
  await new Promise((done) => worker.on('close', done));
  const lines = said.split('\n').filter((line) => line !== '');
  const last = JSON.parse(lines.at(-1) ?? '{}') as { what?: string } & Over;
  return last.what === 'over' ? last : null;
}

function judge(
  vault: string,
  over: Over | null,
  { finished }: ReturnType<typeof carefulModel>,
): { problems: string[]; said: string } {
  const [update] = over?.updates ?? [];
  const problems =
    update?.state === 'done'
      ? []
      : [`the update is ${update?.state ?? 'not finished'}: ${update?.reason?.text}`];
  const state = readFileSync(join(vault, 'projects/plant/state.md'), 'utf8').split('\n');
  for (let fact = 0; fact < facts; fact += 1) {
    const times = state.filter((line) => line.includes(factOf(fact))).length;
    if (times !== 1) problems.push(`${factOf(fact)}: filed ${times} times`);
  }
  // A kill may precede saving the last response of a part; then that part is requested again, at most once per kill.
  const again = finished.length - new Set(finished).size;
  if (finished.some((part, index) => part !== finished[index - 1] && finished.indexOf(part) < index))
    problems.push('a part was requested again after the next one had started');
  if (readdirSync(join(vault, 'bucket')).length !== 1)
    problems.push('the transcript itself is not in the bucket');
  return { problems, said: `${again} parts requested again` };
}
