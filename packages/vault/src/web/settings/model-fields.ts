import type { ModelChoice, ModelSettings } from '../api/settings-api.ts';

/** What is typed into the form of the model, as it is typed. */
export type ModelFields = {
  provider: string;
  name: string;
  url: string;
  key: string;
  /** Prices of a million tokens: read, and written. */
  input: string;
  output: string;
};

/** What the form begins with. A key that is stored is never shown. */
export function fieldsOf({ name, url, prices }: Pick<ModelSettings, 'name' | 'url' | 'prices'>): ModelFields {
  const [provider = 'anthropic', ...rest] = (name ?? '').split('/').filter((part) => part !== '');
  return {
    provider,
    name: rest.join('/'),
    url: url ?? '',
    key: '',
    input: prices === null ? '' : String(prices.input),
    output: prices === null ? '' : String(prices.output),
  };
}

/** The choice that the fields describe; null without a name. What is left empty is left out, and prices go together. */
export function choiceOf(fields: ModelFields): ModelChoice | null {
  const { provider, name, url, key, input, output } = fields;
  if (name.trim() === '') return null;
  return {
    name: `${provider}/${name.trim()}`,
    ...(url.trim() !== '' && { url: url.trim() }),
    ...(key.trim() !== '' && { key: key.trim() }),
    ...(input.trim() !== '' &&
      output.trim() !== '' && { prices: { input: Number(input), output: Number(output) } }),
  };
}
