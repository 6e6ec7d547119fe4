import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleHelp, ShieldQuestion } from 'lucide-react';
import type { InboxItem } from '../api/inbox-api.ts';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { Section } from '../ui/page.tsx';

/** The maximum number of items; the inbox page shows the others. */
const maxInboxItems = 4;

/** The first items of the inbox. */
export function InboxSummary() {
  const { queries } = useServices();
  const text = useText();
  const { data } = useQuery(queries.inbox);
  const waiting = data?.waiting ?? [];
  if (waiting.length === 0) return null;
  const left = waiting.length - maxInboxItems;
  return (
    <Section title={text.shell.waiting(waiting.length)}>
      <ul className="divide-y divide-line overflow-hidden rounded-large border border-line bg-warn-soft">
        {waiting.slice(0, maxInboxItems).map((item) => (
          <li key={item.kind === 'question' ? item.item : item.id}>
            <WaitingRow item={item} />
          </li>
        ))}
      </ul>
      {left > 0 && (
        <Link to="/inbox" className="w-fit rounded-small text-small text-accent underline underline-offset-2">
          {text.home.moreWaiting(left)}
        </Link>
      )}
    </Section>
  );
}

function WaitingRow({ item }: { item: InboxItem }) {
  const text = useText();
  const isQuestion = item.kind === 'question';
  const Icon = isQuestion ? CircleHelp : ShieldQuestion;
  return (
    <Link
      to="/inbox"
      hash={isQuestion ? item.item : item.id}
      className="flex items-start gap-3 px-3 py-2.5 text-small -outline-offset-2 hover:underline wide:px-4"
    >
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="text-tiny text-warn">{isQuestion ? text.inbox.question : text.inbox.held}</span>
        <span className="line-clamp-2 break-words">
          {isQuestion ? (extractQuestion(item.review) ?? item.item) : item.summary}
        </span>
      </span>
    </Link>
  );
}

/** The first line that ends with a question mark, otherwise the first line. */
function extractQuestion(review: string): string | null {
  const lines = review
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .split('\n')
    .map((line) => line.replace(/^[#>*\-\s]+/, '').trim())
    .filter((line) => line !== '');
  return lines.find((line) => line.endsWith('?')) ?? lines[0] ?? null;
}
