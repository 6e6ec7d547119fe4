import type { Call, Turn } from '../scripted-model/server.ts';
import type { Chance } from './weak-inputs.ts';

/** `said` is all text that the model was given. */
type WeakTurn = (said: string, chance: Chance) => Turn;

const reply =
  (...turns: Turn[]): WeakTurn =>
  (_said, chance) =>
    turns[chance(turns.length)] ?? { text: '' };
const call = (tool: string, input: unknown): Turn => ({ calls: [{ tool, input }] });

/** The folder of the input, read from the prompt. */
export function inputFolder(said: string): string {
  return /It is stored in (vault\/inbox\/\S+?)\/?\.\s/.exec(said)?.[1] ?? 'vault/inbox/nowhere';
}

function answeredItem(said: string): string {
  return /vault\/inbox\/2026-10-01-item-\d+/.exec(said)?.[0] ?? inputFolder(said);
}

const anEntry = (chance: Chance): Call => ({
  tool: 'append',
  input: { path: 'vault/changelog.md', content: `## Update ${chance(1e9)}`, position: 'top' },
});

/** Single steps of models that do everything but their job, by name. The last ones change the vault in wrong ways. */
export const weakTurns: Record<string, WeakTurn> = {
  prose: reply(
    { text: 'I have filed this in your vault.' },
    { text: 'Summary: all is saved in the project.' },
  ),
  repeat: reply(call('search', { queries: ['everything'], mode: 'fast' })),
  'unknown tool': reply(call('save_note', { text: 'it' }), call('finish', {})),
  'broken JSON': reply({ calls: [{ tool: 'write', rawInput: '{"path": "vault/a.md", "con' }] }),
  refusal: reply({ text: 'I am sorry, but I cannot help with that.' }),
  nothing: reply({ text: '' }, { text: ' \n' }),
  'half a stream': reply({ fault: 'cut', after: 60, turn: { text: 'It is filed in the vault, and' } }),
  garbage: reply({ fault: 'garbage' }),
  'known without lines': reply({
    text: 'The vault says this already: vault/overview.md:999 and vault/no.md:1',
  }),
  'wrong input': reply(call('edit', { path: 'vault/changelog.md', old: '99 | nothing', new: 'x' })),
  'beside the point': (_said, chance) =>
    call('append', { path: 'vault/tasks.md', content: `# Buy milk ${chance(1e9)}`, position: 'bottom' }),
  'a log entry': (_said, chance) => ({ calls: [anEntry(chance)] }),
  'known in some line': reply(
    { text: 'Summary: vault/changelog.md:1 says it.' },
    { text: 'See vault/tasks.md:1-2.' },
  ),
  'deletes it': (said, chance) => ({
    calls: [{ tool: 'delete', input: { path: `${inputFolder(said)}/original.md` } }, anEntry(chance)],
  }),
  'deletes the item': (said, chance) => ({
    calls: [{ tool: 'delete', input: { path: `${answeredItem(said)}/` } }, anEntry(chance)],
  }),
  'deletes the item and asks again': (said, chance) => ({
    calls: [
      { tool: 'delete', input: { path: `${answeredItem(said)}/original.md` } },
      { tool: 'read', input: { paths: `${answeredItem(said)}/review.md` } },
      { tool: 'write', input: { path: `${answeredItem(said)}/review.md`, content: '# Which one?\n' } },
      anEntry(chance),
    ],
  }),
  'moves the item and writes over it': (said, chance) => {
    const to = `vault/bucket/item-${chance(1e9)}.md`;
    return {
      calls: [
        { tool: 'move', input: { from: `${answeredItem(said)}/original.md`, to } },
        { tool: 'read', input: { paths: to } },
        { tool: 'write', input: { path: to, content: 'filed' } },
        anEntry(chance),
      ],
    };
  },
  'writes over it': (said, chance) => {
    const path = `${inputFolder(said)}/original.md`;
    return {
      calls: [
        { tool: 'read', input: { paths: path } },
        { tool: 'write', input: { path, content: 'filed' } },
        anEntry(chance),
      ],
    };
  },
  'moves it and writes over it': (said, chance) => {
    const to = `vault/bucket/moved-${chance(1e9)}.md`;
    return {
      calls: [
        { tool: 'move', input: { from: `${inputFolder(said)}/original.md`, to } },
        ...(chance(2) === 0 ? [] : [{ tool: 'read', input: { paths: to } }]),
        ...(chance(2) === 0 ? [] : [{ tool: 'write', input: { path: to, content: 'filed' } }]),
        anEntry(chance),
      ],
    };
  },
};
