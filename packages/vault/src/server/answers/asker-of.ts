import type { Caller } from '../auth/auth.ts';
import { model, person } from './kept-answers.ts';

/** Whose an answer is. A browser that a token has signed in is that token's. */
export function askerOf(caller: Caller | null): string {
  if (caller?.isPerson === true) return caller.person ?? person;
  return caller?.token ?? model;
}
