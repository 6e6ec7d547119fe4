import type { ReplacedValue } from '../../contract/index.ts';
import { useText } from '../text/use-text.ts';

/** Returns a function that says by which entry a changelog entry was replaced, and when. */
export function useFormatReplaced(): (entry: ReplacedValue) => string {
  const { replaced, toBeReplaced } = useText().answer;
  return ({ heading, on, inForce, by }) =>
    (inForce === true ? toBeReplaced : replaced)(
      heading,
      on,
      `${by.path.replace(/^vault\//, '')}:${by.line} § ${by.heading}`,
    );
}
