// A complete memory for keepsake-benchmark: it keeps notes and inputs as texts, and finds the lines with most words of a question.
import { createInterface } from 'node:readline';

let notes = new Map();

const operations = {
  hello: () => ({
    name: 'toy-memory',
    version: '1.0',
    offers: ['reset', 'file', 'ask', 'search', 'forget', 'dump'],
  }),
  reset: ({ files }) => {
    notes = new Map(files.map(({ path, text }) => [path, text]));
    return {};
  },
  file: ({ text, files, at }) => {
    const texts = [text, ...files.map((file) => file.text ?? file.name)];
    notes.set(`input ${notes.size + 1}, ${at}`, texts.join('\n'));
    return { outcome: 'filed', receipt: 'Kept as you wrote it.' };
  },
  ask: ({ question }) => {
    const evidence = find([question]);
    const [best] = evidence;
    return best === undefined
      ? { text: 'I do not know.', found: 'no', evidence: [] }
      : { text: best.text, found: 'yes', evidence };
  },
  search: ({ queries }) => ({ results: find(queries) }),
  forget: ({ words }) => {
    const isKept = (line) => !line.toLowerCase().includes(words.toLowerCase());
    for (const [path, text] of notes) {
      const kept = text.split('\n').filter(isKept).join('\n');
      if (kept.trim() === '') notes.delete(path);
      else notes.set(path, kept);
    }
    return {};
  },
  dump: () => ({ files: [...notes].map(([path, text]) => ({ path, text })) }),
};

/** The ten lines with most words of the queries. */
function find(queries) {
  const words = [
    ...new Set(
      queries
        .join(' ')
        .toLowerCase()
        .match(/[\p{L}\p{N}]{4,}/gu),
    ),
  ];
  const lines = [...notes].flatMap(([path, text]) =>
    text.split('\n').map((line, index) => ({
      path,
      start: index + 1,
      text: line,
      count: words.filter((word) => line.toLowerCase().includes(word)).length,
    })),
  );
  return lines
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count)
    .slice(0, 10)
    .map(({ path, start, text }) => ({ path, start, text }));
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, op, ...request } = JSON.parse(line);
  const operation = operations[op];
  const answer = operation === undefined ? { error: `unknown operation ${op}` } : operation(request);
  process.stdout.write(`${JSON.stringify({ id, ...answer })}\n`);
});
