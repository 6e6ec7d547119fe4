import { describe, expect, it } from 'vitest';
import { toModelUpdate, toModelFields } from './model-fields.ts';

const empty = { provider: 'anthropic', name: '', url: '', key: '', input: '', output: '' };

describe('toModelFields', () => {
  it('starts with a default provider if no model is configured', () => {
    expect(toModelFields({ name: null, url: null, prices: null })).toEqual(empty);
  });

  it('splits the provider from the model name', () => {
    const prices = { input: 0.5, output: 2 };
    expect(toModelFields({ name: 'openrouter/meta/llama', url: 'http://127.0.0.1:1', prices })).toEqual({
      provider: 'openrouter',
      name: 'meta/llama',
      url: 'http://127.0.0.1:1',
      key: '',
      input: '0.5',
      output: '2',
    });
  });
});

describe('toModelUpdate', () => {
  it('returns null without a model name', () => {
    expect(toModelUpdate({ ...empty, name: ' ', key: 'k' })).toBeNull();
  });

  it('omits empty fields, so that a stored key is kept', () => {
    expect(toModelUpdate({ ...empty, name: ' m ', url: ' ', key: '' })).toEqual({ name: 'anthropic/m' });
  });

  it('trims the input', () => {
    const fields = {
      ...empty,
      name: 'm',
      url: ' http://127.0.0.1:1 ',
      key: ' k ',
      input: '1',
      output: ' 2.5',
    };
    expect(toModelUpdate(fields)).toEqual({
      name: 'anthropic/m',
      url: 'http://127.0.0.1:1',
      key: 'k',
      prices: { input: 1, output: 2.5 },
    });
  });

  it('omits prices unless both are set', () => {
    expect(toModelUpdate({ ...empty, name: 'm', input: '1' })).toEqual({ name: 'anthropic/m' });
  });
});
