import MailComposer from 'nodemailer/lib/mail-composer';
import type { Document } from '../../packages/vault/src/intake/index.ts';

type Mail = ConstructorParameters<typeof MailComposer>[0];

/** Composes a message as a mail program sends it, and replaces the date and the charset that the library writes. */
export async function mail(
  options: Mail,
  { date = 'Mon, 14 Jul 2025 18:30:00 +0200', charset = 'utf-8' } = {},
): Promise<Document> {
  const built = await new MailComposer({ from: ana, to: jean, ...options }).compile().build();
  const sent = built
    .toString('latin1')
    .replace(/^Date: .*$/m, `Date: ${date}`)
    .replace('charset=utf-8', `charset=${charset}`);
  return { name: 'message.eml', bytes: Buffer.from(sent, 'latin1') };
}

/** Encodes a text in a legacy charset. */
export function encode(text: string, encoding: string): Buffer {
  const codes = codesOf(encoding);
  return Buffer.concat(Array.from(text, (letter) => codes.get(letter) ?? Buffer.from(letter, 'latin1')));
}

/** An encoded word for headers: `=?koi8-r?B?…?=`. */
export function encodedWord(text: string, encoding: string): string {
  return `=?${encoding}?B?${encode(text, encoding).toString('base64')}?=`;
}

/** Maps every character of a charset to its one or two bytes. */
function codesOf(encoding: string): Map<string, Buffer> {
  const codes = new Map<string, Buffer>();
  const decoder = new TextDecoder(encoding);
  const note = (...bytes: number[]): void => {
    const letter = decoder.decode(Buffer.from(bytes));
    if (letter.length === 1 && !codes.has(letter)) codes.set(letter, Buffer.from(bytes));
  };
  const high = Array.from({ length: 128 }, (_, index) => index + 128);
  for (const byte of high) note(byte);
  for (const lead of high) for (let trail = 64; trail < 253; trail += 1) note(lead, trail);
  return codes;
}

export const ana = 'Ana Lopez <ana@example.org>';
export const jean = 'Jean-Luc Besançon <jl@exemple.fr>';

/** 8 × 8 pixels. */
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEklEQVR4nGP4z8CAFWEXHbQSACj/P8Fu7N9hAAAAAElFTkSuQmCC',
  'base64',
);

/** One invisible pixel. */
export const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

export const pdf = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\nstartxref\n0\n%%EOF\n',
);

export const newsletter = `<!DOCTYPE html>
<html><head><title>Nouvelles</title><style>td { color: red }</style></head>
<body>
<div style="display:none;max-height:0">Un aperçu que personne ne voit &zwnj;&nbsp;&zwnj;</div>
<table role="presentation" width="100%"><tr><td>
  <a href="https://exemple.fr/"><img src="https://cdn.exemple.fr/logo.png" alt="L’Atelier" width="200"></a>
</td></tr><tr><td>
  <h1>Les ateliers de l’été</h1>
  <p>Bonjour,</p>
  <p>Trois ateliers ouvrent <b>en juillet</b> :</p>
  <ul><li>Reliure, le 8</li><li>Gravure, le 15</li></ul>
  <img src="https://cdn.exemple.fr/photo.jpg" alt="Une photo" width="600">
  <p><a href="https://exemple.fr/inscription?a=1&amp;b=2">S’inscrire</a></p>
  <table border="1"><tr><th>Atelier</th><th>Prix</th></tr><tr><td>Reliure</td><td>45,00 €</td></tr></table>
</td></tr></table>
<img src="https://t.exemple.fr/o.gif?u=42" width="1" height="1" alt="">
</body></html>`;

export const invitation = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'METHOD:REQUEST',
  'BEGIN:VTIMEZONE',
  'TZID:Europe/Paris',
  'BEGIN:STANDARD',
  'DTSTART:19701025T030000',
  'END:STANDARD',
  'END:VTIMEZONE',
  'BEGIN:VEVENT',
  'UID:1@example.org',
  'SUMMARY:Point budget\\, deuxième',
  '  partie',
  'DTSTART;TZID=Europe/Paris:20250721T140000',
  'DTEND;TZID=Europe/Paris:20250721T150000',
  'LOCATION:Salle 2\\nBâtiment B',
  'ORGANIZER;CN="Lopez, Ana":mailto:ana@example.org',
  'BEGIN:VALARM',
  'SUMMARY:Rappel',
  'END:VALARM',
  'END:VEVENT',
  'END:VCALENDAR',
].join('\r\n');
