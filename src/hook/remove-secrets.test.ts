import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../../test/random-numbers.ts';
import { removeSecrets } from './remove-secrets.ts';

const random = randomNumbers(19);
const signs = {
  mixed: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  upper: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  hex: '0123456789abcdef',
};
function made(length: number, kind: keyof typeof signs = 'mixed'): string {
  const from = signs[kind];
  return Array.from({ length }, () => from[Math.floor(random() * from.length)]).join('');
}
/** What a person would type. */
const typed = (): string => `${made(5)}-7x${made(4)}!`;

/** How a secret is written, and the secret itself. */
const shapes: Record<string, () => { text: string; secret: string }> = Object.fromEntries(
  Object.entries<() => [string, string] | string>({
    'private key': () => {
      const body = made(64);
      return [`-----BEGIN RSA PRIVATE KEY-----\n${body}\n-----END RSA PRIVATE KEY-----`, body];
    },
    'key of OpenSSH, cut off': () => {
      const body = made(64);
      return [`-----BEGIN OPENSSH PRIVATE KEY-----\n${body}\n`, body];
    },
    OpenAI: () => `sk-proj-${made(48)}`,
    Anthropic: () => `sk-ant-api03-${made(90)}`,
    'Stripe, live': () => `sk_live_${made(24)}`,
    'Stripe, webhook': () => `whsec_${made(32)}`,
    'GitHub, classic': () => `ghp_${made(36)}`,
    'GitHub, fine': () => `github_pat_${made(22)}_${made(59)}`,
    'GitHub, server': () => `ghs_${made(36)}`,
    GitLab: () => `glpat-${made(20)}`,
    Slack: () => `xoxb-${made(11, 'hex')}-${made(24)}`,
    'Slack, app': () => `xapp-1-A${made(10)}-${made(30)}`,
    AWS: () => `AKIA${made(16, 'upper')}`,
    'AWS, secret': () => [`aws_secret_access_key = ${made(40)}`, ''],
    Google: () => `AIza${made(35)}`,
    'Google, access': () => `ya29.${made(60)}`,
    npm: () => `npm_${made(36)}`,
    PyPI: () => `pypi-${made(60)}`,
    DigitalOcean: () => `dop_v1_${made(64, 'hex')}`,
    'Hugging Face': () => `hf_${made(34)}`,
    Groq: () => `gsk_${made(52)}`,
    SendGrid: () => `SG.${made(22)}.${made(43)}`,
    Shopify: () => `shpat_${made(32, 'hex')}`,
    age: () => `AGE-SECRET-KEY-1${made(58, 'upper')}`,
    Vault: () => `hvs.${made(24)}`,
    Tailscale: () => `tskey-auth-${made(16)}`,
    Docker: () => `dckr_pat_${made(27)}`,
    Linear: () => `lin_api_${made(40)}`,
    Notion: () => `ntn_${made(46)}`,
    Figma: () => `figd_${made(40)}`,
    Databricks: () => `dapi${made(32, 'hex')}`,
    Mailgun: () => `key-${made(32, 'hex')}`,
    JWT: () => `eyJ${made(20)}.eyJ${made(40)}.${made(43)}`,
    bearer: () => [`curl -H "Authorization: Bearer ${made(32)}"`, ''],
    basic: () => [`Authorization: Basic ${made(24)}=`, ''],
    'password in an address': () => {
      const secret = typed();
      return [`postgres://admin:${secret}@db.example.org:5432/app`, secret];
    },
    'assigned password': () => {
      const secret = typed();
      return [`DB_PASSWORD=${secret}`, secret];
    },
    'password in JSON': () => {
      const secret = typed();
      return [`{"password": "${secret}"}`, secret];
    },
    'password that is said': () => {
      const secret = typed();
      return [`the password is ${secret} by the way`, secret];
    },
    'key in YAML': () => {
      const secret = made(24);
      return [`api_key: ${secret}`, secret];
    },
    'key of an account': () => [`AccountKey=${made(43)}==;EndpointSuffix=core`, ''],
    'nothing but chance': () => made(40),
  }).map(([name, make]) => [
    name,
    () => {
      const given = make();
      const text = typeof given === 'string' ? given : given[0];
      const secret =
        typeof given === 'string'
          ? given
          : given[1] || (/[A-Za-z0-9]{16,}/.exec(text.replace(/^aws_\w+|^AccountKey/, ''))?.[0] ?? '');
      return { text, secret };
    },
  ]),
);

