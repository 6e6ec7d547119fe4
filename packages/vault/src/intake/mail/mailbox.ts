import { fileNameFromTitle } from '../markdown/safe-name.ts';
import type { Converter, Document } from '../document.ts';
import { refuse } from '../rejection.ts';
import { readHeaders } from './email-headers.ts';
import { parseMbox } from './parse-mbox.ts';

/** Converts a mailbox to a list of its messages, which become attachments. */
export const convertMailbox: Converter = async ({ name, bytes }, { limits }) => {
  const count = parseMbox(bytes).reduce((sum) => sum + 1, 0);
  if (count === 0) return refuse('empty', 'the file contains no messages');
  if (count > limits.attachments)
    return refuse(
      'too-large',
      `the mailbox has ${count} messages (limit ${limits.attachments}); use keepsake import, which accepts mailboxes of any size`,
    );
  const attachments: Document[] = [];
  const lines: string[] = [];
  for (const message of parseMbox(bytes)) {
    const { date, from, subject } = await readHeaders(message);
    const number = String(attachments.length + 1).padStart(4, '0');
    attachments.push({ name: `${number}-${fileNameFromTitle(subject ?? '', '.eml')}`, bytes: message });
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
