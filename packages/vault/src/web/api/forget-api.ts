import type { z } from 'zod';
import { api } from '../../contract/index.ts';
import type { Http } from './http.ts';

export type ForgetTarget = z.output<typeof api.forgetTarget>;

/** Removes words for good. */
export function createForgetApi({ post }: Http) {
  return {
    plan: (target: ForgetTarget) => post(api.forgetPlan, '/forget/plan', target),
    /** `shown` is the code of the plan. Fails if something else would be removed by now. */
    run: (target: ForgetTarget, shown: string) => post(api.forgetReceipt, '/forget', { target, shown }),
  };
}
