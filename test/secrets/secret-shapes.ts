import { createRandomSecrets } from './random-secrets.ts';
import type { RandomSecrets } from './random-secrets.ts';
import { createConnectionShapes } from './connection-shapes.ts';
import { createVendorKeys } from './vendor-shapes.ts';

/** A text that contains a secret, and the secret. */
export type SecretShape = { name: string; text: string; secret: string };

type Make = (secret: string) => string;

/** More than 300 texts with a secret each; the same ones for every caller. */
export function createSecretShapes(seed = 19): SecretShape[] {
  const random = createRandomSecrets(seed);
  return [
    ...vendorShapes(random),
    ...assignmentShapes(random),
    ...headerShapes(random),
    ...keyShapes(random),
    ...createConnectionShapes(random),
  ];
}

/** The forms in which a key of a vendor is usually pasted. */
const carriers: Make[] = [
  (key) => `Use ${key} for now.`,
  (key) => `the key: \`${key}\``,
  (key) => `{"value": "${key}", "enabled": true}`,
  (key) => `first line\n${key}\nlast line`,
  (key) => `client = Client('${key}')`,
  (key) => `curl https://api.example.org/v1/items?limit=3 -H "x-custom: ${key}"`,
  (key) => `| production | ${key} | Ada |`,
  (key) => `(${key})`,
];

function vendorShapes(random: RandomSecrets): SecretShape[] {
  return Object.entries(createVendorKeys(random)).map(([name, make], index) => {
    const secret = make();
    return { name, secret, text: carriers[index % carriers.length]?.(secret) ?? secret };
  });
}

const assignments: Record<string, (name: string, secret: string) => string> = {
  env: (name, secret) => `${name}=${secret}`,
  'env, quoted': (name, secret) => `export ${name}="${secret}"`,
  YAML: (name, secret) => `db:\n  ${name}: ${secret}\n  port: 5432`,
  'YAML, quoted': (name, secret) => `${name}: '${secret}'`,
  JSON: (name, secret) => `{"host": "db", "${name}": "${secret}"}`,
  TOML: (name, secret) => `[db]\n${name} = "${secret}"\n`,
  INI: (name, secret) => `[client]\n${name} = ${secret}\n`,
  JavaScript: (name, secret) => `const ${name} = '${secret}';`,
  TypeScript: (name, secret) => `  private readonly ${name}: string = '${secret}';`,
  Python: (name, secret) => `settings = {'${name}': '${secret}'}`,
  PHP: (name, secret) => `'${name}' => '${secret}',`,
  Go: (name, secret) => `${name} := "${secret}"`,
  PowerShell: (name, secret) => `$env:${name} = "${secret}"`,
  Dockerfile: (name, secret) => `ENV ${name} ${secret}`,
  Windows: (name, secret) => `set ${name}=${secret}`,
  fish: (name, secret) => `set -gx ${name} ${secret}`,
  properties: (name, secret) => `app.${name}=${secret}`,
  XML: (name, secret) => `<${name}>${secret}</${name}>`,
  'markdown list': (name, secret) => `- **${name}:** ${secret}`,
  'markdown code': (name, secret) => `${name}: \`${secret}\``,
  'markdown table': (name, secret) => `| ${name} | ${secret} |`,
  'URL query': (name, secret) => `https://example.org/hook?${name}=${secret}&page=2`,
  'escaped JSON': (name, secret) => `"{\\"${name}\\":\\"${secret}\\"}"`,
  'call with two arguments': (name, secret) => `config.set("${name}", "${secret}")`,
};

const secretNames = [
  ['DB_PASSWORD', 'client_secret', 'apiKey', 'refreshToken'],
  ['MYSQL_ROOT_PASSWORD', 'SECRET_KEY', 'auth_token', 'passphrase'],
  ['password', 'access_token', 'STRIPE_API_KEY', 'dbPasswd'],
].flat();

function assignmentShapes({ made, typed }: RandomSecrets): SecretShape[] {
  return Object.entries(assignments).flatMap(([form, make], index) =>
    Array.from({ length: 4 }, (_, turn) => {
      const name = secretNames[(index + turn * 5) % secretNames.length] ?? '';
      const secret = /pass/i.test(name) ? typed().replaceAll('$', '%') : made(turn === 1 ? 40 : 24);
      return { name: `${form} ${name}`, text: make(name, secret), secret };
    }),
  );
}

