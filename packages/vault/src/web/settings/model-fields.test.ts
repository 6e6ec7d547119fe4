import { describe, expect, it } from 'vitest';
import { choiceOf, fieldsOf } from './model-fields.ts';

const empty = { provider: 'anthropic', name: '', url: '', key: '', input: '', output: '' };

describe('fieldsOf', () => {
  it('begins with a provider when no model is chosen', () => {
    expect(fieldsOf({ name: null, url: null, prices: null })).toEqual(empty);
  });

  it('splits the name of a model after its provider', () => {
    const prices = { input: 0.5, output: 2 };
    expect(fieldsOf({ name: 'openrouter/meta/llama', url: 'http://127.0.0.1:1', prices })).toEqual({
      provider: 'openrouter',
      name: 'meta/llama',
      url: 'http://127.0.0.1:1',
      key: '',
      input: '0.5',
      output: '2',
    });
  });
});

describe('choiceOf', () => {
  it('is none without a name', () => {
    expect(choiceOf({ ...empty, name: ' ', key: 'k' })).toBeNull();
  });

  it('leaves out what is empty, so that a stored key stays', () => {
    expect(choiceOf({ ...empty, name: ' m ', url: ' ', key: '' })).toEqual({ name: 'anthropic/m' });
  });

  it('trims what is typed', () => {
    const fields = {
      ...empty,
      name: 'm',
      url: ' http://127.0.0.1:1 ',
      key: ' k ',
      input: '1',
      output: ' 2.5',
    };
    expect(choiceOf(fields)).toEqual({
      name: 'anthropic/m',
      url: 'http://127.0.0.1:1',
      key: 'k',
      prices: { input: 1, output: 2.5 },
    });
  });

  it('needs both prices', () => {
    expect(choiceOf({ ...empty, name: 'm', input: '1' })).toEqual({ name: 'anthropic/m' });
  });
});
