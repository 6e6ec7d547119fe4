import { afterEach, describe, expect, it } from 'vitest';
import { workersOf } from '../../../../test/intake/watch-workers.ts';
import { missing } from '../../../../test/missing.ts';
import type { Document, Limits, Taken, Transcribe } from './port.ts';
import { createIntake } from './take-in.ts';
import type { Intake } from './take-in.ts';

const intakes: Intake[] = [];

function open(options: { limits?: Partial<Limits>; transcribe?: Transcribe } = {}): Intake {
  const intake = createIntake(options);
  intakes.push(intake);
  return intake;
}

const stems = (): ((name: string) => string) => {
  let count = 0;
  return (name) => `${(count += 1)}-${name.split('.')[0]}`;
};
const file = (name: string, content: string | Uint8Array): Document => ({
  name,
  bytes: Buffer.from(content),
});
const codeOf = ({ outcome }: Taken): string => (outcome.kind === 'refused' ? outcome.code : outcome.kind);
const png = Buffer.from('\x89PNG\r\n\x1a\n and so on', 'latin1');
const mp3 = Buffer.from('ID3 and so on');

function mail(...attachments: Document[]): Document {
  const parts = attachments.map(
    ({ name, bytes }) =>
      `Content-Type: application/octet-stream\r\nContent-Transfer-Encoding: base64\r\n` +
      `Content-Disposition: attachment; filename="${name}"\r\n\r\n${Buffer.from(bytes).toString('base64')}\r\n`,
  );
  return file(
    'mail.eml',
    `From: a@example.com\r\nTo: b@example.com\r\nSubject: Hello\r\nMIME-Version: 1.0\r\n` +
      `Content-Type: multipart/mixed; boundary="x"\r\n\r\n` +
      `${['\r\nthe text\r\n', ...parts].map((part) => `--x\r\n${part}`).join('')}--x--\r\n`,
  );
}

afterEach(() => {
  for (const intake of intakes.splice(0)) intake.close();
});

describe('a document', () => {
  it('is converted with everything inside of it, each with a stem of its own', async () => {
    const inner = mail(file('deep.csv', 'a,b\n1,2'));
    const { stem, outcome, inside } = await open().takeIn(mail(file('note.md', '# Note'), inner), stems());
    expect(stem).toBe('1-mail');
    expect(outcome).toMatchObject({ kind: 'converted', metadata: { type: 'email', title: 'Hello' } });
    expect(inside.map((each) => each.stem)).toEqual(['2-note', '3-mail']);
    expect(inside[0]?.outcome).toMatchObject({ markdown: '# Note', metadata: { type: 'markdown' } });
    expect(inside[1]?.inside[0]?.outcome).toMatchObject({ markdown: expect.stringContaining('| 1 | 2 |') });
  });

  it('that is a picture is kept under its stem and as what it is', async () => {
    const { outcome } = await open().takeIn(file('scan.pdf', png), stems());
    expect(outcome).toMatchObject({ markdown: '', images: [{ name: '1-scan.png', bytes: png }] });
  });

  it('is refused when it is too large, whatever it is', async () => {
    const intake = open({ limits: { documentBytes: 100, imageBytes: 10, characters: 20 } });
    expect(codeOf(await intake.takeIn(file('a.txt', 'x'.repeat(101)), stems()))).toBe('too-large');
    expect(codeOf(await intake.takeIn(file('a.png', png), stems()))).toBe('too-large');
    expect(codeOf(await intake.takeIn(file('a.md', 'x'.repeat(21)), stems()))).toBe('too-large');
  });

  it('is cut at a line when its markdown is too long, and says so', async () => {
    const { outcome } = await open({ limits: { characters: 32 } }).takeIn(
      file('a.csv', 'a,b\n1,2\n3,4\n5,6'),
      stems(),
    );
    expect(outcome).toMatchObject({
      markdown: '| a | b |\n| --- | --- |',
      warnings: ['It is very long: 30 characters at its end were left out; the original is kept whole.'],
    });
  });

  it('inside of too many others is refused, and the others are not', async () => {
    const intake = open({ limits: { nesting: 1 } });
    const { inside } = await intake.takeIn(mail(mail(file('deep.txt', 'x')), file('note.txt', 'y')), stems());
    expect(inside.map(codeOf)).toEqual(['converted', 'converted']);
    expect(inside[0]?.inside.map(codeOf)).toEqual(['too-large']);
  });

  it('that comes after too many attachments is refused, wherever it lies', async () => {
    const intake = open({ limits: { attachments: 3 } });
    const { inside } = await intake.takeIn(
      mail(mail(file('1.txt', 'x'), file('2.txt', 'x')), file('3.txt', 'y')),
      stems(),
    );
    expect(inside[0]?.inside.map(codeOf)).toEqual(['converted', 'converted']);
    expect(inside.map(codeOf)).toEqual(['converted', 'too-large']);
  });
});