describe('a secret is removed', () => {
  it.each(Object.entries(shapes))('%s', (_, make) => {
    for (const around of ['SECRET', 'Use SECRET please', 'first line\n`SECRET`\nlast line']) {
      const { text, secret } = make();
      expect(secret.length).toBeGreaterThan(8);
      const clean = removeSecrets(around.replace('SECRET', () => text));
      expect(clean.text).not.toContain(secret);
      expect(clean.text).toContain('[secret removed]');
      expect(clean.count).toBeGreaterThan(0);
    }
  });

  it('in more than forty shapes', () => {
    expect(Object.keys(shapes).length).toBeGreaterThanOrEqual(40);
  });
});

const ordinary = [
  'Which database do we use?',
  'The password must have at least twelve characters.',
  'Reset token handling: see src/auth/tokens.ts, line 42.',
  'Set DB_PASSWORD=$DB_PASSWORD in the shell, never in the file.',
  'api_key: ${API_KEY}',
  'const token = process.env.GITHUB_TOKEN;',
  'password: <your password>',
  'commit 3f2c1d9e8b7a6f5e4d3c2b1a09f8e7d6c5b4a392 fixes it',
  'sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'id 1cbbff42-7259-4f6c-9345-26eab721532c',
  '"integrity": "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="',
  'https://github.com/owner/repository/blob/main/src/components/VeryLongComponentNameThatGoesOn.tsx',
  'getUserByIdAndUpdateTheirProfilePictureInTheDatabase',
  'SOME_VERY_LONG_ENVIRONMENT_VARIABLE_NAME_2024',
  'The secret of good bread is time.',
  'Le mot de passe est stocké dans le trousseau.',
  'token: string;',
  'isPasswordRequired: true',
  'docker run -p 8080:8080 image:latest',
  'mailto:ada@example.org',
  'ssh://git@github.com/owner/name.git',
  'http://127.0.0.1:4319/open?path=a',
  'sk-learn is a library',
  'The hf_ prefix is for Hugging Face.',
  'Bearer tokens are sent in a header.',
];

it.each(ordinary)('an ordinary text stays: %s', (text) => {
  expect(removeSecrets(text)).toEqual({ text, count: 0 });
});

it('two hundred sentences of notes and programs stay', () => {
  const words = [
    'decided',
    'SQLite',
    'import',
    'Wednesday',
    'src/vault/path.ts',
    '2,080 €',
    'v0.2.0',
    'npm install',
    '#123',
    'über',
    'L’équipe',
    '`readFile()`',
    'https://example.org/a?b=c',
    'README.md',
    '10.0.0.1:8080',
    'a/b/c_d-e',
  ];
  for (let each = 0; each < 200; each += 1) {
    const text = Array.from(
      { length: 3 + Math.floor(random() * 30) },
      () => words[Math.floor(random() * words.length)],
    ).join(' ');
    expect(removeSecrets(text)).toEqual({ text, count: 0 });
  }
});

it('takes no longer for a text that is made to slow it down', () => {
  for (const text of [
    'password='.repeat(50_000),
    'a:'.repeat(200_000),
    '-----BEGIN PRIVATE KEY-----'.repeat(20_000),
    'x://'.repeat(100_000),
    'A'.repeat(900_000),
    'a.'.repeat(300_000),
  ])
    expect(removeSecrets(text).text.length).toBeGreaterThan(0);
});
