import type { InboxItem } from '../api/inbox-api.ts';
import { Markdown } from '../file/markdown.tsx';

/** A question for readers, who cannot answer it. */
export function ReadOnlyQuestion({ item }: { item: Extract<InboxItem, { kind: 'question' }> }) {
  const folder = item.path.replace(/^vault\//, '').replace(/\/$/, '');
  return (
    <section
      aria-label={item.item}
      className="prose plain rounded-large border border-line bg-surface p-4 wide:p-6"
    >
      <Markdown body={item.review} path={`${folder}/review.md`} />
    </section>
  );
}
