import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../../test/random-numbers.ts';
import { createRedactor } from './redactor.ts';
import type { Redactor } from './redactor.ts';

const redactorOf = (phrases: string | string[], isBySentence = false): Redactor =>
  createRedactor({ phrases: [phrases].flat(), isBySentence, contents: [], salt: 'salt', language: 'en' });
const redact = (phrases: string | string[], text: string): string =>
  redactorOf(phrases).redactBytes(Buffer.from(text)).toString();
/** Each passage as `line: before → after`, with the words that go in brackets, and in double brackets those that were not named. */
const describeAll = (redactor: Redactor, text: string): string[] =>
  redactor.describe(Buffer.from(text)).map(({ line, before, after }) => {
    const marks = { stays: ['', ''], goes: ['[', ']'], 'goes-too': ['[[', ']]'] } as const;
    const marked = before.map((part) => marks[part.fate].join(part.text));
    return `${line}: ${marked.join('')} → ${after}`;
  });

const allergy =
  '- Allergie à la pénicilline (test de 2019) et aux crustacés. Les huîtres et les moules, oui ; les crevettes, non.\n';

describe('a redactor', () => {
  it.each([
    ['another letter case', 'The ZEBRAFINCH sings.'],
    ['a decomposed Unicode form', 'Café zebrafinch.'.normalize('NFD')],
    ['a soft hyphen', 'The zebra\u00adfinch sings.'],
    ['full-width letters', 'The ｚｅｂｒａｆｉｎｃｈ sings.'],
  ])('finds words in %s', (_, text) => {
    expect(redactorOf('zebrafinch').matches(text)).toBe(true);
  });

  it('finds composed words in decomposed text and the reverse', () => {
    expect(redactorOf('crème brûlée'.normalize('NFD')).matches('CRÈME BRÛLÉE')).toBe(true);
    expect(redactorOf('crème brûlée').matches('crème brûlée'.normalize('NFD'))).toBe(true);
  });

  it('finds a phrase that is wrapped, quoted, emphasized or in a link', () => {
    for (const text of [
      'the blue\nkey',
      '> the blue\n> key',
      '- the blue\n  key',
      'the **blue** key',
      'the%20blue%20key',
      '[it](my%20the%20blue%20key.md)',
    ])
      expect(redactorOf('the blue key').matches(text)).toBe(true);
  });

  it('does not find a word inside another word, except in scripts without spaces', () => {
    expect(redactorOf('Jo').matches('Jones and Major')).toBe(false);
    expect(redactorOf('Jo').matches("Jo's key")).toBe(true);
    expect(redactorOf('東京').matches('私は東京に住む')).toBe(true);
  });

  it('finds text in UTF-16 and in bytes that are not text', () => {
    const redactor = redactorOf('zebrafinch');
    expect(redactor.matchesBytes(Buffer.from('a zebrafinch', 'utf16le'))).toBe(true);
    expect(redactor.matchesBytes(Buffer.from([0, 255, ...Buffer.from('zebrafinch'), 1]))).toBe(true);
  });

  it('leaves text without the words as it is, byte for byte', () => {
    const bytes = Buffer.from('a \r\n\n\n b\u00a0\n');
    expect(redactorOf('7431').redactBytes(bytes)).toBe(bytes);
  });

  it('gives a name that says nothing about the words, and the same one every time', () => {
    const redactor = redactorOf('zebrafinch');
    const path = redactor.redactPath('vault/bucket/my Zebrafinch.md');
    expect(path).toMatch(/^vault\/bucket\/my removed-[\da-f]{8}\.md$/);
    expect(redactor.redactPath('vault/bucket/my Zebrafinch.md')).toBe(path);
  });

  it('redacts the strings of JSON and never leaves an empty one', () => {
    expect(redactorOf('Code 7431').redactJson({ text: 'Code 7431', list: ['a', 'b Code 7431.'] })).toEqual({
      text: '(removed at your request)',
      list: ['a', 'b.'],
    });
  });

  it('ends if the words are part of what replaces them', () => {
    expect(redact('removed', '# Removed\n\nText.\n')).toBe('# (…)\n\nText.\n');
    expect(redactorOf('removed').redactPath('removed.md')).toMatch(/^[\da-f]{8}\.md$/);
  });
});

