import type { ModelSettingsUpdate, ModelSettings } from '../api/settings-api.ts';

/** The input of the model form, unparsed. */
export type ModelFields = {
  provider: string;
  name: string;
  url: string;
  key: string;
  /** Prices per million tokens of input and output. */
  input: string;
  output: string;
};

/** The initial values of the form. A stored key is never shown. */
export function toModelFields({
  name,
  url,
  prices,
}: Pick<ModelSettings, 'name' | 'url' | 'prices'>): ModelFields {
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

/**
 * Converts the form to a request; null without a model name. Empty fields are omitted, as are prices unless both are
 * set.
 */
export function toModelUpdate(fields: ModelFields): ModelSettingsUpdate | null {
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

/** Whether the key that the server has may not be sent to the address in the form, unless it is entered again. */
export function isNewAddress(
  { provider, url }: Pick<ModelFields, 'provider' | 'url'>,
  settings: Pick<ModelSettings, 'name' | 'url' | 'providers'>,
): boolean {
  const chosen = settings.name?.startsWith(`${provider}/`) === true ? settings.url : null;
  const own = settings.providers.find(({ name }) => name === provider)?.url;
  return !['', own, chosen].includes(url.trim());
}
