import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { openKeepsake } from '../app/index.ts';
import type { Environment } from '../app/index.ts';
import { updatePayload } from '../contract/index.ts';
import type { ChatModel } from '../models/index.ts';
import { createAnswers, ownerPrincipalId } from '../server/index.ts';

const call = z.object({ tool: z.string(), input: z.unknown() });
const recordedSteps = z.array(z.object({ text: z.string(), calls: z.array(call) }));
const recorded = z.object({
  at: z.string(),
  updates: z.array(
    z.object({
      text: z.string(),
      source: updatePayload.shape.source,
      steps: recordedSteps,
    }),
  ),
  question: z.object({ text: z.string(), steps: recordedSteps }),
});

/**
 * Replays the recorded demo updates: the update agent gets the recorded replies of a model and does everything else itself.
 * Afterwards the demo has a filed update, a question in the inbox, a held change and an answer.
 */
export async function replayRecording(
  environment: Environment,
  vault: string,
  recording: string,
): Promise<void> {
  const { at, updates, question } = recorded.parse(JSON.parse(readFileSync(recording, 'utf8')));
  const ahead = Date.now() - new Date(at).getTime();
  const steps = [...updates, question].flatMap((each) => each.steps);
  const keepsake = await openKeepsake({
    vault,
    environment,
    clock: () => Date.now() - ahead,
    model: createReplayModel(steps),
  });
  try {
    const signal = new AbortController().signal;
    for (const { text, source } of updates) {
      const { id } = await keepsake.accept({ text, files: [], source });
      await keepsake.agents.updates.work(id, signal, () => undefined);
    }
    const answers = createAnswers(keepsake);
    const request = { keepsake, principalId: ownerPrincipalId, question: question.text, follows: null };
    await new Promise<void>((resolve) => void answers.start(request, resolve));
  } finally {
    await keepsake.close();
  }
}

type Step = z.output<typeof recordedSteps>[number];

function createReplayModel(steps: readonly Step[]): ChatModel {
  const left = [...steps];
  return {
    name: 'recorded/demonstration',
    step() {
      const { text, calls } = left.shift() ?? { text: '', calls: [] };
      return Promise.resolve({
        text,
        rawMessages: null,
        calls: calls.map((each, index) => ({
          id: `${left.length}-${index}`,
          toolName: each.tool,
          input: each.input,
          isInvalid: false,
        })),
        usage: { input: 0, cached: 0, written: 0, output: 0 },
      });
    },
  };
}
