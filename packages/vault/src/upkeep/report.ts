import type { Clock } from '../contract/index.ts';
import type { VaultPath } from '../vault/index.ts';

/** Something upkeep did or could not do. */
export type UpkeepEvent =
  /** Files that were changed outside, found again in their new form from now on. */
  | { kind: 'noticed'; paths: VaultPath[] }
  | { kind: 'stamped'; paths: VaultPath[] }
  | { kind: 'tree' }
  /** Files of which history has what was edited outside, as a change. */
  | { kind: 'recorded'; paths: VaultPath[] }
  /** Files that history took in as they are, and how many it still lacks. */
  | { kind: 'baseline'; files: number; left: number }
  /** A conflict copy that is part of its note now. */
  | { kind: 'merged-copy'; path: VaultPath; note: VaultPath }
  /** One that a person has to decide about; a question lies in the inbox. */
  | { kind: 'asked-about-copy'; path: VaultPath; note: VaultPath }
  /** A note in which git left both sides; a question lies in the inbox. */
  | { kind: 'asked-about-markers'; path: VaultPath }
  /** Sections that are found by their meaning from now on; how many still wait for it. */
  | { kind: 'embedded'; sections: number; left: number }
  /** A `tree.md` that somebody wrote is where ours would be. */
  | { kind: 'foreign-tree' }
  | { kind: 'failed'; doing: string; error: unknown };

export type Report = (event: UpkeepEvent) => void;

export type Reporter = {
  report: Report;
  /** Does it; what it throws is reported and goes no further. */
  attempt: (doing: string, work: () => Promise<void>) => Promise<void>;
};

/** What is wrong for long is told now and then, not every time. */
const repeatAfter = 10 * 60_000;

export function createReporter(onEvent: Report, elapsed: Clock): Reporter {
  const told = new Map<string, number>();
  const report: Report = (event) => {
    if (event.kind === 'failed' || event.kind === 'foreign-tree') {
      const what = event.kind === 'failed' ? `${event.doing}: ${failureKey(event)}` : event.kind;
      if (elapsed() < (told.get(what) ?? -Infinity) + repeatAfter) return;
      if (told.size > 100) told.clear();
      told.set(what, elapsed());
    }
    onEvent(event);
  };
  return {
    report,
    async attempt(doing, work) {
      try {
        await work();
      } catch (error) {
        report({ kind: 'failed', doing, error });
      }
    },
  };
}

/** Where the system cannot watch, it says so of every folder. */
function failureKey({ doing, error }: { doing: string; error: unknown }): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return doing === 'watching' && code !== '' ? code : String(error);
}
