import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { openKeepsake } from '../app/index.ts';
import type { Environment } from '../app/index.ts';
import { formatLocalTime, updatePayload } from '../contract/index.ts';
import type { ChatModel } from '../models/index.ts';
import { createAnswers, ownerPrincipalId } from '../server/index.ts';
import { moveRecording } from './copy-demo.ts';

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
  const text = readFileSync(recording, 'utf8');
  const { at } = recorded.parse(JSON.parse(text));
  const today = formatLocalTime(Date.now()).slice(0, 10);
  const { updates, question } = recorded.parse(JSON.parse(moveRecording(text, at.slice(0, 10), today)));
  const steps = [...updates, question].flatMap((each) => each.steps);
  const keepsake = await openKeepsake({
    vault,
    environment,
    model: createReplayModel(steps),
  });
  try {
    const signal = new AbortController().signal;
    for (const { text: input, source } of updates) {
      const { id } = await keepsake.accept({ text: input, files: [], source });
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
