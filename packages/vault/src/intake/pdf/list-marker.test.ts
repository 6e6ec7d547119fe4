import { describe, expect, it } from 'vitest';
import { piece } from '../../../../../test/intake/pdf-runs.ts';
import { markerOf, withoutMarker } from './list-marker.ts';
import { plainText } from './format-spans.ts';

describe('a list item', () => {
  it.each([
    ['a bullet', '• milk', '•'],
    ['a dash', '– milk', '–'],
    ['a digit', '3) milk', '3)'],
    ['a number of up to three digits', '123. milk', '123.'],
    ['a small letter', 'b) milk', 'b)'],
    ['a small Roman numeral of up to four letters', 'viii. milk', 'viii.'],
    ['a capital letter in brackets', '(B) milk', '(B)'],
    ['a bullet without text', '▪', '▪'],
  ])('starts with %s', (_, text, marker) => {
    expect(markerOf(text)).toBe(marker);
  });

  it.each([
    ['a bullet without a space', '•milk'],
    ['a dash without words', '–'],
    ['a full stop', '. milk'],
    ['a number of four digits, such as a year', '2024. Milk'],
    ['a number without a space, such as a time or a price', '12.30 milk'],
    ['a number without a full stop', '12 bottles'],
    ['a small word', 'ab) milk'],
    ['a Roman numeral of five letters', 'xviii. milk'],
    ['an initial', 'B. Milk'],
  ])('does not start with %s', (_, text) => {
    expect(markerOf(text)).toBe('');
  });

  it('loses its marker, even if the marker is split across spans', () => {
    expect(plainText(withoutMarker([piece('(B) milk')], '(B)'))).toBe('milk');
    expect(plainText(withoutMarker([piece('('), piece('B) '), piece('milk')], '(B)'))).toBe('milk');
  });

  it('keeps later text that looks like its marker', () => {
    expect(plainText(withoutMarker([piece('• one '), piece('• two')], '•'))).toBe('one • two');
  });
});
