// What a search result must show: the matching passage whole, three lines above and below it, and a header that is true.
const filler = (from, count) =>
  Array.from({ length: count }, (_, index) => `Ligne ${from + index} sur la toiture et le bois.`).join('\n');
const long = `---\ncreated: 2025-01-10T10:00:00\nupdated: 2025-07-14T18:30:00\ntokens: 900\n---\n\n# Carnet\n\n## Toiture\n${filler(10, 20)}\n\n## Chaudière\nLe ramoneur passe en octobre : facture quetzalcoatl, 118 euros.\n\n## Jardin\n${filler(35, 20)}\n`;
const day = `# 2026-06-16\n\n## Lave-linge : réparation\nLe réparateur rappelle.\n\n## Devis pour une pompe\n384 euros.\n\n## Licence : neuf contributeurs sur onze d'accord\nRien n'est décidé.\n\n# 2026-06-15\n\n## Rien\nRien.\n`;
const short = `---\ncreated: 2025-01-10T10:00:00\nupdated: 2025-07-14T18:30:00\ntokens: 40\n---\n\n# Pot\nLa clé est sous le pot axolotl.\n`;
const files = {
  'projects/maison/notes.md': long,
  'changelog.md': day,
  'bucket/pot.md': short,
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, index) => [
      `bucket/tuile-${index}.md`,
      `# Tuile ${index}\n${filler(0, 60)}\nLe mot ornithorynque est ici.\n${filler(100, 60)}\n`,
    ]),
  ),
};

/** Blocks of a result: path, first and last line of the header, trail, and the numbers that are shown. */
export function blocks(text) {
  return [...text.matchAll(/^```(\S+\.md)(?: \(lines (\d+)-(\d+)([^)]*)\))?([^\n]*)\n([\s\S]*?)^```$/gm)].map(
    ([, path, first, last, label, rest, body]) => {
      const shown = [...body.matchAll(/^(\d+) *\| ?(.*)$/gm)].map(([, number, line]) => ({
        number: Number(number),
        line,
      }));
      return { path, first: Number(first), last: Number(last), label: label ?? '', rest, shown };
    },
  );
}
const find = (query, check, extra = {}) => ({
  files,
  call: 'search',
  input: { queries: [query], mode: 'fast', ...extra },
  text: (text) => check(blocks(text), text),
});
const lineWith = (block, word) => block.shown.find(({ line }) => line.includes(word))?.number;

export const cases = [
  {
    name: 'the range of a header is what is shown',
    ...find(
      'ornithorynque',
      (all) =>
        all.length > 0 &&
        all.every(({ first, last, shown }) => shown[0]?.number === first && shown.at(-1)?.number === last),
    ),
  },
  {
    name: 'lines are shown without a gap',
    ...find('ornithorynque', (all) =>
      all.every(({ shown }) => shown.every(({ number }, index) => number === shown[0].number + index)),
    ),
  },
  {
    name: 'every result has three lines above and below its match',
    ...find(
      'ornithorynque',
      (all) =>
        all.length >= 3 &&
        all.every((block) => {
          const at = lineWith(block, 'ornithorynque');
          return at !== undefined && block.shown[0].number <= at - 3 && block.shown.at(-1).number >= at + 3;
        }),
    ),
  },
  {
    name: 'the best result of a long file shows its passage with its surroundings',
    ...find('quetzalcoatl', ([best]) => {
      const at = lineWith(best, 'quetzalcoatl');
      return at !== undefined && best.shown[0].number <= at - 3 && best.shown.at(-1).number >= at + 3;
    }),
  },
  {
    name: 'the header names no heading that is shown, nor that of another entry',
    ...find(
      'licence contributeurs',
      ([best]) =>
        best.path.endsWith('changelog.md') &&
        best.shown.some(({ line }) => /Licence : neuf contributeurs/.test(line)) &&
        !/Licence|Lave-linge/.test(best.rest),
    ),
  },
  {
    name: 'the header of a long file names the heading above its lines',
    ...find(
      'facture ramoneur',
      ([best]) =>
        /Carnet/.test(best.rest) &&
        best.shown.some(({ line }) => line === '## Chaudière') &&
        !/Toiture/.test(best.rest),
    ),
  },
  {
    name: 'the whole file is said only when all of it is shown',
    ...find('axolotl', (all) =>
      all.every(
        ({ label, first, last, path }) =>
          !/whole/.test(label) || (path.endsWith('pot.md') && last >= 8 && (first === 1 || first === 7)),
      ),
    ),
  },
  {
    name: 'stamps are no context',
    ...find('quetzalcoatl', (all) =>
      all.every(({ shown }) => shown.every(({ line }) => !/^(created|updated|tokens): /.test(line))),
    ),
  },
  { name: 'the start of a word finds it', ...find('ornitho*', (all) => all.length > 0) },
  {
    name: 'a misspelt word finds what it must have meant',
    ...find('quetzalcotl', (all) => all.some(({ path }) => path.endsWith('notes.md'))),
  },
  {
    name: 'a note is found by its frontmatter',
    files: { 'Boiler.md': '---\naliases: [Zanzibar]\nstatus: paused\n---\n# Boiler\nServiced in June.\n' },
    call: 'search',
    input: { queries: ['zanzibar'], mode: 'fast' },
    text: ['vault/Boiler.md'],
  },
  {
    name: 'an image is found by its name',
    files: {
      'bucket/plan-cadastral-rivoli.png': {
        base64:
          'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      },
      'tasks.md': '# x\n',
    },
    call: 'search',
    input: { queries: ['plan cadastral rivoli'], mode: 'fast' },
    text: ['plan-cadastral-rivoli.png'],
  },
];
