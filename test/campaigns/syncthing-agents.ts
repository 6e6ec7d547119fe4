import { setTimeout as sleep } from 'node:timers/promises';
import type { Keepsake } from '../../packages/vault/src/app/index.ts';
import { startScriptedModel } from '../scripted-model/server.ts';
import type { Turn } from '../scripted-model/server.ts';

/** The update agents of all machines, with one shared model that files the given text. */
export type FilingAgents = {
  /** The environment variables for opening a vault. */
  variables: Record<string, string>;
  /** Files a text with this mark, which becomes an entry and a task, and waits until it is filed. */
  file(keepsake: Keepsake, mark: string): Promise<void>;
  stop(): Promise<void>;
};

export async function startFilingAgents(): Promise<FilingAgents> {
  const model = await startScriptedModel();
  model.respond(({ userTexts }) => filing(userTexts.join('\n')));
  return {
    variables: {
      ...(process.env as Record<string, string>),
      KEEPSAKE_MODEL: 'openai-compatible/test',
      KEEPSAKE_MODEL_BASE_URL: model.baseUrl,
      KEEPSAKE_MODEL_API_KEY: 'test-key',
    },
    async file(keepsake, mark) {
      const { updates } = keepsake.agents;
      const runner = updates.start((error) => console.error(error));
      const { id } = await keepsake.accept({
        text: words(mark),
        files: [],
        source: { kind: 'person', name: 'test' },
      });
      runner.wake();
      while (/waiting|running/.test(updates.find(id)?.state ?? '')) await sleep(5);
      await runner.stop();
      const { state, result } = updates.find(id) ?? {};
      if (result?.kind !== 'filed') throw new Error(`${mark} is ${state}: ${JSON.stringify(result)}`);
    },
    stop: () => model.close(),
  };
}

/** The input of the agent, with the mark of the entry; the mark of the task is derived from it. */
const words = (mark: string): string => `There is ${mark}.`;
export const taskMark = (mark: string): string => `${mark}task`;

function filing(prompt: string): Turn {
  const [, mark = ''] = /There is (mark-\w+)\./.exec(prompt) ?? [];
  const day = new Date().toISOString().slice(0, 10);
  const append = (path: string, content: string, position: 'top' | 'bottom') => ({
    tool: 'append',
    input: { path, content, position },
  });
  const entry = `# ${day}\n\n## Heard of ${mark.replace('mark-', '')}\n${words(mark)}`;
  const task = `# See to ${taskMark(mark)}\nstatus: to-do | prio: medium | added: ${day}`;
  return {
    text: 'Summary: an entry and a task.',
    calls: [append('vault/changelog.md', entry, 'top'), append('vault/tasks.md', task, 'bottom')],
  };
}
