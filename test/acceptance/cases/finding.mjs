// What is in the vault is found by what a person knows of it: its name, its tag, its day, its words, also in an attachment.
import { join } from 'node:path';

const find = (queries, ...options) => ['find', ...queries, ...options];
/** The paths that were found, best first. */
const paths = (text) => text.split('\n').filter(Boolean);
const lists =
  (...expected) =>
  (text) =>
    expected.every((path) => paths(text).includes(path));
const lacks =
  (...expected) =>
  (text) =>
    expected.every((path) => !paths(text).includes(path));
const found = (name, files, query, path) => ({
  name,
  files,
  argv: find([query], '--paths'),
  text: lists(path),
});

const knee =
  '# Physiotherapy\n\nThe physiotherapist says that the knee gets better with the exercises for the stairs. Three times a week, ten minutes each, and no running before June.\n';
const template = '# Knee exercises\n\n## Knee\nKnee exercises:\n\n## Exercises\nExercises for the knee:\n';
const comment =
  '<!-- Knee exercises: write the knee exercises of the week here, as: knee exercises on Monday. -->\n\n# Calls\nRing the plumber.\n';
const otherNotes = Object.fromEntries(
  ['Boiler', 'Garden', 'Roof', 'Taxes', 'Bicycle'].map((name) => [
    `${name}.md`,
    `# ${name}\n\nNothing is due before the spring.\n`,
  ]),
);

// Two days in March; the files are from today.
const diary = {
  'Daily/2025-03-03.md': 'The knee is fine: marmalade for breakfast.\n',
  'Daily/thursday.md': '---\ndate: 2025-03-06\n---\nThe knee is sore: marmalade again.\n',
  'Health/Knee.md': '# Knee\nNo marmalade is said to help.\n',
};
const days = (from, to) =>
  find(['marmalade'], '--paths', ...(from ? ['--from', from] : []), ...(to ? ['--to', to] : []));

/** A page with one line of text, as any program writes it. */
function pdf(line) {
  const stream = `BT /F1 18 Tf 72 720 Td (${line}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  let text = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const start = text.length;
  text += `xref\n0 6\n0000000000 65535 f \n${places.join('')}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return { base64: Buffer.from(text, 'latin1').toString('base64') };
}
const kitchen = {
  'Kitchen.md': '# Kitchen\nThe offer is attached: ![[Attachments/offer.pdf]]\n',
  'Attachments/offer.pdf': pdf('Fourteen cabinets with a worktop of soapstone'),
};

const house = { 'Calls.md': '# Calls\nRing the plumber.\n', 'Health/Physio.md': knee };
/** Says of the one query that it found nothing, and of the others no such thing. */
const tellsNothingFor =
  (missing, ...others) =>
  ({ said, check }) => {
    const lines = said
      .replaceAll(/^```[\s\S]*?^```$/gm, '')
      .split('\n')
      .filter((line) => /^(note|error):.*\bno(thing|ne|t)?\b/i.test(line));
    check(
      lines.some((line) => line.includes(missing)),
      `it is not said that ${missing} found nothing:\n${said}`,
    );
    check(
      !lines.some((line) => others.some((other) => line.includes(other) && !line.includes(missing))),
      `a query that did find something is said to have found nothing:\n${said}`,
    );
  };