describe('a phrase', () => {
  it('is removed from its sentence, of which the rest stays', () => {
    expect(redact('à la pénicilline (test de 2019) et', allergy)).toBe(
      '- Allergie aux crustacés. Les huîtres et les moules, oui ; les crevettes, non.\n',
    );
  });

  it.each([
    ['a, 7431, b', 'a, b'],
    ['a (7431) b', 'a b'],
    ['(7431, b) c', '(b) c'],
    ['c (b, 7431).', 'c (b).'],
    ['7431, the code', 'the code'],
    ['the code: 7431.', 'the code.'],
    ['the **7431** here', 'the here'],
    ['say « 7431 » again', 'say again'],
    ['oui 7431 ; non', 'oui ; non'],
    ['one 7431 and 7431, 7431 two', 'one and two'],
    ['7431 - not a list', 'not a list'],
    ['"a" 7431 "b"', '"a" "b"'],
    ['[the 7431 guide](https://example.org)', '[the guide](https://example.org)'],
    ['- [ ] call 7431 📅 2026-12-01', '- [ ] call 📅 2026-12-01'],
    ['Keep. 7431. Stay.', 'Keep. Stay.'],
  ])('leaves tidy text in: %s', (text, rest) => {
    expect(redact('7431', `${text}\n`)).toBe(`${rest}\n`);
  });

  it('takes the sentence or line with it in which nothing else is left', () => {
    expect(redact('The code is 7431', '# Safe\n\nKeep. The code is 7431. Stay.\nThe code is 7431.\n')).toBe(
      '# Safe\n\nKeep. Stay.\n',
    );
    expect(redact('call 7431', '- [ ] call 7431\n- [ ] other\n')).toBe('- [ ] other\n');
    expect(redact('only 7431', '# A\n\nonly 7431\n\n# B\n')).toBe('# A\n\n# B\n');
  });

  it('is removed over several lines, which stay lines', () => {
    expect(redact('blue key', 'One. The blue\nkey opens it. Two.\n')).toBe('One. The\nopens it. Two.\n');
  });

  it('leaves a marker where text below would otherwise belong to something else', () => {
    const task =
      '# Bins\n\nstatus: done\n\n# Peindre les volets\n\nstatus: to-do | prio: high\n\nIn green.\n';
    expect(redact('les volets', task)).toBe(task.replace(' les volets', ''));
    expect(redact('Peindre les volets', task)).toBe(
      task.replace('Peindre les volets', '(removed at your request)'),
    );
    expect(redact('call 7431', '- [ ] other\n- [ ] call 7431\n  - a detail\n')).toBe(
      '- [ ] other\n- [ ] (removed at your request)\n  - a detail\n',
    );
    expect(redact('Safe 7431', '# 2026-11-18\n\n## Other\n\nA.\n\n## Safe 7431\n\nB.\n')).toBe(
      '# 2026-11-18\n\n## Other\n\nA.\n\n## (removed at your request)\n\nB.\n',
    );
    expect(redact('Safe 7431', '# Note\n\n## Safe 7431\n\n## Other\n')).toBe('# Note\n\n## Other\n');
  });

  it('removes the task whose text it is, and leaves equal metadata elsewhere', () => {
    const other = '# Bins\n\nstatus: to-do | prio: high\n\nOut.\n';
    const task = '# Volets\n\nstatus: to-do | prio: high\n\nIn green.';
    expect(redact(task, `${other}\n${task}\n\n# End\n`)).toBe(`${other}\n# End\n`);
  });

  it('leaves properties, metadata of tasks and tables that can still be read', () => {
    expect(
      redact(
        '7431',
        '---\ntitle: Safe 7431\ncode: 7431\nq: "7431"\ntags: [a, 7431, b]\ntype: note\n---\n\nA.\n',
      ),
    ).toBe('---\ntitle: Safe\ntags: [a, b]\ntype: note\n---\n\nA.\n');
    expect(redact('owner', '---\nowner:\n  - me\ntype: note\n---\n')).toBe('---\ntype: note\n---\n');
    expect(redact('7431', '---\nlink: 7431 [[a]] b\ntype: note\n---\n')).toBe('---\ntype: note\n---\n');
    expect(redact('high', '# T\n\nstatus: done | prio: high | added: 2026-01-01\n')).toBe(
      '# T\n\nstatus: done | added: 2026-01-01\n',
    );
    expect(redact('7431', '| code 7431 | b |\n|---|---|\n| 7431 | c |\n| 7431 | 7431 |\n')).toBe(
      '| code | b |\n|---|---|\n|  | c |\n',
    );
  });

  it('leaves code as it is otherwise, and removes lines of which no words are left', () => {
    expect(redact('7431', '```\nf( 7431 , a )\n  7431\n```\n')).toBe('```\nf(  , a )\n```\n');
  });

  it('gives links to a renamed file its new name', () => {
    const redactor = redactorOf('7431');
    const name = redactor.redactPath('7431.md').slice(0, -3);
    const text = 'See [[7431]], [[7431|the note]], [it](../7431.md) and ![[7431.png]].\n';
    expect(redactor.redactBytes(Buffer.from(text)).toString()).toBe(
      `See [[${name}]], [[${name}|the note]], [it](../${name}.md) and ![[${name}.png]].\n`,
    );
  });

  it.each([
    ['[[odile-note|Odile]]', '[[removed-…-note]]'],
    ['[[odile-note|my Odile]]', '[[removed-…-note|my]]'],
    ['[[odile-note#Odile|her]]', '[[removed-…-note#|her]]'],
    ['[[people/odile/odile-note]]', '[[people/removed-…/removed-…-note]]'],
    ['[her](odile-note.md#odile)', '[her](removed-…-note.md)'],
    ['[her](<odile-note.md#odile>)', '[her](<removed-…-note.md>)'],
  ])('is removed from the anchor and label of a link to a renamed file: %s', (link, rest) => {
    const redacted = redact('odile', `See ${link} now.\n`).replaceAll(/removed-[\da-f]{8}/g, 'removed-…');
    expect(redacted).toBe(`See ${rest} now.\n`);
  });

  it('leaves no link of a sentence that is removed', () => {
    for (const link of ['[[odile-note]]', '[her](odile-note.md)'])
      expect(redact([`See ${link} now`, 'odile'], `Keep. See ${link} now.\n`)).toBe('Keep.\n');
  });

  it.each([
    ['Élodie', '%C3%89lodie.md'],
    ['Élodie', '%c3%a9lodie.md'],
    ['élodie', 'E%CC%81lodie.md'],
    ['Tante Élodie', 'Tante%20%C3%89lodie.md'],
    ['日本', '%E6%97%A5%E6%9C%AC.md'],
    ["l'œuvre", '%6C%27%C5%93uvre.md'],
  ])('is found percent-encoded: %s in %s', (phrase, file) => {
    const text = `See https://example.org/x/${file} and [her](${file}).\n`;
    expect(redact(phrase, text)).toMatch(
      /^See https:\/\/example\.org\/x\/\.md and \[her\]\(removed-[\da-f]{8}\.md\)\.\n$/,
    );
  });

  it('is found next to what only looks encoded', () => {
    expect(redact('7431', 'a 100%7431 b %C3 7431 c %zz 7431 d\n')).not.toContain('7431');
    expect(redactorOf('lodie').matches('[her](%C3%89lodie.md)')).toBe(false);
  });

  it('is removed together with what forms it once something else is removed', () => {
    expect(redact(['12', 'ab cd'], 'x ab 12 cd y\n')).toBe('x y\n');
  });
});