describe('a recording', () => {
  it('is transcribed by the model that is given', async () => {
    const seen: string[] = [];
    const transcribe: Transcribe = async ({ name, mediaType }) => {
      seen.push(name, mediaType);
      return { text: 'what was said', warnings: ['a warning'] };
    };
    const { outcome } = await open({ transcribe }).takeIn(file('memo.mp3', mp3), stems());
    expect(outcome).toMatchObject({
      markdown: 'what was said',
      metadata: { type: 'audio' },
      warnings: ['a warning'],
    });
    expect(seen).toEqual(['memo.mp3', 'audio/mpeg']);
  });

  it('is refused without a model, and when the model fails or hears nothing', async () => {
    const recording = file('memo.mp3', mp3);
    const without = await open().takeIn(recording, stems());
    expect(without.outcome).toMatchObject({
      code: 'no-transcription',
      reason: expect.stringContaining('see: keepsake'),
    });
    const failing = open({ transcribe: () => Promise.reject(new Error('401')) });
    expect((await failing.takeIn(recording, stems())).outcome).toMatchObject({
      code: 'no-transcription',
      reason: 'it is a recording, and transcribing it failed: 401',
    });
    const silent = open({ transcribe: async () => ({ text: ' ', warnings: [] }) });
    expect(codeOf(await silent.takeIn(recording, stems()))).toBe('empty');
  });

  it('is given up when the caller does, even if the model goes on', async () => {
    const intake = open({ transcribe: () => new Promise(() => undefined) });
    const taking = intake.takeIn(file('memo.mp3', mp3), stems(), AbortSignal.timeout(20));
    await expect(taking).rejects.toThrow('timeout');
  });
});

describe('the process that converts', () => {
  const rows = file('rows.csv', `a,b\n${'1,2\n'.repeat(2_000_000)}`);

  it('is killed with a document that takes too long', async () => {
    const taken = await open({ limits: { milliseconds: 10 } }).takeIn(rows, stems());
    expect(codeOf(taken)).toBe('too-slow');
  });

  it.skipIf(missing('Linux'))('has as much time as it needs on a machine that gives it none', async () => {
    const intake = open({ limits: { milliseconds: 1_000 } });
    expect(codeOf(await intake.takeIn(file('one.csv', 'a,b\n1,2\n'), stems()))).toBe('converted');
    const [worker = 0] = workersOf(process.pid);
    process.kill(worker, 'SIGSTOP');
    setTimeout(() => process.kill(worker, 'SIGCONT'), 2_500);
    expect(codeOf(await intake.takeIn(file('two.csv', 'a,b\n1,2\n'), stems()))).toBe('converted');
  });

  it.skipIf(missing('Linux'))('is killed with a document that takes too much memory', async () => {
    const intake = open({ limits: { memoryBytes: 50_000_000 } });
    expect(codeOf(await intake.takeIn(rows, stems()))).toBe('too-much-memory');
  });

  it('reads one document after the other, and goes on after one was given up', async () => {
    const intake = open();
    const given = intake.takeIn(rows, stems(), AbortSignal.timeout(5));
    const small = Array.from({ length: 5 }, (_, at) => intake.takeIn(file(`${at}.txt`, `${at}`), stems()));
    await expect(given).rejects.toThrow('timeout');
    expect((await Promise.all(small)).map(({ outcome }) => outcome)).toMatchObject(
      Array.from({ length: 5 }, (_, at) => ({ markdown: `${at}` })),
    );
  });

  it('ends with the intake, and so does what it was doing', async () => {
    const intake = open();
    const taking = intake.takeIn(rows, stems());
    intake.close();
    await expect(taking).rejects.toThrow('no documents are taken in any more');
    await expect(intake.takeIn(rows, stems())).rejects.toThrow('no documents are taken in any more');
  });
});
