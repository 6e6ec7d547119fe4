import { describe, expect, it } from 'vitest';
import { isNewAddress, toModelUpdate, toModelFields } from './model-fields.ts';

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

describe('isNewAddress', () => {
  const providers = [
    { name: 'openai', url: 'https://api.openai.com/v1', key: 'file' as const },
    { name: 'anthropic', url: 'https://api.anthropic.com/v1', key: 'file' as const },
  ];
  const settings = { name: 'openai/m', url: 'https://proxy.example.org', providers };

  it.each([
    ['openai', '', false],
    ['openai', 'https://api.openai.com/v1', false],
    ['openai', ' https://proxy.example.org', false],
    ['openai', 'https://other.example.org', true],
    ['anthropic', 'https://proxy.example.org', true],
  ])('is asked for the key of %s and %j', (provider, url, isNew) => {
    expect(isNewAddress({ provider, url }, settings)).toBe(isNew);
  });
});
