import type { ChatGptEndpoints } from '../models/index.ts';

/** As documented at https://developers.openai.com/siwc/token-sharing-open-source. */
export const chatGptEndpoints: ChatGptEndpoints = {
  issuer: 'https://auth.openai.com',
  authorization: 'https://auth.openai.com/api/accounts/authorize',
  token: 'https://auth.openai.com/api/accounts/oauth/token',
  revocation: 'https://auth.openai.com/api/accounts/oauth/revoke',
  jwks: 'https://auth.openai.com/.well-known/jwks.json',
  resource: 'https://api.openai.com/v1',
};
