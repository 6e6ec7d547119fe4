import { randomNumbers } from './random-numbers.ts';

const signs = {
  mixed: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  upper: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  hex: '0123456789abcdef',
};

type Shapes = Record<string, () => { text: string; secret: string }>;

/** Texts that contain secrets, and the secrets themselves; the same ones for every caller. */
export function createSecretShapes(): Shapes {
  const random = randomNumbers(19);
  const made = (length: number, kind: keyof typeof signs = 'mixed'): string => {
    const from = signs[kind];
    return Array.from({ length }, () => from[Math.floor(random() * from.length)]).join('');
  };
  /** A password as a user would type it. */
  const typed = (): string => `${made(5)}-7x${made(4)}!`;

  return Object.fromEntries(
    Object.entries<() => [string, string] | string>({
      'private key': () => {
        const body = made(64);
        return [`-----BEGIN RSA PRIVATE KEY-----\n${body}\n-----END RSA PRIVATE KEY-----`, body];
      },
      'truncated OpenSSH key': () => {
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
      'password in a URL': () => {
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
      'password in a sentence': () => {
        const secret = typed();
        return [`the password is ${secret} by the way`, secret];
      },
      'key in YAML': () => {
        const secret = made(24);
        return [`api_key: ${secret}`, secret];
      },
      'account key': () => [`AccountKey=${made(43)}==;EndpointSuffix=core`, ''],
      'random string': () => made(40),
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
}