const headers: Record<string, Make> = {
  Bearer: (secret) => `Authorization: Bearer ${secret}`,
  'bearer in lower case': (secret) => `authorization: bearer ${secret}`,
  Basic: (secret) => `Authorization: Basic ${secret}=`,
  Token: (secret) => `Authorization: Token ${secret}`,
  ApiKey: (secret) => `Authorization: ApiKey ${secret}`,
  'without a scheme': (secret) => `Authorization: ${secret}`,
  proxy: (secret) => `Proxy-Authorization: Basic ${secret}`,
  'curl -H': (secret) => `curl -H "Authorization: Bearer ${secret}" https://example.org`,
  'curl -H, single quotes': (secret) => `curl -H 'X-API-Key: ${secret}' https://example.org`,
  'X-Auth-Token': (secret) => `X-Auth-Token: ${secret}`,
  'Private-Token': (secret) => `PRIVATE-TOKEN: ${secret}`,
  'api-key': (secret) => `api-key: ${secret}`,
  'Ocp-Apim': (secret) => `Ocp-Apim-Subscription-Key: ${secret}`,
  cookie: (secret) => `Cookie: theme=dark; sessionid=${secret}`,
  'set-cookie': (secret) => `Set-Cookie: sid=${secret}; HttpOnly; Path=/`,
  'in JavaScript': (secret) => `headers: { Authorization: \`Bearer ${secret}\` }`,
  'in JSON': (secret) => `{"Authorization": "Bearer ${secret}"}`,
  'in Python': (secret) => `requests.get(url, headers={'X-Api-Key': '${secret}'})`,
  'said in a sentence': (secret) => `I call it with Bearer ${secret} and it fails.`,
  AWS: (secret) => `x-amz-security-token: ${secret}`,
  HTTPie: (secret) => `http example.org X-Auth-Token:${secret}`,
};

function headerShapes({ made }: RandomSecrets): SecretShape[] {
  return Object.entries(headers).map(([form, make]) => {
    const secret = made(36);
    return { name: `header ${form}`, text: make(secret), secret };
  });
}

const keyNames = ['RSA', 'EC', 'DSA', 'OPENSSH', 'ENCRYPTED', ''].map((name) => `${name} `.trimStart());

function keyShapes({ made }: RandomSecrets): SecretShape[] {
  const block = (name: string, body: string, line = '\n'): string =>
    [`-----BEGIN ${name}PRIVATE KEY-----`, body, `-----END ${name}PRIVATE KEY-----`].join(line);
  const forms: Record<string, Make> = {
    ...Object.fromEntries(keyNames.map((name) => [`${name}key`, (body: string) => block(name, body)])),
    'key in JSON': (body) => `{"private_key": "${block('', body, String.raw`\n`)}\\n"}`,
    'key in YAML': (body) => `key: |\n    ${block('RSA ', body, '\n    ')}\nport: 22`,
    'key in env': (body) => `DEPLOY_KEY="${block('OPENSSH ', body, String.raw`\n`)}"`,
    'truncated key': (body) => `-----BEGIN OPENSSH PRIVATE KEY-----\n${body}\n`,
    'PGP key': (body) =>
      `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${body}\n=ab12\n-----END PGP PRIVATE KEY BLOCK-----`,
    'SSH2 key': (body) =>
      `---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n${body}\n---- END SSH2 ENCRYPTED PRIVATE KEY ----`,
    'PuTTY key': (body) =>
      `PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPublic-Lines: 1\nAAAA\nPrivate-Lines: 1\n${body}\nPrivate-MAC: 12`,
    JWK: (body) => `{"kty":"EC","crv":"P-256","d":"${body.replaceAll(/[+/]/g, 'x').slice(0, 43)}"}`,
    WireGuard: (body) => `[Interface]\nPrivateKey = ${body.slice(0, 43)}=\nAddress = 10.0.0.1/24`,
    'key data of Kubernetes': (body) => `client-key-data: ${body}==`,
  };
  const tokens: Record<string, Make> = {
    JWT: (token) => token,
    'JWT in a sentence': (token) => `My session is ${token}, it ends soon.`,
    'JWT in a header': (token) => `authorization: Bearer ${token}`,
    'JWT in a cookie': (token) => `Cookie: jwt=${token}`,
    'JWT in a URL': (token) => `https://example.org/cb#id_token=${token}&state=1`,
    'JWT in JSON': (token) => `{"id_token":"${token}"}`,
    'encrypted JWT': (token) => `${token}.${made(22)}.${made(22)}`,
  };
  return [
    ...Object.entries(forms).map(([name, make]) => {
      const body = made(64, 'base64');
      const text = make(body);
      return {
        name,
        text,
        secret: text.includes(body) ? body : (/[A-Za-z0-9+/]{40,}/.exec(text)?.[0] ?? ''),
      };
    }),
    ...Object.entries(tokens).map(([name, make]) => {
      const token = `eyJ${made(20)}.eyJ${made(40)}.${made(43)}`;
      return { name, text: make(token), secret: token };
    }),
  ];
}
