import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type LaidOut = { notes: number; attachments: number; documents: number };

/** Creates a folder like that of a long-time user: notes that link to each other, images, and some documents. */
export function layOutSource(folder: string, notes: number): LaidOut {
  const attachments = Math.ceil(notes / 5);
  const documents = Math.ceil(attachments / 10);
  const put = (path: string, content: string | Buffer, day: number): void => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    const time = new Date(2015, 0, 1 + day, 12, 30);
    utimesSync(file, time, time);
  };
  for (let note = 0; note < notes; note += 1) put(notePath(note), noteText(note, notes), note);
  for (let picture = documents; picture < attachments; picture += 1)
    put(`pictures/${picture}.png`, pictureOf(picture), picture);
  for (let document = 0; document < documents; document += 1) put(...documentOf(document), document);
  return { notes, attachments, documents };
}

const notePath = (note: number): string =>
  note % 97 === 0 ? `odd: names/été? ${note}.md` : `folder ${note % 50}/note ${note}.md`;

function noteText(note: number, notes: number): string {
  const next = (note + 1) % notes;
  const up = `../${notePath(next).split('/').map(encodeURIComponent).join('/')}`;
  const frontmatter = note % 3 === 0 ? `---\ntags: [a, b${note % 7}]\ndate: 2014-02-03\n---\n\n` : '';
  return `${frontmatter}# Note ${note}\n\nword${note} [next](${up}) [[note ${next}]] ![](../pictures/${note}.png)\n\n${'Lorem ipsum dolor sit amet. '.repeat(note % 60)}\n`;
}

/** Has only the header of an image, which is all that is checked. */
function pictureOf(number: number): Buffer {
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    Buffer.alloc(2_000 + (number % 5) * 10_000, number),
  ]);
}

function documentOf(number: number): [string, string] {
  const name = `documents/${number % 4}/document ${number}`;
  const kinds: [string, string][] = [
    [`${name}.csv`, `a,b\nunique${number},2\n`],
    [
      `${name}.html`,
      `<!doctype html><html><body><h1>Page ${number}</h1><p>A paragraph that is long enough to be one, unique${number}.</p></body></html>`,
    ],
    [
      `${name}.eml`,
      `From: a@example.org\nTo: b@example.org\nSubject: Mail ${number}\nDate: Mon, 14 Jul 2025 18:30:00 +0200\nContent-Type: text/plain\n\nunique${number}\n`,
    ],
    [`${name}.txt`, `unique${number}\n`],
  ];
  return kinds[number % kinds.length] as [string, string];
}
