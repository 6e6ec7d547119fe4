import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openKeepsake } from '../../../../vault/src/app/index.ts';
import type { Environment, Keepsake } from '../../../../vault/src/app/index.ts';
import type { UpdateFile } from '../../../../vault/src/contract/index.ts';
import { formatSearchResult } from '../../../../vault/src/tools/index.ts';
import { createEvaluationClock } from '../evaluation-clock.ts';
import type { EvaluationClock } from '../evaluation-clock.ts';
import { markdownIn } from '../read-notes.ts';
import { extractAnswer } from './extract-answer.ts';
import { SystemError } from './memory-system.ts';
import type { Evidence, MemorySystem, SystemInput } from './memory-system.ts';

/** Keepsake without a model: inputs become notes, and answers come from fast search. */
export function createKeepsakeSystem(
  folder: string,
  environment: Environment,
  version: string,
): MemorySystem {
  const vault = join(folder, 'vault');
  let opened: { keepsake: Keepsake; clock: EvaluationClock; language: 'fr' | 'en' | 'de' } | null = null;
  const started = (): NonNullable<typeof opened> => {
    if (opened === null) throw new SystemError('reset has to be the first operation');
    return opened;
  };
  const search = async (queries: readonly string[]): Promise<Evidence[]> => {
    const outcome = await started()
      .keepsake.readRun('model')
      .search({ queries: [...queries], mode: 'fast' });
    if (outcome.kind === 'bad-scope') throw new SystemError(outcome.reason);
    return formatSearchResult(outcome).value.sections.map(({ path, lines, text }) => ({
      path: path.replace(/^vault\//, ''),
      start: lines.start,
      text: text.replaceAll(/^\s*\d+\s*\| ?/gm, ''),
    }));
  };
  return {
    name: 'keepsake',
    version,
    model: null,
    offers: new Set(['reset', 'file', 'ask', 'search', 'forget', 'dump']),
    keepsFiles: true,
    async reset({ files, language }) {
      for (const [path, text] of files) {
        mkdirSync(dirname(join(vault, path)), { recursive: true });
        writeFileSync(join(vault, path), text);
      }
      const clock = createEvaluationClock(files);
      const keepsake = await openKeepsake({
        vault,
        state: join(folder, 'state'),
        environment: { ...environment, language: language === 'fr' ? 'fr' : 'en' },
        clock: clock.now,
      });
      opened = { keepsake, clock, language };
      await keepsake.search.prepare('fast');
    },
    async file(input) {
      const { keepsake, clock } = started();
      clock.set(input.at);
      const { id } = await keepsake.accept({
        text: input.text,
        files: input.files.map(toUpdateFile),
        source: { kind: input.source, name: input.source === 'person' ? 'keepsake add' : 'email' },
        asNote: true,
      });
      await keepsake.agents.updates.work(id, new AbortController().signal, () => undefined);
      const update = keepsake.agents.updates.find(id);
      const isDone = update?.state === 'done';
      return {
        outcome: isDone ? 'filed' : 'failed',
        receipt: isDone ? '' : (update?.reason?.text ?? ''),
      };
    },
    ask: async (question) => extractAnswer(question, started().language, await search([question])),
    search,
    async forget(words) {
      const { forget } = started().keepsake;
      const target = { kind: 'words', words: [words] } as const;
      await forget.run(target, (await forget.plan(target)).shown);
    },
    dump: () => Promise.resolve(markdownIn(vault)),
    async close() {
      await opened?.keepsake.close();
    },
  };
}

function toUpdateFile({ name, text, base64 }: SystemInput['files'][number]): UpdateFile {
  return { name, bytes: base64 === undefined ? Buffer.from(text ?? '') : Buffer.from(base64, 'base64') };
}
