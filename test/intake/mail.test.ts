import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { createIntake } from '../../packages/vault/src/intake/index.ts';
import type { Conversion, Document, Rejection, IntakeResult } from '../../packages/vault/src/intake/index.ts';
import { ana, encode, encodedWord, invitation, jean, mail, newsletter, pdf, pixel, png } from './mails.ts';

const intake = createIntake();
afterAll(() => intake.close());

function takeIn(document: Document): Promise<IntakeResult> {
  return intake.takeIn(document, (name) => name.replace(/\.[^.]*$/, ''));
}

async function converted(document: Document): Promise<Conversion> {
  const { outcome } = await takeIn(document);
  if (outcome.kind === 'refused') return expect.fail(outcome.reason);
  return outcome;
}

async function refused(document: Document, by = intake): Promise<Rejection> {
  const { outcome } = await by.takeIn(document, () => 'message');
  if (outcome.kind === 'converted') return expect.fail(outcome.markdown);
  return outcome;
}

/** The expected markdown of a message from Ana to Jean-Luc by default. */
function headed(subject: string, body: string, headers: string[] = []): string {
  const [from = 'Ana Lopez <ana@example.org>', to = 'Jean-Luc Besançon <jl@exemple.fr>'] = headers;
  return `# ${subject}\n\n- From: ${from}\n- To: ${to}\n- Date: 2025-07-14 18:30 +0200\n\n${body}`;
}

describe('the text of an email', () => {
  it('is its plain text, below its subject and headers', async () => {
    const document = await mail({
      from: jean,
      to: [ana, 'team@example.org'],
      cc: 'Équipe: paul@exemple.fr, "Martin, Luc" <luc@exemple.fr>;',
      subject: 'Réunion du 14 juillet',
      text: 'Bonjour,\n\nOn décale la réunion à 18 h 30 ; le coût reste de 1 200 €.\n\nMerci\n-- \nJean-Luc\n',
    });
    expect(await converted(document)).toMatchObject({
      markdown: `# Réunion du 14 juillet

- From: Jean-Luc Besançon <jl@exemple.fr>
- To: Ana Lopez <ana@example.org>, team@example.org
- Cc: paul@exemple.fr, Martin, Luc <luc@exemple.fr>
- Date: 2025-07-14 18:30 +0200

Bonjour,

On décale la réunion à 18 h 30 ; le coût reste de 1 200 €.

Merci

--
Jean-Luc`,
      metadata: {
        type: 'email',
        title: 'Réunion du 14 juillet',
        author: 'Jean-Luc Besançon <jl@exemple.fr>',
        date: '2025-07-14T18:30:00+02:00',
      },
      images: [],
      warnings: [],
      attachments: [],
    });
  });

  it('is its plain text when the HTML part says the same', async () => {
    const document = await mail({
      subject: 'The API',
      text: 'Hi,\n\nwe drop the external API and build it ourselves.\nDeadline: 1 September.\n\nAna',
      html: '<p>Hi,</p><p>we drop the <b>external API</b> and build it ourselves.<br>Deadline: 1 September.</p><p>Ana</p>',
    });
    expect((await converted(document)).markdown).toBe(
      headed(
        'The API',
        'Hi,\n\nwe drop the external API and build it ourselves.\nDeadline: 1 September.\n\nAna',
      ),
    );
  });

  const asPage = `[L’Atelier](https://exemple.fr/)

# Les ateliers de l’été

Bonjour,

Trois ateliers ouvrent **en juillet** :

- Reliure, le 8
- Gravure, le 15

[S’inscrire](https://exemple.fr/inscription?a=1&b=2)

| Atelier | Prix |
| --- | --- |
| Reliure | 45,00 € |`;

  it.each([
    ['there is no text', ''],
    ['the text is only a link to the web version', 'Voir en ligne : https://exemple.fr/lettre/42'],
    ['the text is the HTML source', newsletter],
  ])('is the HTML part when %s, without trackers and hidden elements', async (_when, text) => {
    const document = await mail({ subject: 'Nouvelles', text, html: newsletter });
    expect(await converted(document)).toMatchObject({
      markdown: headed('Nouvelles', asPage),
      images: [],
      warnings: ['2 images on the web were not downloaded.'],
    });
  });

  it.each([
    ['iso-8859-1', "L'été à Nîmes", "L'été à Nîmes coûte 12 £, « à peu près ».", 'quoted-printable'],
    ['windows-1252', 'L’été', 'Le « coût » : 12 € – œuvre comprise…', '8bit'],
    ['shift_jis', '会議の件', '来週の会議は10時です。\n\nよろしくお願いします。', 'base64'],
    ['koi8-r', 'Встреча', 'Добрый день!\n\nВстреча в 10:00.', '8bit'],
    ['utf-8', 'Übergröße 🙂', 'Maße: 3 × 4 m 🙂', 'base64'],
  ])('is decoded from %s', async (charset, subject, body, encoding) => {
    const content = charset === 'utf-8' ? Buffer.from(body) : encode(body, charset);
    const word = charset === 'utf-8' ? subject : encodedWord(subject, charset);
    expect(
      (await converted(await mail({ subject: word, text: { content }, encoding }, { charset }))).markdown,
    ).toBe(headed(subject, body));
  });

  it('shows the date in the local time of the sender, or the unchanged date header if it is invalid', async () => {
    const at = async (date: string) => {
      const { markdown, metadata } = await converted(await mail({ subject: 'x', text: 'y' }, { date }));
      return [/^- Date: (.*)$/m.exec(markdown)?.[1], metadata.date];
    };
    expect(await at('Tue, 1 Jan 2002 00:05:09 -0800 (PST)')).toEqual([
      '2002-01-01 00:05 -0800',
      '2002-01-01T00:05:09-08:00',
    ]);
    expect(await at('14 Jul 99 9:07 GMT')).toEqual(['1999-07-14 09:07 GMT', '1999-07-14T09:07:00Z']);
    expect(await at('14 Jul 99 9:07 CST')).toEqual(['1999-07-14 09:07 CST', '1999-07-14T09:07:00']);
    expect(await at('yesterday evening')).toEqual(['yesterday evening', undefined]);
    expect(await at('Fri, 31 Feb 2025 10:00:00 +0000')).toEqual([
      'Fri, 31 Feb 2025 10:00:00 +0000',
      undefined,
    ]);
  });
});

