import type { Email } from 'postal-mime';
import type { Refusal } from '../port.ts';
import { refuse } from '../refusal.ts';

/** Why the words of a message cannot be read; null when they can. */
export function encryptionOf({ headers, text = '', html = '', attachments }: Email): Refusal | null {
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
      'its words are wrapped in their signature (S/MIME); open it in your mail program and forward it unsigned',
    );
  return refuse(
    'encrypted',
    `it is encrypted (${isPgp ? 'PGP' : 'S/MIME'}); open it in your mail program and save it decrypted`,
  );
}
