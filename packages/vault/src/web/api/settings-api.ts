import type { z } from 'zod';
import { api } from '../../contract/index.ts';
import type { Http } from './http.ts';

export type ModelSettings = z.output<typeof api.modelSettings>;
export type ModelChoice = z.input<typeof api.modelChoice>;

/** The model of the agents, and the files that are hidden from models. */
export function createSettingsApi({ get, post, put }: Http) {
  return {
    model: (signal?: AbortSignal) => get(api.modelSettings, '/model', signal),
    chooseModel: (choice: ModelChoice) => put(api.modelSettings, '/model', choice),
    testModel: () => post(api.modelTrial, '/model/test'),
    exclusions: (signal?: AbortSignal) => get(api.exclusions, '/exclusions', signal),
    exclude: (patterns: readonly string[]) => put(api.exclusions, '/exclusions', { patterns }),
  };
}
