const french: Readonly<Record<string, string>> = {
  key: 'clé',
  secret: 'secret',
  password: 'mot de passe',
  'password in a URL': 'mot de passe dans une adresse',
  token: 'jeton',
  cookie: 'cookie',
  code: 'code',
  PIN: 'code PIN',
  'private key': 'clé privée',
  'random string': 'chaîne aléatoire',
  'webhook URL': 'adresse de webhook',
  'Authorization header': 'en-tête Authorization',
};

/** The name of a kind of secret in a language of the product. */
export function nameSecretKind(kind: string, language: 'en' | 'fr'): string {
  if (language === 'en') return kind;
  return french[kind] ?? kind.replace(/^(.+) key$/, 'clé $1');
}
