import { createHash } from 'node:crypto';
import { faultKinds, turnsOf } from './agents-model.ts';
import type { Fault, Script } from './agents-model.ts';

/** When a worker is killed: `delay` milliseconds after an event. */
export type Kill = {
  after: 'start' | 'acknowledgement' | 'question';
  update: number;
  turn: number;
  delay: number;
};

export type Plan = Script & {
  protocol: 'openai' | 'anthropic';
  /** `attempts` is the number of attempts of the update that the fault makes fail. */
  fault: Fault & { attempts: number };
  /** One per started worker, until all kills are used up. */
  kills: Kill[];
};

export const updatesPerRun = 3;
/** More than the maximum number of attempts. */
export const always = 1_000;
/** How often the AI SDK itself tries a server that is temporarily unavailable. */
const tries = 3;

/** All random choices of a run; the same for the same seed. */
export function planRun(run: number, seed: number): Plan {
  let drawn = 0;
  // Hashed, so that adjacent seeds give unrelated results.
  const random = (): number => {
    drawn += 1;
    return createHash('sha256').update(`${seed} ${run} ${drawn}`).digest().readUInt32BE() / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(random() * limit);
  const pick = <Item>(...items: [Item, ...Item[]]): Item => items[below(items.length)] ?? items[0];
  const script = { run, isQuick: random() < 0.5, held: random() < 0.2 ? below(updatesPerRun) : -1 };
  const lastTurn = (update: number): number => turnsOf(script, update).length - 1;
  const somewhere = (): { update: number; turn: number } => {
    const update = below(updatesPerRun);
    return { update, turn: below(lastTurn(update) + 1) };
  };

  const kind = faultKinds[run % faultKinds.length] ?? 'none';
  const isHarmless = ['429', 'malformed call', 'unknown tool', 'none'].includes(kind);
  // The update waits for the server, which does not count as an attempt, and is filed in the end.
  const isUnavailable = ['429 lasting', '500'].includes(kind);
  const attempts = isHarmless || isUnavailable ? 0 : kind === 'silent' ? always : pick(1, 1, 2, always);
  const requests = isHarmless ? pick(1, 2) : isUnavailable ? tries * pick(1, 2, 5) : attempts;
  const fault = { kind, ...somewhere(), requests, attempts, place: random() };

  const victim = somewhere();
  const kills = Array.from({ length: pick(0, 0, 0, 1, 1, 2, 3) }, (): Kill => {
    const { update, turn } = random() < 0.5 ? victim : somewhere();
    const after = pick('start', 'acknowledgement', 'question', 'question', 'question', 'question');
    // The commit follows the last turn, and some kills must hit it.
    const isLast = after === 'question' && random() < 0.4;
    const delay = below(after === 'start' ? 500 : isLast ? 60 : 15);
    return { after, update, turn: isLast ? lastTurn(update) : turn, delay };
  });
  return { ...script, protocol: pick('openai', 'anthropic'), fault, kills };
}
