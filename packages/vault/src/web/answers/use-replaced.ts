import type { ReplacedValue } from '../../contract/index.ts';
import { useText } from '../text/use-text.ts';

/** Says of an entry that was replaced by which one, and when. */
export function useReplaced(): (entry: ReplacedValue) => string {
  const { replaced } = useText().answer;
  return ({ heading, on, by }) =>
    replaced(heading, on, `${by.path.replace(/^vault\//, '')}:${by.line} § ${by.heading}`);
}
