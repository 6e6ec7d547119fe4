import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../../test/random-numbers.ts';
import { announcedLookAlikes, announcedSecrets } from '../../../../test/secrets/announced-shapes.ts';
import { createLookAlikes } from '../../../../test/secrets/look-alikes.ts';
import { createSecretShapes } from '../../../../test/secrets/secret-shapes.ts';
import { findSecrets } from './find-secrets.ts';
import { redactSecrets } from './redact-secrets.ts';

const random = randomNumbers(20);

describe('redactSecrets', () => {
  it('removes at least 97 of 100 secrets in 300 shapes, and alters at most 2 of 100 look-alikes', () => {
    const shapes = createSecretShapes();
    const lookAlikes = createLookAlikes();
    expect(new Set(shapes.map(({ name }) => name)).size).toBe(shapes.length);
    expect(Math.min(shapes.length, new Set(lookAlikes).size)).toBeGreaterThanOrEqual(300);
    for (const { text, secret } of shapes) {
      expect(secret.length).toBeGreaterThan(8);
      expect(text).toContain(secret);
    }
    const missed = shapes.filter(({ text, secret }) => redactSecrets(text).text.includes(secret));
    const alarms = lookAlikes.filter((text) => redactSecrets(text).text !== text);
    const [recall, alarmRate] = [1 - missed.length / shapes.length, alarms.length / lookAlikes.length];
    console.log(
      `secrets: recall ${recall.toFixed(3)} in ${shapes.length} shapes, false alarms ${alarmRate.toFixed(3)} in ${lookAlikes.length} look-alikes`,
    );
    expect(recall, `missed: ${missed.map(({ name }) => name).join(', ')}`).toBeGreaterThanOrEqual(0.97);
    expect(alarmRate, `altered: ${alarms.join('\n')}`).toBeLessThanOrEqual(0.02);
  });

  it('removes at least 97 of 100 announced passwords and PINs, and alters at most 2 of 100 similar sentences', () => {
    for (const [text, secret] of announcedSecrets) expect(text).toContain(secret);
    expect(Math.min(announcedSecrets.length, new Set(announcedLookAlikes).size)).toBeGreaterThanOrEqual(90);
    const missed = announcedSecrets.filter(([text, secret]) => redactSecrets(text).text.includes(secret));
    const alarms = announcedLookAlikes.filter((text) => redactSecrets(text).text !== text);
    expect(missed.length / announcedSecrets.length, `missed: ${missed.join('\n')}`).toBeLessThanOrEqual(0.03);
    expect(alarms.length / announcedLookAlikes.length, `altered: ${alarms.join('\n')}`).toBeLessThanOrEqual(
      0.02,
    );
  });

  it.each([
    ['Das Passwort für den Router ist Birne-4471.', 'Das Passwort für den Router ist [secret removed].'],
    ['Passwort zum Portal ist Ofen.2031', 'Passwort zum Portal ist [secret removed]'],
    ['Das Kennwort vom NAS lautet Zweig-73!', 'Das Kennwort vom NAS lautet [secret removed]'],
    ['Neues Passwort Zweig-73!', 'Neues Passwort [secret removed]'],
  ])('removes the password of «%s»', (text, clean) => {
    expect(redactSecrets(text).text).toBe(clean);
  });

  it('removes nothing but the secrets, wherever they are in a text', () => {
    const shapes = createSecretShapes(5).filter(
      ({ text, secret }) => !redactSecrets(text).text.includes(secret),
    );
    for (const around of ['SHAPE', 'Before it.\n\nSHAPE\n\nAfter it.']) {
      for (const { text, secret } of shapes) {
        const whole = around.replace('SHAPE', () => text);
        const found = findSecrets(whole);
        expect(redactSecrets(whole).text).not.toContain(secret);
        expect(found).toEqual(found.toSorted((a, b) => a.start - b.start));
        for (const [index, { start, end, kind }] of found.entries()) {
          expect(start).toBeGreaterThanOrEqual(found[index - 1]?.end ?? 0);
          expect(end).toBeGreaterThan(start);
          expect(kind).toMatch(/^[A-Za-z0-9. ]+$/);
        }
      }
    }
  });

  it('finds nothing more in a text that it has redacted', () => {
    const clean = createSecretShapes().map(({ text }) => redactSecrets(text).text);
    expect(clean.filter((text) => redactSecrets(text).count > 0)).toEqual([]);
  });
});

const kinds: [text: string, kind: string][] = [
  [`ghp_${'aB3dE6gH9j'.repeat(4)}`, 'GitHub key'],
  ['DB_PASSWORD=Tr0ub4dor9xq', 'password'],
  ['https://ada:Tr0ub4dor9xq@example.org', 'password in a URL'],
  ['client_secret = "aB3dE6gH9jK2"', 'secret'],
  [`token: ${'aB3dE6gH9j'.repeat(2)}`, 'token'],
  ['-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----', 'private key'],
  [`authorization: bearer ${'aB3dE6gH9j'.repeat(3)}`, 'Authorization header'],
  ['mysql -u root -pTr0ub4dor9xq shop', 'password'],
  ['code PIN : 0742', 'PIN'],
  ['the alarm code is 7713', 'code'],
];

it.each(kinds)('findSecrets names the kind of secret in: %s', (text, kind) => {
  expect(findSecrets(text).map((found) => found.kind)).toEqual([kind]);
});

const written: [line: string, secret: string][] = [
  [`AWS_SECRET_ACCESS_KEY=${['wJalrXUtnFEMI', 'K7MDENG', 'bPxRfiCYzq83ZkEy1Q'].join('/')}`, 'wJalrXUtnFEMI'],
  [
    `aws_secret_access_key = ${['je', 'MtGbClwBF', 'ZpUtk', 'hyCo+nvbEXAMPLEKEYabcd'].join('/')}`,
    'MtGbClwBF',
  ],
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
    '-----BEGIN PUBLIC KEY-----'.repeat(20_000),
    '"kty"'.repeat(50_000),
    'mysql '.repeat(50_000),
    'cookie: a='.repeat(50_000),
    'code de la carte '.repeat(30_000),
    'mdp a b c d e '.repeat(30_000),
  ])
    expect(redactSecrets(text).text.length).toBeGreaterThan(0);
});
