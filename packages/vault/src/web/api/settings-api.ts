import type { z } from 'zod';
import { api } from '../../contract/index.ts';
import type { Http } from './http.ts';

export type ModelSettings = z.output<typeof api.modelSettings>;
export type ModelSettingsUpdate = z.input<typeof api.modelSettingsUpdate>;

/** Reads and changes the model of the agents and the list of files that are hidden from AI. */
export function createSettingsApi({ get, post, put }: Http) {
  return {
    model: (signal?: AbortSignal) => get(api.modelSettings, '/model', signal),
    chooseModel: (choice: ModelSettingsUpdate) => put(api.modelSettings, '/model', choice),
    testModel: () => post(api.modelTestResult, '/model/test'),
    exclusions: (signal?: AbortSignal) => get(api.exclusions, '/exclusions', signal),
    exclude: (patterns: readonly string[]) => put(api.exclusions, '/exclusions', { patterns }),
  };
}
