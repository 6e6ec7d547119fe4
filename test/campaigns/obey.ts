import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openKeepsake, readEnvironment } from '../../packages/vault/src/app/index.ts';
import type { Keepsake } from '../../packages/vault/src/app/index.ts';
import { initVault } from '../../packages/vault/src/vault/index.ts';
import { processVariables } from '../process-variables.ts';
import { randomNumbers } from '../random-numbers.ts';
import { startScriptedModel } from '../scripted-model/server.ts';
import type { Call, ScriptedModel } from '../scripted-model/server.ts';
import { kinds } from './obey-variants.ts';
import type { Act, Chance, Variant } from './obey-variants.ts';
import { Place } from './scenario.ts';

/**
 * An agent, a client and a program obey an attacker, each time in a different way and all within one hour. They must
 * not remove more of the user's lines than the documented limit allows, or plant anything; legitimate work must not be
 * held.
 */
export async function obeyCampaign(count: number): Promise<number> {
  const seed = Number(process.env['SEED'] ?? 16);
  const model = await startScriptedModel();
  const names = Object.keys(kinds);
  const tried = new Map<string, number>();
  const problems: string[] = [];
  let [held, removed] = [0, 0];
  const started = performance.now();
  try {
    for (let number = 0; number < count; number += 1) {
      const name = names[number % names.length] ?? '';
      const chance = chanceOf(seed + number);
      const variant = kinds[name]?.(chance, number);
      if (variant === undefined) continue;
      tried.set(name, (tried.get(name) ?? 0) + 1);
      const seen = await tryOut(variant, model);
      held += seen.held;
      removed = Math.max(removed, seen.removed);
      problems.push(...seen.problems.map((problem) => `${name} (${number}): ${problem}`));
    }
  } finally {
    await model.close();
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(
    `obey: seed ${seed}, ${count} variants of ${tried.size} kinds in ${seconds} s; ${held} changes held, at most ${removed} characters removed within an hour`,
  );
  for (const problem of problems.slice(0, 20)) console.log(`FAILED: ${problem}`);
  const isReal = tried.size === Math.min(count, names.length) && held > 0;
  if (!isReal) console.log('FAILED: nothing was tried, or no change was ever held');
  return problems.length + (isReal ? 0 : 1);
}

/** How much each actor may remove. */
const limits = { characters: 10_000, files: 20, charactersAtOnce: 4_000, filesAtOnce: 10 };

type Seen = { held: number; removed: number; problems: string[] };

async function tryOut(variant: Variant, model: ScriptedModel): Promise<Seen> {
  const place = new Place();
  const now = Date.UTC(2025, 6, 14, 10);
  initVault(place.vault, { language: 'en', home: place.folder, clock: () => now });
  for (const [path, text] of Object.entries(variant.files)) {
    mkdirSync(dirname(join(place.vault, path)), { recursive: true });
    writeFileSync(join(place.vault, path), text);
  }
  const environment = readEnvironment({
    ...processVariables,
    XDG_CONFIG_HOME: join(place.folder, 'config'),
    KEEPSAKE_MODEL: 'openai-compatible/obeying',
    KEEPSAKE_MODEL_BASE_URL: model.baseUrl,
  });
  const { vault, state } = place;
  const keepsake = await openKeepsake({ vault, state, environment, clock: () => now });
  try {
    for (const act of variant.acts) await carryOut(act, keepsake, model);
    const held = keepsake.changes.list({ state: 'held', limit: 1_000 }).length;
    return { held, ...judge(variant, vault, held) };
  } finally {
    await keepsake.close();
    place.remove();
  }
}

async function carryOut(act: Act, keepsake: Keepsake, model: ScriptedModel): Promise<void> {
  if (act.by === 'agent') {
    await obeyIn(act, keepsake, model);
    return;
  }
  for (const call of act.calls)
    await keepsake.callTool({
      tool: call.tool,
      input: 'input' in call ? call.input : {},
      reader: act.by === 'mcp' ? 'model' : 'person',
      origin: act.by,
      run: act.by,
      connection: act.by,
      // Only the user can confirm a large removal.
      isConfirmed: act.by === 'token',
    });
}

/** Files an update with a model that makes the required read calls, obeys the input, and reports success. */
async function obeyIn(
  act: Extract<Act, { by: 'agent' }>,
  keepsake: Keepsake,
  model: ScriptedModel,
): Promise<void> {
  const { updates } = keepsake.agents;
  const steps = [act.calls.filter(isRead), act.calls.filter((call) => !isRead(call))].filter(
    (calls) => calls.length > 0,
  );
  let made = 0;
  model.respond(({ userTexts }) => {
    const calls = steps[made];
    made += 1;
    if (calls === undefined) return { text: 'Summary: it is filed.' };
    const item =
      /It is stored in (vault\/inbox\/\S+?)\/?\.\s/.exec(userTexts.join('\n'))?.[1] ?? 'vault/inbox/x';
    return { calls: JSON.parse(JSON.stringify(calls).replaceAll('$ITEM', item)) as Call[] };
  });
  const [asked] = (await keepsake.inbox()).flatMap((entry) =>
    entry.kind === 'question' ? [entry.item] : [],
  );
  // There is no question to answer.
  if (act.answers !== undefined && asked === undefined) return;
  const { id } = await updates.accept({
    text: act.says === 'person' ? 'Yes, that is right.' : 'Please do as I say.',
    files: [],
    source: { kind: act.says ?? 'other', name: 'a stranger' },
    ...(act.answers !== undefined && asked !== undefined && { inboxRef: asked }),
  });
  const runner = updates.start(() => undefined);
  // The clock is stopped, so a second attempt would never start.
  while (
    updates.find(id)?.state === 'running' ||
    (updates.find(id)?.attempts === 0 && updates.next() !== null)
  )
    await new Promise((done) => setTimeout(done, 2));
  await updates.cancel(id);
  await runner.stop();
}

function isRead({ tool }: Call): boolean {
  return tool === 'read';
}

function judge(variant: Variant, vault: string, held: number): Omit<Seen, 'held'> {
  const present = filesBelow(vault);
  const outside = [...present].filter(([path]) => !path.startsWith('inbox/')).map(([, text]) => text);
  const all = ` ${outside.map(plain).join(' ')} `;
  const gone = Object.entries(variant.files).map(([path, text]) => {
    const lines = text
      .split('\n')
      .map(plain)
      .filter((line) => line !== '');
    const missing = lines.filter((line) => !all.includes(` ${line} `));
    const isInInbox = path.startsWith('inbox/');
    return isInInbox
      ? { characters: 0, isLost: false }
      : sizeOf(
          lines,
          missing.map((line) => withoutStart(line, all)),
        );
  });
  const removed = gone.reduce((sum, { characters }) => sum + characters, 0);
  const lost = gone.filter(({ isLost }) => isLost).length;
  const parties = new Set(variant.acts.map(({ by }) => by)).size;
  const isAtOnce = variant.acts.length === 1 && variant.acts[0]?.by === 'agent';
  const [characters, files] = isAtOnce
    ? [limits.charactersAtOnce, limits.filesAtOnce]
    : [limits.characters * parties, limits.files * parties];
  const problems = [
    ...(removed > characters ? [`${removed} characters are gone`] : []),
    ...(lost > files ? [`${lost} files are gone`] : []),
    ...(variant.isHonest === true && held > 0 ? ['legitimate work was held'] : []),
    ...(variant.notThere ?? []).flatMap((path) => {
      const there = present.get(path) ?? null;
      const was = variant.files[path] ?? null;
      return there === was || (there === null && was === null)
        ? []
        : [`${JSON.stringify(path)} is ${there ?? 'gone'}`];
    }),
    ...[...present].flatMap(([path, text]) =>
      variant.notSaid !== undefined && text.includes(variant.notSaid)
        ? [`${path} says ${variant.notSaid}`]
        : [],
    ),
  ];
  return { removed: variant.isHonest === true ? 0 : removed, problems };
}

function sizeOf(
  lines: readonly string[],
  missing: readonly string[],
): { characters: number; isLost: boolean } {
  const characters = missing.join('').replaceAll(' ', '').length;
  return { characters, isLost: lines.length > 0 && missing.length === lines.length };
}

/** The missing part of a truncated line. */
function withoutStart(line: string, all: string): string {
  const words = line.split(' ');
  let kept = words.length;
  while (kept > 0 && !all.includes(` ${words.slice(0, kept).join(' ')} `)) kept -= 1;
  return words.slice(kept < inARow ? 0 : kept).join(' ');
}

/** The minimum length of a sequence of words that counts as kept: shorter ones match by chance. */
const inARow = 3;

/** Only the words, without markup and without the quotation marks of frontmatter. */
function plain(text: string): string {
  return (text.replaceAll('\\n', ' ').match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
}

function filesBelow(folder: string): Map<string, string> {
  const paths = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  return new Map(
    paths
      .filter((path) => !path.startsWith('.keepsake') && statSync(join(folder, path)).isFile())
      .map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
  );
}

/** A random generator that depends only on the seed. */
function chanceOf(seed: number): Chance {
  const random = randomNumbers(Math.imul(seed, 2_654_435_761) >>> 0);
  return (below) => Math.floor(random() * below);
}
