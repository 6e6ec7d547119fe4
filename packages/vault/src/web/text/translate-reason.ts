import type { Reason, ReasonCode } from '../../contract/index.ts';
import type { Text } from './en.ts';

/** Translates a reason sent by the server. Falls back to its English text. */
export function translateReason({ code, values, text }: Reason, { reasons }: Text): string {
  const say = Object.hasOwn(reasons, code) ? reasons[code as ReasonCode] : undefined;
  return say?.(values) ?? text;
}
