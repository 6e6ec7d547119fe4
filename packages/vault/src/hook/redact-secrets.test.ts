import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../../test/random-numbers.ts';
import { createSecretShapes } from '../../../../test/secret-shapes.ts';
import { redactSecrets } from './redact-secrets.ts';

const secretShapes = createSecretShapes();
const random = randomNumbers(20);

describe('redactSecrets', () => {
  it.each(Object.entries(secretShapes))('removes a secret of this kind: %s', (_, make) => {
    for (const around of ['SECRET', 'Use SECRET please', 'first line\n`SECRET`\nlast line']) {
      const { text, secret } = make();
      expect(secret.length).toBeGreaterThan(8);
      const clean = redactSecrets(around.replace('SECRET', () => text));
      expect(clean.text).not.toContain(secret);
      expect(clean.text).toContain('[secret removed]');
      expect(clean.count).toBeGreaterThan(0);
    }
  });

  it('is tested with at least forty kinds of secrets', () => {
    expect(Object.keys(secretShapes).length).toBeGreaterThanOrEqual(40);
  });
});

const written: [line: string, secret: string][] = [
  ['AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYzq83ZkEy1Q', 'wJalrXUtnFEMI'],
  ['aws_secret_access_key = je/MtGbClwBF/ZpUtk/hyCo+nvbEXAMPLEKEYabcd', 'MtGbClwBF'],
  ['MY_APP_DB_PASSWORD=Tr0ub4dor9xq', 'Tr0ub4dor9xq'],
  ['export SPRING_DATASOURCE_PASSWORD=Sp4ringPw77z', 'Sp4ringPw77z'],
  ['spring.datasource.password=Sp4ringPw77z', 'Sp4ringPw77z'],
  ['REACT_APP_API_KEY=ab12cd34ef56gh', 'ab12cd34ef56gh'],
  ['{"app_db_password": "J5onPassw0rd"}', 'J5onPassw0rd'],
  ['api_key: abcdefghijklmnopqrstuvwx', 'abcdefghijklmnop'],
  ['postgres://admin:p@ssw0rd9zz@db.example.org/app', 'ssw0rd9zz'],
  ['password="$ecr3tPass99"', 'ecr3tPass99'],
  ['authorization: bearer abcdef1234567890abcd', 'abcdef1234567890abcd'],
  ['Authorization: Basic dXNlcjpwYXNzd29yZA==', 'dXNlcjpwYXNz'],
  ['mysql --user root --password Tr0ub4dor9xq', 'Tr0ub4dor9xq'],
  ['npm publish --auth-token=abcDEFghiJKL', 'abcDEFghiJKL'],
  ['curl -u ada:Tr0ub4dor https://example.org', 'Tr0ub4dor'],
];

it.each(written)('redactSecrets removes the secret in: %s', (line, secret) => {
  const clean = redactSecrets(`Deploy it with this:\n${line}\nThanks.`);
  expect(clean.text).not.toContain(secret);
  expect(clean.text).toContain('Thanks.');
  expect(clean.count).toBe(1);
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
  'Authorization: Bearer $GITHUB_TOKEN',
  'Authorization: Bearer <token>',
  'password=$db_password ./deploy.sh',
  'mysql --password "$MYSQL_PASSWORD"',
  'curl -u "$USER:$PASSWORD" https://example.org',
  'keepsake connect codex --token-variable KEEPSAKE_TOKEN',
  'basic understanding of authentication',
  'see http://localhost:8080 and write to ada@example.org',
  'primaryKey: id',
  'sort_key: created_at',
];

it.each(ordinary)('redactSecrets keeps ordinary text: %s', (text) => {
  expect(redactSecrets(text)).toEqual({ text, count: 0 });
});

it('redactSecrets keeps two hundred random sentences of notes and code', () => {
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
    expect(redactSecrets(text)).toEqual({ text, count: 0 });
  }
});

it('redactSecrets is not slowed down by adversarial input', () => {
  for (const text of [
    'password='.repeat(50_000),
    'a:'.repeat(200_000),
    '-----BEGIN PRIVATE KEY-----'.repeat(20_000),
    'x://'.repeat(100_000),
    'A'.repeat(900_000),
    'a.'.repeat(300_000),
  ])
    expect(redactSecrets(text).text.length).toBeGreaterThan(0);
});
