import type { Reason, ReasonCode } from '../../contract/index.ts';
import type { Text } from './en.ts';

/** A reason of the server in the language of the page, in English where there is no translation. */
export function sayReason({ code, values, text }: Reason, { reasons }: Text): string {
  const say = Object.hasOwn(reasons, code) ? reasons[code as ReasonCode] : undefined;
  return say?.(values) ?? text;
}
