import { afterEach, describe, expect, it } from 'vitest';
import { workersOf } from '../../../../test/intake/watch-workers.ts';
import { missing } from '../../../../test/missing.ts';
import type { Document, Limits, IntakeResult, Transcribe } from './document.ts';
import { createIntake } from './intake.ts';
import type { Intake } from './intake.ts';

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
const codeOf = ({ outcome }: IntakeResult): string =>
  outcome.kind === 'refused' ? outcome.code : outcome.kind;
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
  it('is converted with all of its attachments, each of which gets a unique name', async () => {
    const inner = mail(file('deep.csv', 'a,b\n1,2'));
    const { stem, outcome, inside } = await open().takeIn(mail(file('note.md', '# Note'), inner), stems());
    expect(stem).toBe('1-mail');
    expect(outcome).toMatchObject({ kind: 'converted', metadata: { type: 'email', title: 'Hello' } });
    expect(inside.map((each) => each.stem)).toEqual(['2-note', '3-mail']);
    expect(inside[0]?.outcome).toMatchObject({ markdown: '# Note', metadata: { type: 'markdown' } });
    expect(inside[1]?.inside[0]?.outcome).toMatchObject({ markdown: expect.stringContaining('| 1 | 2 |') });
  });

  it('is kept unchanged if it is an image, with the extension of its real format', async () => {
    const { outcome } = await open().takeIn(file('scan.pdf', png), stems());
    expect(outcome).toMatchObject({ markdown: '', images: [{ name: '1-scan.png', bytes: png }] });
  });

  it('is rejected when it is too large, whatever its kind', async () => {
    const intake = open({ limits: { documentBytes: 100, imageBytes: 10, characters: 20 } });
    expect(codeOf(await intake.takeIn(file('a.txt', 'x'.repeat(101)), stems()))).toBe('too-large');
    expect(codeOf(await intake.takeIn(file('a.png', png), stems()))).toBe('too-large');
    expect(codeOf(await intake.takeIn(file('a.md', 'x'.repeat(21)), stems()))).toBe('too-large');
  });

  it('is truncated at a line end when its markdown is too long, with a warning', async () => {
    const { outcome } = await open({ limits: { characters: 32 } }).takeIn(
      file('a.csv', 'a,b\n1,2\n3,4\n5,6'),
      stems(),
    );
    expect(outcome).toMatchObject({
      markdown: '| a | b |\n| --- | --- |',
      warnings: ['Truncated: the last 30 characters were omitted. The original is kept in full.'],
    });
  });

  it('is rejected if it is nested too deeply, but its parents are not', async () => {
    const intake = open({ limits: { nesting: 1 } });
    const { inside } = await intake.takeIn(mail(mail(file('deep.txt', 'x')), file('note.txt', 'y')), stems());
    expect(inside.map(codeOf)).toEqual(['converted', 'converted']);
    expect(inside[0]?.inside.map(codeOf)).toEqual(['too-large']);
  });

  it('is rejected if it exceeds the number of attachments, at any depth', async () => {
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
  it('is transcribed by the given model', async () => {
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

  it('is rejected without a model, and when the model fails or returns no text', async () => {
    const recording = file('memo.mp3', mp3);
    const without = await open().takeIn(recording, stems());
    expect(without.outcome).toMatchObject({
      code: 'no-transcription',
      reason: expect.stringContaining('see: keepsake'),
    });
    const failing = open({ transcribe: () => Promise.reject(new Error('401')) });
    expect((await failing.takeIn(recording, stems())).outcome).toMatchObject({
      code: 'no-transcription',
      reason: 'transcription failed: 401',
    });
    const silent = open({ transcribe: async () => ({ text: ' ', warnings: [] }) });
    expect(codeOf(await silent.takeIn(recording, stems()))).toBe('empty');
  });

  it('is rejected when the signal is aborted, even if the model never responds', async () => {
    const intake = open({ transcribe: () => new Promise(() => undefined) });
    const taking = intake.takeIn(file('memo.mp3', mp3), stems(), { signal: AbortSignal.timeout(20) });
    await expect(taking).rejects.toThrow('timeout');
  });
});

describe('the converter process', () => {
  const rows = file('rows.csv', `a,b\n${'1,2\n'.repeat(2_000_000)}`);

  it('is killed when a document takes too long', async () => {
    const result = await open({ limits: { milliseconds: 10 } }).takeIn(rows, stems());
    expect(codeOf(result)).toBe('too-slow');
  });

  it.skipIf(missing('Linux'))('is not killed only because the machine is busy', async () => {
    const intake = open({ limits: { milliseconds: 3_000 } });
    expect(codeOf(await intake.takeIn(file('one.csv', 'a,b\n1,2\n'), stems()))).toBe('converted');
    const [worker = 0] = workersOf(process.pid);
    process.kill(worker, 'SIGSTOP');
    setTimeout(() => process.kill(worker, 'SIGCONT'), 3_500);
    expect(codeOf(await intake.takeIn(file('two.csv', 'a,b\n1,2\n'), stems()))).toBe('converted');
  });

  it.skipIf(missing('Linux'))('is killed when a document takes too much memory', async () => {
    const intake = open({ limits: { memoryBytes: 50_000_000 } });
    expect(codeOf(await intake.takeIn(rows, stems()))).toBe('too-much-memory');
  });

  it('converts one document after the other, and continues after an aborted one', async () => {
    const intake = open();
    const conversion = intake.takeIn(rows, stems(), { signal: AbortSignal.timeout(5) });
    const small = Array.from({ length: 5 }, (_, at) => intake.takeIn(file(`${at}.txt`, `${at}`), stems()));
    await expect(conversion).rejects.toThrow('timeout');
    expect((await Promise.all(small)).map(({ outcome }) => outcome)).toMatchObject(
      Array.from({ length: 5 }, (_, at) => ({ markdown: `${at}` })),
    );
  });

  it('gives callers turns, and drops documents that no one waits for', async () => {
    const intake = open();
    const left = new AbortController();
    const order: string[] = [];
    const send = async (caller: string, name: string, signal?: AbortSignal): Promise<void> => {
      const request = { caller, ...(signal !== undefined && { signal }) };
      const { outcome } = await intake.takeIn(file(`${name}.txt`, name), stems(), request);
      if (outcome.kind === 'converted') order.push(outcome.markdown);
    };
    const many = ['1', '2', '3', '4'].map((name) => send('program', `program ${name}`));
    const gone = send('other', 'gone', left.signal);
    const own = send('user', 'user');
    left.abort(new Error('disconnected'));
    await expect(gone).rejects.toThrow('disconnected');
    await Promise.all([...many, own]);
    expect(order).toEqual(['program 1', 'user', 'program 2', 'program 3', 'program 4']);
  });

  it('exits when the intake is closed, which rejects the running conversion', async () => {
    const intake = open();
    const taking = intake.takeIn(rows, stems());
    intake.close();
    await expect(taking).rejects.toThrow('document intake is closed');
    await expect(intake.takeIn(rows, stems())).rejects.toThrow('document intake is closed');
  });
});
