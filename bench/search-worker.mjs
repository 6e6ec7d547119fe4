// Measures Keepsake and QMD on the same vault; prints the figures as JSON.
import { appendFileSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openKeepsake, readEnvironment } from '../packages/vault/dist/app/index.js';

const [folder, mode] = process.argv.slice(2);
const vault = join(folder, 'vault');
const notes = globSync('**/*.md', { cwd: vault });
const files = notes.length - 1;
const noteBytes = notes.reduce((sum, note) => sum + statSync(join(vault, note)).size, 0);
const middle = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const timed = async (work) => {
  const since = performance.now();
  await work();
  return performance.now() - since;
};
const times = async (count, work) => {
  const values = [];
  for (let run = 0; run < count; run += 1) values.push(await timed(() => work(run)));
  return middle(values);
};

const keepsake = await openKeepsake({ vault, state: join(folder, 'state'), environment: readEnvironment() });
const cold = await timed(() => keepsake.search.prepare('fast'));
const changeFile = (run) => appendFileSync(join(vault, 'notes/p3/note-333.md'), `\nchanged ${run}\n`);
const change = await keepsake.search.withIndex(async ({ indexer }) => {
  const values = [];
  for (let run = 0; run < 60; run += 1) {
    changeFile(run);
    values.push(await timed(() => indexer.reindexStale(['vault/notes/p3/note-333.md'])));
  }
  return middle(values.slice(10));
});

const changelog = join(vault, 'changelog.md');
const { changelogSections, addedSections } = await keepsake.search.withIndex(async ({ index, indexer }) => {
  const before = index.counts().sections;
  writeFileSync(changelog, `# 2026-01-01\n\n## New\nentry\n\n${readFileSync(changelog, 'utf8')}`);
  const { sections } = await indexer.reindexStale(['vault/changelog.md']);
  return { changelogSections: before, addedSections: sections };
});

/** Words that occur together in a note, as typical queries do. */
const words = Array.from({ length: 120 }, (_, index) => {
  const number = (index * 83) % (files - 1);
  const note = readFileSync(join(vault, `notes/p${Math.floor(number / 100)}/note-${number}.md`), 'utf8');
  const all = note.match(/\bw\w+/g);
  const places = [0, 13, 26].slice(0, 2 + (index % 2));
  return places.map((place) => all[(index * 7 + place) % all.length]).join(' ');
});
const oddWords = Array.from({ length: 120 }, (_, index) => {
  const word = (step) => `w${Math.floor(20_000 * (((index * step) % 97) / 97) ** 4).toString(36)}`;
  return [word(31), word(57), word(83)].slice(0, 2 + (index % 2)).join(' ');
});
const run = keepsake.writeRun('model');
const ask = (queries, scopes) => (index) => run.search({ queries: [queries[index]], mode: 'fast', scopes });
await times(words.length, ask(words)); // warms up
const query = await times(words.length, ask(words));
const scoped = await times(words.length, ask(words, ['notes/p1*/']));
const oddQuery = await times(words.length, ask(oddWords));
const memory = process.memoryUsage().rss;

let qmdCold = 0;
let qmdChange = 0;
let qmdQuery = 0;
let qmdOddQuery = 0;
if (mode === 'qmd') {
  const { createStore } = await import('../packages/vault/dist/search/qmd/vendor.js');
  const store = await createStore({
    dbPath: join(folder, 'qmd.sqlite'),
    config: { collections: { vault: { path: vault, pattern: '**/*.md' } } },
  });
  qmdCold = await timed(() => store.update());
  qmdChange = await times(3, async (index) => {
    changeFile(index);
    await store.update();
  });
  for (const each of words) await store.searchLex(each, { limit: 10 });
  const askQmd = (queries) => (index) => store.searchLex(queries[index], { limit: 10 });
  qmdQuery = await times(words.length, askQmd(words));
  qmdOddQuery = await times(words.length, askQmd(oddWords));
  await store.close();
}
await keepsake.close();
process.stdout.write(
  JSON.stringify({
    cold,
    qmdCold,
    change,
    qmdChange,
    query,
    qmdQuery,
    scoped,
    oddQuery,
    qmdOddQuery,
    noteBytes,
    indexBytes: statSync(join(folder, 'state/index.sqlite')).size,
    memory,
    changelogSections,
    addedSections,
  }),
);
