import { nameFromTitle } from '../markdown/safe-name.ts';
import type { Converter, Document } from '../port.ts';
import { refuse } from '../refusal.ts';
import { readHeaders } from './email-headers.ts';
import { messagesOf } from './messages-of.ts';

/** A list of its messages, which are handed on one by one. */
export const convertMailbox: Converter = async ({ name, bytes }, { limits }) => {
  const count = messagesOf(bytes).reduce((sum) => sum + 1, 0);
  if (count === 0) return refuse('empty', 'there is no message in it');
  if (count > limits.attachments)
    return refuse(
      'too-large',
      `there are ${count} messages in it, and ${limits.attachments} can be taken in at once; keepsake import takes mailboxes of any size`,
    );
  const attachments: Document[] = [];
  const lines: string[] = [];
  for (const message of messagesOf(bytes)) {
    const { date, from, subject } = await readHeaders(message);
    const number = String(attachments.length + 1).padStart(4, '0');
    attachments.push({ name: `${number}-${nameFromTitle(subject ?? '', '.eml')}`, bytes: message });
    lines.push(
      `- ${[date, from, subject ?? '(no subject)'].filter((each) => each !== undefined).join(', ')}`,
    );
  }
  return {
    kind: 'converted',
    markdown: `# ${name}\n\n${lines.join('\n')}`,
    images: [],
    metadata: { type: 'mailbox', title: name },
    warnings: [],
    attachments,
  };
};
