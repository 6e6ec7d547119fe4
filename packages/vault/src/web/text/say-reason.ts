import { readReason } from '../../contract/index.ts';
import type { Text } from './en.ts';

/** A reason of the server in the language of the page, where it is one that is known. */
export function sayReason(reason: string, { reasons }: Text): string {
  const read = readReason(reason);
  return (read && reasons[read.code]?.(read.values)) ?? reason;
}