describe('a quotation in an email', () => {
  it('stays a quotation, separated from the answers in between', async () => {
    const text = `Hello,

On Mon, 14 Jul 2025, Jean-Luc wrote:
> When do we meet?
Tomorrow at ten.
> And where?
>
>> Somewhere quiet
> In the office?
Yes.
`;
    expect((await converted(await mail({ subject: 'Re: Meeting', text }))).markdown).toBe(
      headed(
        'Re: Meeting',
        `Hello,

On Mon, 14 Jul 2025, Jean-Luc wrote:
> When do we meet?

Tomorrow at ten.
> And where?
>
>> Somewhere quiet
>
> In the office?

Yes.`,
      ),
    );
  });

  it('is kept in an HTML part, too', async () => {
    const html = `<div dir="ltr">D’accord pour lundi.</div><br>
<div class="gmail_quote"><div class="gmail_attr">Le lun. 14 juil. 2025 à 09:12, Ana a écrit&nbsp;:<br></div>
<blockquote class="gmail_quote" style="margin:0 0 0 .8ex"><div>Lundi ?</div><div>Ou mardi ?</div>
<blockquote><div>Comme tu veux.</div></blockquote></blockquote></div>`;
    expect((await converted(await mail({ subject: 'Re: date', html }))).markdown).toBe(
      headed(
        'Re: date',
        `D’accord pour lundi.

Le lun. 14 juil. 2025 à 09:12, Ana a écrit :

> Lundi ?
>
> Ou mardi ?
>
> > Comme tu veux.`,
      ),
    );
  });

  it('may contain a thread of many messages', async () => {
    const thread = Array.from({ length: 40 }, (_, depth) => {
      const marks = '>'.repeat(depth);
      return `${marks}${depth === 0 ? '' : ' '}Message ${40 - depth}`;
    }).join('\n');
    expect((await converted(await mail({ subject: 'Re: Re: Re: Thread', text: thread }))).markdown).toBe(
      headed('Re: Re: Re: Thread', thread),
    );
  });
});

