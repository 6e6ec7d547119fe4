import type { z } from 'zod';
import { api } from '../../contract/index.ts';
import type { Http } from './http.ts';

export type ForgetRequest = z.output<typeof api.forgetRequest>;

/** Removes words for good. */
export function createForgetApi({ post }: Http) {
  return {
    plan: (target: ForgetRequest) => post(api.forgetPlan, '/forget/plan', target),
    run: (target: ForgetRequest) => post(api.forgetReceipt, '/forget', target),
  };
}
