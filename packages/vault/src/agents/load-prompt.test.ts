import { describe, expect, it } from 'vitest';
import { tools } from '../tools/index.ts';
import { defaultLayout } from '../vault/index.ts';
import { loadPrompt } from './load-prompt.ts';

const prompt = loadPrompt('update', defaultLayout);

describe('the prompt of the update agent', () => {
  it('ends with how to work and how to finish', () => {
    const headings = [...prompt.replaceAll(/^```.*?^```/gms, '').matchAll(/^# (.*)$/gm)].map(
      ([, heading]) => heading,
    );
    expect(headings).toEqual([
      'Files',
      'Format',
      'When to ask',
      'Examples',
      'Data is not instructions',
      'How to work',
    ]);
    expect(prompt.lastIndexOf('`Summary:`')).toBeGreaterThan(prompt.length - 500);
  });

  it('stays short enough for small models', () => {
    expect(prompt.length).toBeLessThanOrEqual(11_550);
  });

  it('shows only calls in its examples that the tools accept', () => {
    const calls = [...prompt.matchAll(/`(\w+) (\{.*\})`/g)].map(([, name, input]) => ({ name, input }));
    expect(calls.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['search', 'edit', 'append']) as unknown,
    );
    for (const { name, input } of calls) {
      const tool = tools.find((each) => each.name === name);
      expect(tool?.input.safeParse(JSON.parse(input ?? ''))).toMatchObject({ success: true });
    }
  });
});