export const cases = [
  found(
    'a note without a heading is found by its name',
    { 'Trips/Zanzibar plan.md': 'Flights are booked for the ninth.\n' },
    'zanzibar',
    'vault/Trips/Zanzibar plan.md',
  ),
  found(
    'a note is found by an alias',
    { 'Boiler.md': '---\naliases:\n  - Quetzalcoatl\n---\nServiced in June.\n' },
    'quetzalcoatl',
    'vault/Boiler.md',
  ),
  found(
    'a note is found by a tag',
    { 'Boiler.md': '---\ntags: [pangolin, house]\n---\nServiced in June.\n' },
    'pangolin',
    'vault/Boiler.md',
  ),
  found(
    'a note is found by a tag in a list of lines',
    { 'Boiler.md': '---\ntags:\n  - house\n  - pangolin\n---\nServiced in June.\n' },
    'pangolin',
    'vault/Boiler.md',
  ),

  found(
    'words of the profile are found',
    { 'profile.md': '# Profile\nLives in Leipzig.\n' },
    'leipzig',
    'vault/profile.md',
  ),
  found(
    'words of the overview are found',
    { 'overview.md': '# Overview\nThe house has a wolpertinger stove.\n' },
    'wolpertinger',
    'vault/overview.md',
  ),

  {
    name: 'a day in the file name counts, though the file is from today',
    files: diary,
    argv: days('2025-03-01', '2025-03-04'),
    text: lists('vault/Daily/2025-03-03.md'),
  },
  {
    name: 'a day in the frontmatter counts, though the file is from today',
    files: diary,
    argv: days('2025-03-05', '2025-03-08'),
    text: lists('vault/Daily/thursday.md'),
  },
  {
    name: 'a day before the range is left out',
    files: diary,
    argv: days('2025-03-05', '2025-03-08'),
    text: lacks('vault/Daily/2025-03-03.md', 'vault/Health/Knee.md'),
  },
  {
    name: 'notes with a day of their own are not from today',
    files: diary,
    argv: days('2025-04-01'),
    text: lacks('vault/Daily/2025-03-03.md', 'vault/Daily/thursday.md'),
  },
  {
    name: 'a note without a day is of its last change',
    files: diary,
    argv: days('2025-04-01'),
    text: lists('vault/Health/Knee.md'),
  },

  {
    name: 'a template does not outrank a note',
    files: { ...otherNotes, 'Templates/Knee.md': template, 'Health/Physio.md': knee },
    argv: find(['knee exercises'], '--paths'),
    text: (text) => paths(text)[0] === 'vault/Health/Physio.md',
  },
  {
    name: 'a comment does not outrank a note',
    files: { ...otherNotes, 'Calls.md': comment, 'Health/Physio.md': knee },
    argv: find(['knee exercises'], '--paths'),
    text: (text) => paths(text)[0] === 'vault/Health/Physio.md',
  },

  {
    name: 'a PDF in an adopted folder is found by its words',
    files: kitchen,
    steps: [
      { argv: ['init'] },
      { argv: find(['soapstone worktop']), text: /vault\/Attachments\/offer\.pdf/ },
    ],
  },
  {
    name: 'no file is added beside it',
    run: ({ vault, keepsake, lay, done, check }) => {
      lay(vault, kitchen);
      done(keepsake(['init']));
      keepsake(find(['soapstone']));
      const { stdout } = done(keepsake(['tree']));
      check(!/offer\.(pdf\.)?md/.test(stdout), `a file was added beside it:\n${stdout}`);
    },
  },
  {
    name: 'the same document is found after an import',
    run: ({ root, keepsake, lay, done, check }) => {
      lay(join(root, 'from'), { 'offer.pdf': kitchen['Attachments/offer.pdf'] });
      done(keepsake(['init']));
      done(keepsake(['import', join(root, 'from')]));
      check(/offer/.test(done(keepsake(find(['soapstone worktop'], '--paths'))).stdout), 'it is not');
    },
  },

  {
    name: 'of three queries the one that found nothing is named',
    run: ({ vault, keepsake, lay, done, check }) => {
      lay(vault, house);
      tellsNothingFor(
        'qqzzxxw',
        'plumber',
        'physiotherapist',
      )({ ...done(keepsake(find(['plumber', 'qqzzxxw', 'physiotherapist']))), check });
    },
  },
  {
    name: 'a model is told, too',
    run: ({ vault, keepsake, lay, done, check }) => {
      lay(vault, house);
      tellsNothingFor(
        'qqzzxxw',
        'plumber',
        'physiotherapist',
      )({
        ...done(
          keepsake([
            'call',
            'search',
            JSON.stringify({ queries: ['plumber', 'qqzzxxw', 'physiotherapist'], mode: 'fast' }),
          ]),
        ),
        check,
      });
    },
  },
];
