import type { Email } from 'postal-mime';
import type { Rejection } from '../document.ts';
import { refuse } from '../rejection.ts';

/** Returns why the text of a message cannot be read; null when it can. */
export function checkEncryption({ headers, text = '', html = '', attachments }: Email): Rejection | null {
  const types = attachments.map(({ mimeType }) => mimeType);
  const isPgp =
    types.includes('application/pgp-encrypted') || text.trimStart().startsWith('-----BEGIN PGP MESSAGE-----');
  const isSealed =
    `${text}${html}`.trim() === '' && types.some((type) => /^application\/(?:x-)?pkcs7-mime$/.test(type));
  if (!isPgp && !isSealed) return null;
  const type = headers.find(({ key }) => key === 'content-type')?.value ?? '';
  if (isSealed && /smime-type="?signed-data/i.test(type))
    return refuse(
      'unsupported',
      'the text is inside an S/MIME signature; open the message in your mail program and forward it unsigned',
    );
  return refuse(
    'encrypted',
    `the message is encrypted (${isPgp ? 'PGP' : 'S/MIME'}); open it in your mail program and save it decrypted`,
  );
}
