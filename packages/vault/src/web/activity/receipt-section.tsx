import { formatReceipt } from '../../contract/index.ts';
import type { Receipt } from '../../contract/index.ts';
import { useLanguage, useText } from '../text/use-text.ts';
import { Section } from '../ui/page.tsx';

/** What an update did, file by file, and what the user should know about it. */
export function ReceiptSection({ receipt }: { receipt: Receipt }) {
  const text = useText();
  const language = useLanguage();
  return (
    <Section title={text.activity.receipt}>
      <ul className="list-disc pl-5 text-small break-words">
        {formatReceipt(receipt, language).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Section>
  );
}