describe('what a redactor describes', () => {
  it('is every affected sentence before and after, with its line', () => {
    const redactor = redactorOf(['à la pénicilline (test de 2019) et', 'Unknown']);
    expect(describeAll(redactor, `# Santé\n\n${allergy}`)).toEqual([
      '3: Allergie [à la pénicilline (test de 2019) et ]aux crustacés. → Allergie aux crustacés.',
    ]);
  });

  it('tells apart what was named and what goes with it', () => {
    const rules = { contents: [], salt: 'salt', language: 'en' as const, isBySentence: false };
    const text = '---\ncode: 7431\n---\n\nKeep. The code\nis 7431 now. Stay.\n';
    const sentences = redactorOf('7431').findSentences(text);
    expect(sentences).toEqual(['code: 7431', 'The code\nis 7431 now.']);
    const redactor = createRedactor({ ...rules, phrases: [...sentences, '7431'] }, ['7431']);
    expect(describeAll(redactor, text)).toEqual([
      '2: [[code: ]][7431] → ',
      '5: [[The code]]\n[[is ]][7431][[ now.]] → ',
    ]);
    expect(redactor.redactBytes(Buffer.from(text)).toString()).toBe('---\n---\n\nKeep.\nStay.\n');
  });

  it('contains a task and a changelog entry as a whole', () => {
    const tasks = '# Bins\n\nstatus: done\n\n# Volets\n\nstatus: to-do\n\nIn green. By May.\n\n# End\n';
    expect(redactorOf('Volets').findSentences(tasks)).toEqual([
      '# Volets\n\nstatus: to-do\n\nIn green. By May.',
    ]);
    expect(redactorOf('green').findSentences(tasks)).toEqual(['In green.']);
    const changelog = '# 2026-11-18\n\n## Safe 7431\n\nA. B.\n\n## Other\n\nC.\n';
    expect(redactorOf('7431').findSentences(changelog)).toEqual(['## Safe 7431\n\nA. B.']);
  });

  it('names every word that goes and no word that stays, whatever the text is', () => {
    const random = randomNumbers(11);
    const pick = <Value>(values: readonly Value[]): Value =>
      values[Math.floor(random() * values.length)] as Value;
    const words = ['secret', 'key', 'Anna', 'box', 'two', 'il', 'y', 'à', '7431', '2026-11-18'];
    const glue = [
      ' ',
      ' ',
      ' ',
      '. ',
      ', ',
      '\n',
      '\n\n',
      '\n- ',
      '\n- [ ] ',
      '\n# ',
      '\n## ',
      ' | ',
      '\n| ',
      '\n> ',
    ];
    const marks = [
      '**',
      '"',
      '(',
      ')',
      ' ; ',
      '`',
      '[[',
      ']]',
      '\n```\n',
      '\nstatus: done | prio: ',
      '\n  - ',
    ];
    const count = (all: string): string => (all.match(/[\p{L}\p{N}]+/gu) ?? []).toSorted().join(' ');
    const problems: object[] = [];
    for (let round = 0; round < 1_000; round += 1) {
      let text = pick(['', '', '---\ntitle: a\ntags: [secret, key]\n---\n', '# 2026-11-18\n\n## ']);
      for (let length = 0; length < 30; length += 1)
        text += pick(words) + pick(random() < 0.8 ? glue : marks);
      const phrases = [Array.from({ length: 2 }, () => pick(words)).join(' '), pick(words)];
      const redactor = redactorOf(phrases);
      const redacted = redact(phrases, text);
      const gone = redactor
        .describe(Buffer.from(text))
        .flatMap(({ before }) => before.filter(({ fate }) => fate !== 'stays').map((part) => part.text));
      const rest = redacted.replaceAll(redactor.marker, '').replaceAll(/removed-[\da-f]{8}/g, '');
      const isRight = count(`${rest} ${gone.join(' ')}`) === count(text);
      if (!isRight || redactor.matches(redacted) || redact(phrases, redacted) !== redacted)
        problems.push({ phrases, text, redacted });
    }
    expect(problems).toEqual([]);
  });
});

describe('rules of the first version', () => {
  it('remove the sentences with the phrases, and a line if nothing else is in it', () => {
    const text = '# Safe\n\nKeep. The code is 7431. Stay.\nCode 7431.\nEnd.\n';
    expect(redactorOf('7431', true).redactBytes(Buffer.from(text)).toString()).toBe(
      '# Safe\n\nKeep. Stay.\nEnd.\n',
    );
    const structured =
      '---\ntitle: Safe 7431\ntype: note\n---\n\n## Code 7431. Old\n\n| a. b | 7431 |\n| c | d |\n';
    expect(redactorOf('7431', true).redactBytes(Buffer.from(structured)).toString()).toBe(
      '---\ntype: note\n---\n\n## (removed at your request)\n\n| c | d |\n',
    );
  });
});