describe('an attachment of an email', () => {
  const plan = { filename: 'plan.png', content: png, cid: 'plan@example.org' };
  const dot = { filename: 'dot.gif', content: pixel, cid: 'dot@example.org' };

  it('is shown where the HTML part shows it, if it is a visible image', async () => {
    const html =
      '<p>Here is the plan:</p><p><img src="cid:plan@example.org" alt="The plan"></p><p>Ana<img src="cid:dot@example.org"></p>';
    expect(await converted(await mail({ subject: 'Plan', html, attachments: [plan, dot] }))).toMatchObject({
      markdown: headed('Plan', 'Here is the plan:\n\n![The plan](message-1.png)\n\nAna'),
      images: [{ name: 'message-1.png', bytes: Uint8Array.from(png) }],
      attachments: [],
      warnings: [],
    });
  });

  it.each([
    ['in its place', 'Voici le plan :\n\n[image: plan.png]\n\nAna', '![plan.png](message-1.png)\n\nAna'],
    ['in its place', 'Voici le plan :\n\n[cid:plan@example.org]\n\nAna', '![plan.png](message-1.png)\n\nAna'],
    ['at the end', 'Voici le plan :\n\nAna', 'Ana\n\n![plan.png](message-1.png)'],
  ])('is shown in the plain text %s', async (_where, text, shown) => {
    const html = '<p>Voici le plan :</p><img src="cid:plan@example.org" alt="plan.png"><p>Ana</p>';
    expect((await converted(await mail({ subject: 'Plan', text, html, attachments: [plan] }))).markdown).toBe(
      headed('Plan', `Voici le plan :\n\n${shown}`),
    );
  });

  it('is listed, and converted separately', async () => {
    const attachments = [
      { filename: 'C:\\Users\\Ana\\facture n°3.pdf', content: pdf },
      { filename: 'photo.png', content: png },
      { filename: '../../Photo.png', content: png },
      { filename: 'prix.csv', content: 'nom;prix\npain;1,20\n' },
    ];
    const { outcome, inside } = await takeIn(
      await mail({ subject: 'Papers', text: 'Attached.', attachments }),
    );
    expect(outcome).toMatchObject({
      markdown: headed(
        'Papers',
        'Attached.\n\nAttachments: facture n°3.pdf, photo.png, Photo-2.png, prix.csv',
      ),
      images: [],
    });
    expect(inside.map(({ document }) => document.name)).toEqual([
      'facture n°3.pdf',
      'photo.png',
      'Photo-2.png',
      'prix.csv',
    ]);
    expect(inside[0]?.document.bytes).toEqual(Uint8Array.from(pdf));
    expect(inside[3]?.outcome).toMatchObject({ markdown: '| nom | prix |\n| --- | --- |\n| pain | 1,20 |' });
  });

  it('may be another email, named after its subject', async () => {
    const first = await mail({ from: jean, to: ana, subject: 'Re: devis / offre', text: 'Voici le devis.' });
    const forwarded = await mail({
      subject: 'Tr : Re: devis / offre',
      text: 'Pour information.',
      attachments: [{ content: Buffer.from(first.bytes), contentType: 'message/rfc822' }],
    });
    const { outcome, inside } = await takeIn(forwarded);
    expect(outcome).toMatchObject({
      markdown: headed('Tr : Re: devis / offre', 'Pour information.\n\nAttachments: Re devis - offre.eml'),
    });
    expect(inside).toMatchObject([
      {
        document: { name: 'Re devis - offre.eml' },
        outcome: {
          markdown: headed('Re: devis / offre', 'Voici le devis.', [
            'Jean-Luc Besançon <jl@exemple.fr>',
            'Ana Lopez <ana@example.org>',
          ]),
        },
      },
    ]);
  });

  it('may be an invitation, which is shown once', async () => {
    const document = await mail({
      subject: 'Point budget',
      text: 'À lundi !',
      icalEvent: { method: 'REQUEST', content: invitation },
    });
    expect(await converted(document)).toMatchObject({
      markdown: headed(
        'Point budget',
        `À lundi !

## Invitation: Point budget, deuxième partie

- Start: 2025-07-21 14:00 (Europe/Paris)
- End: 2025-07-21 15:00 (Europe/Paris)
- Place: Salle 2 Bâtiment B
- Organiser: Lopez, Ana <ana@example.org>`,
      ),
      attachments: [],
    });
  });

  it('is omitted with a warning when it has no readable content', async () => {
    const document = await mail({
      subject: 'Signed',
      text: 'Yours.',
      attachments: [
        { filename: 'smime.p7s', content: 'x', contentType: 'application/pkcs7-signature' },
        { filename: 'signature.asc', content: 'x', contentType: 'application/pgp-signature' },
        { filename: 'winmail.dat', content: 'x', contentType: 'application/ms-tnef' },
      ],
    });
    expect(await converted(document)).toMatchObject({
      markdown: headed('Signed', 'Yours.'),
      attachments: [],
      warnings: [
        'The digital signature smime.p7s was omitted; the original is kept.',
        'The digital signature signature.asc was omitted; the original is kept.',
        'winmail.dat was omitted: only Outlook can open it. Save its attachments from Outlook.',
      ],
    });
  });

  it('may be the only content', async () => {
    const document = await mail({ attachments: [{ filename: 'note.txt', content: 'Milk' }] });
    expect((await converted(document)).markdown).toBe(headed('(no subject)', 'Attachments: note.txt'));
  });
});

