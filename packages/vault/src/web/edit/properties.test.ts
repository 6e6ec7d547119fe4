import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  createProperty,
  isFreeKey,
  joinProperties,
  parseProperties,
  withChecked,
  withItems,
  withText,
} from './properties.ts';
import type { Property } from './properties.ts';

const only = (yaml: string): Property => {
  const [property, ...others] = parseProperties(yaml);
  if (property === undefined || others.length > 0) throw new Error('there is not one property');
  return property;
};

describe('properties', () => {
  it.each([
    ['status: open\n', { kind: 'text', key: 'status', value: 'open' }],
    ['version: "1.0"\n', { kind: 'text', value: '1.0' }],
    ["name: 'it''s'\n", { kind: 'text', value: "it's" }],
    ['due: 2026-11-18\n', { kind: 'date', value: '2026-11-18' }],
    ['done: true\n', { kind: 'checkbox', value: true }],
    ['aliases: [a, "b, c"]\n', { kind: 'list', items: ['a', 'b, c'] }],
    ['aliases:\n  - a\n  - b c\n', { kind: 'list', items: ['a', 'b c'] }],
    ['tags: [pump, water/cold]\n', { kind: 'tags', items: ['pump', 'water/cold'] }],
    ['tags: "#pump #water"\n', { kind: 'tags', items: ['pump', 'water'] }],
    ['empty:\n', { kind: 'text', value: '' }],
    ['nested:\n  a: 1\n', { kind: 'other', key: 'nested' }],
    ['text: |\n  several\n  lines\n', { kind: 'other' }],
    ['list: [a, [b]]\n', { kind: 'other' }],
    ['reference: *anchor\n', { kind: 'other' }],
    ['value: 1 # why\n', { kind: 'other' }],
    ['# a comment\n', { kind: 'other', key: '' }],
    ['"quoted key": 1\n', { kind: 'other', key: '' }],
  ])('have the type of their value: %j', (yaml, property) => {
    expect(only(yaml)).toMatchObject(property);
  });

  it('are changed one by one, and keep all other lines', () => {
    const yaml = '# mine\nstatus: open\nnested:\n  a: [1]\n\ntags:\n- pump\n';
    const properties = parseProperties(yaml);
    expect(joinProperties(properties)).toBe(yaml);
    const changed = properties.map((property) =>
      property.kind === 'text'
        ? withText(property, 'closed: for good')
        : property.kind === 'tags'
          ? withItems(property, ['pump', 'c: d'])
          : property,
    );
    expect(joinProperties(changed)).toBe(
      '# mine\nstatus: "closed: for good"\nnested:\n  a: [1]\n\ntags:\n- pump\n- "c: d"\n',
    );
  });

  it('of any form survive splitting and joining', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a: 1', '  b', '- c', '', '# d', 'e', '"f": [', '\tg: |')),
        (lines) => {
          const yaml = lines.map((line) => `${line}\n`).join('');
          expect(joinProperties(parseProperties(yaml))).toBe(yaml);
        },
      ),
    );
  });

  it('with any text are read back by a YAML parser', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.array(fc.string({ minLength: 1 })), (text, items) => {
        const value = text.replaceAll(/\s+/g, ' ').trim();
        const [written] = [withText({ kind: 'text', key: 'k', value: '', source: 'k: "x"\n' }, value)];
        expect(parse(written.source)).toEqual({ k: value === '' ? null : value });
        const list = withItems({ kind: 'list', key: 'k', items: [], source: 'k: []\n' }, items);
        expect((parse(list.source) as { k: unknown[] }).k.map(String)).toHaveLength(items.length);
      }),
    );
  });

  it('can be added with a free name', () => {
    const properties = parseProperties('Status: open\n');
    expect(isFreeKey('due', properties)).toBe(true);
    for (const key of ['status', 'created', 'a: b', '', '- a', '"a"'])
      expect(isFreeKey(key, properties)).toBe(false);
    expect(createProperty('done', 'checkbox').source).toBe('done: false\n');
    expect(withChecked({ kind: 'checkbox', key: 'done', value: false, source: '' }, true).source).toBe(
      'done: true\n',
    );
    expect(createProperty('tags', 'tags').source).toBe('tags: []\n');
  });
});
