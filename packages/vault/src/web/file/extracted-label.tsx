import type { Answer } from '../../contract/index.ts';
import { useText } from '../text/use-text.ts';

type Props = { extracted: Answer['blocks'][number]['extracted'] };

/** Marks lines that were extracted from a document, with their pages. */
export function ExtractedLabel({ extracted }: Props) {
  const text = useText().file;
  if (extracted === undefined) return null;
  const { pages } = extracted;
  return (
    <span className="text-tiny text-soft">
      {pages === null ? text.extractedText : text.extractedPages(pages.start, pages.end)}
    </span>
  );
}