describe('an email', () => {
  it.each<[string, Parameters<typeof mail>[0]]>([
    ['PGP', { text: '-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----' }],
    [
      'PGP',
      {
        attachments: [
          { content: 'Version: 1', contentType: 'application/pgp-encrypted' },
          { filename: 'encrypted.asc', content: '-----BEGIN PGP MESSAGE-----' },
        ],
      },
    ],
    [
      'S/MIME',
      { attachments: [{ filename: 'smime.p7m', content: 'x', contentType: 'application/pkcs7-mime' }] },
    ],
  ])('is rejected if it is encrypted with %s', async (how, options) => {
    expect(await refused(await mail({ subject: 'Secret', ...options }))).toEqual({
      kind: 'refused',
      code: 'encrypted',
      reason: `the message is encrypted (${how}); open it in your mail program and save it decrypted`,
    });
  });

  it('is rejected if it is empty', async () => {
    expect(await refused(await mail({}))).toMatchObject({ code: 'empty' });
  });

  it('is rejected if its parts are nested too deeply', async () => {
    const levels = Array.from(
      { length: 20 },
      (_, depth) => `Content-Type: multipart/mixed; boundary=b${depth}\n\n--b${depth}`,
    );
    const head = 'From: a@example.org\nTo: b@example.org\nSubject: Deep\nMIME-Version: 1.0';
    const bytes = Buffer.from(`${head}\n${levels.join('\n')}\n\nText\n`);
    expect(await refused({ name: 'deep.eml', bytes })).toMatchObject({ code: 'too-large' });
  });
});

describe('a mailbox', () => {
  const postmark = 'From ana@example.org Mon Jul 14 18:30:00 2025\n';

  async function mailbox(): Promise<Document> {
    const texts = ['From here on it is mine.', 'First.\n\n>From the start.', 'From now on\nit is yours.'];
    const messages = await Promise.all(
      texts.map((text, index) => mail({ subject: `Part ${index + 1}`, text })),
    );
    const quoted = messages.map(({ bytes }) =>
      Buffer.from(bytes)
        .toString()
        .replaceAll('\r\n', '\n')
        .replaceAll(/^(?=>*From )/gm, '>'),
    );
    return {
      name: 'archive.mbox',
      bytes: Buffer.from(quoted.map((message) => `${postmark}${message}\n\n`).join('')),
    };
  }

  it('becomes a list of its messages, which are unescaped and converted separately', async () => {
    const { outcome, inside } = await takeIn(await mailbox());
    expect(outcome).toMatchObject({
      markdown: `# archive.mbox

- 2025-07-14 18:30 +0200, Ana Lopez <ana@example.org>, Part 1
- 2025-07-14 18:30 +0200, Ana Lopez <ana@example.org>, Part 2
- 2025-07-14 18:30 +0200, Ana Lopez <ana@example.org>, Part 3`,
      metadata: { type: 'mailbox', title: 'archive.mbox' },
    });
    expect(inside.map(({ document }) => document.name)).toEqual([
      '0001-Part 1.eml',
      '0002-Part 2.eml',
      '0003-Part 3.eml',
    ]);
    expect(inside.map((each) => each.outcome)).toMatchObject([
      { markdown: headed('Part 1', 'From here on it is mine.') },
      { markdown: headed('Part 2', 'First.\n\n>From the start.') },
      { markdown: headed('Part 3', 'From now on\nit is yours.') },
    ]);
  });

  it('is rejected when it has too many messages', async () => {
    const narrow = createIntake({ limits: { attachments: 2 } });
    onTestFinished(() => narrow.close());
    expect(await refused(await mailbox(), narrow)).toEqual({
      kind: 'refused',
      code: 'too-large',
      reason:
        'the mailbox has 3 messages (limit 2); use keepsake import, which accepts mailboxes of any size',
    });
  });
});
