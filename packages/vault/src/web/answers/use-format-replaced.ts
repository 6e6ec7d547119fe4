import type { ReplacedValue } from '../../contract/index.ts';
import { useText } from '../text/use-text.ts';

/** Formats which entry replaced this one, and when. */
export function useFormatReplaced(): (entry: ReplacedValue) => string {
  const { replaced } = useText().answer;
  return ({ heading, on, by }) =>
    replaced(heading, on, `${by.path.replace(/^vault\//, '')}:${by.line} § ${by.heading}`);
}
