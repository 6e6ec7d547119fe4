import type { Embedder } from '../models/index.ts';
import type { Exclusion, SectionIndex } from './section-index.ts';

const batchSize = 16;
/** A batch that takes longer than this will not come. */
const patience = 300_000;

/** Gives vectors to all sections that have none of this model and that it may see; a long one gets several. */
export async function embedMissing(
  index: SectionIndex,
  embedder: Embedder,
  onProgress: (done: number, total: number) => void = () => undefined,
  isExcluded: Exclusion | null = null,
): Promise<number> {
  const table = index.vectors(embedder.fingerprint);
  const total = table.missingCount(isExcluded);
  let done = 0;
  const next = () => table.missing(batchSize, isExcluded);
  for (let batch = next(); batch.length > 0; batch = next()) {
    const parts = batch.flatMap(({ hash, text }) =>
      partsOf(text, embedder.contextTokens * 4).map((part) => ({ hash, part })),
    );
    const vectors = await embedder.embed(
      parts.map(({ part }) => part),
      'document',
      AbortSignal.timeout(patience),
    );
    for (const { hash } of batch)
      table.put(
        hash,
        vectors.filter((_, part) => parts[part]?.hash === hash),
      );
    done += batch.length;
    onProgress(done, Math.max(done, total));
  }
  // Only now: until the new model knows everything, the old one is better than nothing.
  table.dropOthers();
  return done;
}

/** Cuts a text at line ends into parts of at most this many characters; each begins with the text's first line. */
function partsOf(text: string, length: number): string[] {
  if (text.length <= length) return [text];
  const [title = '', ...lines] = text.split('\n');
  const parts: string[] = [];
  let part = '';
  for (const line of lines) {
    if (part !== '' && title.length + part.length + line.length + 2 > length) {
      parts.push(`${title}\n${part}`);
      part = '';
    }
    part = part === '' ? line : `${part}\n${line}`;
  }
  return [...parts, `${title}\n${part}`];
}
