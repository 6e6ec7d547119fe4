import type { Api } from '../api/client.ts';

/** What the demonstration shows: an update and an answer that `keepsake demo` has recorded. */
export type DemoParts = { update: string; note: string; files: number; answer: string };

type DemoStepName = 'note' | 'filed' | 'undo' | 'redo' | 'question' | 'proof' | 'stale' | 'warned' | 'end';
export type DemoStep = {
  name: DemoStepName;
  /** The page that shows it. */
  page: { to: 'home' | 'update' | 'answer' | 'file'; hash?: string };
  act?: () => Promise<void>;
};

const statePath = 'projects/tidewatch/state.md';
const [before, after] = ['Dissolved oxygen below 4.5 mg/l', 'Dissolved oxygen below 4.2 mg/l'];

/** Finds the recorded update and answer; null if this is not a demonstration vault. */
export async function findDemo(api: Pick<Api, 'updates' | 'answers'>): Promise<DemoParts | null> {
  const [{ updates }, { answers }] = await Promise.all([api.updates.list(), api.answers.list()]);
  const update = updates.find(
    ({ input, result }) =>
      input.source.name.endsWith('demonstration') &&
      result?.kind === 'filed' &&
      result.paths.includes(`vault/${statePath}`),
  );
  const answer = answers.find(({ question, state }) => question.endsWith('(recorded)') && state === 'done');
  if (update?.result?.kind !== 'filed' || answer === undefined) return null;
  return {
    update: update.id,
    note: update.input.text,
    files: update.result.paths.length,
    answer: answer.id,
  };
}

/**
 * The steps of the demonstration. They are real changes of the vault through the ordinary interface; `restore` undoes
 * those that are not undone yet, so that the vault is as before wherever the demonstration ends.
 */
export function createDemo(
  api: Pick<Api, 'updates' | 'history' | 'files'>,
  { update }: DemoParts,
): { steps: DemoStep[]; restore: () => Promise<void> } {
  let undone: string | null = null;
  let edited: string | null = null;
  const redo = async (): Promise<void> => {
    const change = undone;
    undone = null;
    if (change !== null) await api.history.undo(change);
  };
  const unedit = async (): Promise<void> => {
    const change = edited;
    edited = null;
    if (change !== null) await api.history.undo(change);
  };
  const steps: DemoStep[] = [
    { name: 'note', page: { to: 'home' } },
    { name: 'filed', page: { to: 'update' } },
    {
      name: 'undo',
      page: { to: 'update' },
      act: async () => void (undone = (await api.history.undo(update)).as),
    },
    { name: 'redo', page: { to: 'update' }, act: redo },
    { name: 'question', page: { to: 'answer' } },
    { name: 'proof', page: { to: 'file', hash: 'L25-29' } },
    {
      name: 'stale',
      page: { to: 'file', hash: 'L25-29' },
      async act() {
        const { text, etag } = await api.files.get(statePath);
        if (!text.includes(before)) throw new Error('the line of the proof is not there');
        edited = (await api.files.save(statePath, text.replace(before, after), etag)).change;
      },
    },
    { name: 'warned', page: { to: 'answer' } },
    { name: 'end', page: { to: 'home' }, act: unedit },
  ];
  return {
    steps,
    async restore() {
      await unedit();
      await redo();
    },
  };
}

export const demoFile = statePath;
