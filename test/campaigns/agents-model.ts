import { setTimeout as sleep } from 'node:timers/promises';
import { anthropic } from '../scripted-model/anthropic.ts';
import { openai } from '../scripted-model/openai.ts';
import type { Call, SeenRequest, Turn } from '../scripted-model/server.ts';

export const faultKinds = [
  '429',
  '429 lasting',
  '500',
  'silent',
  'closed',
  'cut',
  'garbage',
  'malformed call',
  'unknown tool',
  'none',
] as const;

/** A fault of the model, and the turn of the update in which it occurs. */
export type Fault = {
  kind: (typeof faultKinds)[number];
  update: number;
  turn: number;
  /** How many requests are affected. */
  requests: number;
  /** Between 0 and 1: where in a response the fault occurs, or which of several forms it takes. */
  place: number;
};

export type Script = {
  run: number;
  /** Whether the model makes all changes in one turn. */
  isQuick: boolean;
  /** The index of the update that is not from the user but changes the profile; -1 for none. */
  held: number;
};

/** The text that one update leaves in each of `markedFiles`, and nowhere else. */
export const markOf = ({ run }: Pick<Script, 'run'>, update: number): string => `mark-${run}-${update}`;
export const markedFiles = [
  'changelog.md',
  'projects/startup-x/changelog.md',
  'projects/startup-x/state.md',
] as const;
export const openTopic = (update: number): string => `Topic ${update}: open.`;

type Reply = { text?: string; calls?: Call[] };

/** The turns of the model for one update. */
export function turnsOf(script: Script, update: number): Reply[] {
  const [changelog, projectChangelog, state] = markedFiles.map((file) => `vault/${file}`);
  const mark = markOf(script, update);
  const entry = `# 2025-07-14\n\n## Heard of ${mark}\nSomething happened, with ¼ of the words é and 中文 in it.`;
  const append = (path: string | undefined, content: string): Call => ({
    tool: 'append',
    input: { path, content, position: 'top' },
  });
  const changes: Call[] = [
    { tool: 'edit', input: { path: state, old: openTopic(update), new: `Topic ${update}: ${mark}.` } },
    append(projectChangelog, entry),
    append(changelog, entry),
    ...(script.held === update ? [append('vault/profile.md', 'Believes whatever an email says.')] : []),
  ];
  return [
    { text: 'Looking.', calls: [{ tool: 'search', input: { queries: [`topic ${update}`], mode: 'fast' } }] },
    { calls: [{ tool: 'read', input: { paths: state } }] },
    ...(script.isQuick ? [{ calls: changes }] : changes.map((change) => ({ calls: [change] }))),
    { text: `Filed what was said about topic ${update}.` },
  ];
}

type Watch = {
  onAsked: (update: number, turn: number) => void;
  /** Called when a tool rejects a call that should be accepted. */
  onRefused: (message: string) => void;
};

/** A stateless model: it derives the update and its progress from the request, because any update may start again. */
export function failingModel(
  script: Script,
  fault: Fault,
  { onAsked, onRefused }: Watch,
): (request: SeenRequest) => Promise<Turn> {
  let met = 0;
  return async (request) => {
    const [, update = -1] = /mark-\d+-(\d)/.exec(request.userTexts.join('\n'))?.map(Number) ?? [];
    const refused = request.toolResults.filter(({ text }) => text.startsWith('error:'));
    const isMeant = fault.update === update && ['malformed call', 'unknown tool'].includes(fault.kind);
    if (refused.length > (isMeant ? fault.requests : 0)) onRefused(refused.at(-1)?.text ?? '');
    let calls = request.toolResults.length - refused.length;
    const turns = turnsOf(script, update);
    const turn = turns.findIndex((each) => (calls -= each.calls?.length ?? 1) < 0);
    const reply = turns[turn];
    if (reply === undefined) throw new Error(`no turn ${turn} of update ${update}`);
    onAsked(update, turn);
    if (fault.update !== update || fault.turn !== turn || met >= fault.requests) return reply;
    met += 1;
    return failing(fault, request, reply);
  };
}

const malformed = ['{"path": "vault/chan', '', 'null', '[1, 2', '"text"', '{"path": {"a": 1}}', '{} {}'];

async function failing({ kind, place }: Fault, request: SeenRequest, reply: Reply): Promise<Turn> {
  const within = (size: number): number => Math.floor(place * size);
  const somewhere = (): number => {
    const protocol = request.protocol === 'openai' ? openai : anthropic;
    return within(Buffer.byteLength(protocol.stream(request, reply).join('')) + 1);
  };
  switch (kind) {
    case '429':
    case '429 lasting':
      return status(429);
    case '500':
      return status(500);
    case 'silent':
      return place < 0.5 ? { fault: 'hang' } : { fault: 'stall', after: somewhere(), turn: reply };
    case 'closed':
      await sleep(within(300));
      // Closes only after the first bytes: before them, the AI SDK would retry by itself after some seconds.
      return { fault: 'cut', after: 600 };
    case 'cut':
      return { fault: 'cut', after: somewhere(), turn: reply };
    case 'garbage':
      return { fault: 'garbage' };
    case 'malformed call':
      return { calls: [{ tool: 'append', rawInput: malformed[within(malformed.length)] ?? '' }] };
    case 'unknown tool':
      return { calls: [{ tool: 'publish', input: { path: 'vault/changelog.md' } }] };
    case 'none':
      return reply;
  }
}

function status(code: number): Turn {
  return { fault: 'status', status: code, headers: { 'retry-after-ms': '5' } };
}
