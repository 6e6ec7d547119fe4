import type { FoundSecret } from './found-secret.ts';
import { hasLettersAndDigits, isRandom } from './random-text.ts';
import { isReference } from './references.ts';

type CommandForm = {
  kind: string;
  /** The last group is the secret. Each quantifier is bounded, so that a scan stays linear. */
  pattern: RegExp;
  isSecret?: (value: string) => boolean;
};

const value = String.raw`["']?([^\s"']{6,500})`;
const longOption = '(?:password|passphrase|passwd|pass|secret|token|api-key|access-key)';
const hasMixedSigns = (text: string): boolean =>
  hasLettersAndDigits(text) || /[A-Za-z][!@#%^&*?~+$]|[a-z][A-Z]/.test(text);

const forms: readonly CommandForm[] = [
  { kind: 'password', pattern: new RegExp(String.raw`(?<!\S)--[a-z-]{0,40}${longOption}=${value}`, 'gi') },
  {
    kind: 'password',
    pattern: new RegExp(String.raw`(?<!\S)--[a-z-]{0,40}${longOption} {1,3}(?!-)${value}`, 'gi'),
    isSecret: hasMixedSigns,
  },
  {
    kind: 'password',
    pattern: /(?<!\S)(?:-u|--user)(?:=| {0,3})["']?[^\s:"'$<]{1,100}:(?![$<{%*])([^\s"']{4,500})/g,
  },
  {
    kind: 'password',
    pattern: new RegExp(
      String.raw`\b(?:sshpass|(?:docker|podman|az|registry) login|redis-cli|zip|unzip)\b[^\n|;&]{0,200}? -[pPa] {0,3}${value}`,
      'g',
    ),
    isSecret: hasMixedSigns,
  },
  {
    kind: 'password',
    pattern:
      /\b(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump|7za?|7zz)\b[^\n|;&]{0,200}? -p["']?([^\s"'-][^\s"']{3,500})/g,
  },
  { kind: 'password', pattern: new RegExp(String.raw`\s-pass(?:in|out)? {1,3}pass:${value}`, 'g') },
  {
    kind: 'password',
    pattern: new RegExp(String.raw`\bhtpasswd -[a-zA-Z]*b[a-zA-Z]* \S{1,200} \S{1,100} ${value}`, 'g'),
  },
  { kind: 'password', pattern: /\becho ["']?[\w.-]{1,64}:([^\s"']{6,500})["']? \| (?:sudo )?chpasswd/g },
  { kind: 'password', pattern: /\becho ["']?([^\s"']{6,500})["']? \| [^|\n]{0,100}--password-stdin/g },
  { kind: 'password', pattern: new RegExp(String.raw`\blogin \S{1,100} (?:\/ )?password ${value}`, 'gi') },
  { kind: 'password', pattern: new RegExp(String.raw`\b(?:requirepass|masterauth) ${value}`, 'g') },
  {
    kind: 'password',
    pattern: /^[^\s:/]{1,200}:(?:\d{2,5}|\*):[^\s:]{1,100}:[^\s:]{1,100}:([^\s:]{6,200})$/gm,
  },
  { kind: 'password', pattern: /\bsqlplus [^\s/]{1,100}\/([^\s@/]{4,200})@/g },
  {
    kind: 'secret',
    pattern: new RegExp(
      String.raw`\b(?:ENV|ARG|setx|setenv|set -[a-zA-Z]{1,4}) [A-Za-z0-9_]{0,80}(?:password|passwd|pass|pwd|secret|token|key) ${value}`,
      'gi',
    ),
    isSecret: hasMixedSigns,
  },
  {
    kind: 'token',
    pattern: new RegExp(
      String.raw`(?:\bvault login|_authToken|secret_access_key|session_token) ${value}`,
      'g',
    ),
    isSecret: (text) => isRandom(text),
  },
];

/** Finds passwords and tokens in command lines, and in files whose fields are separated by blanks or colons. */
export function* findCommandSecrets(text: string): Generator<FoundSecret> {
  for (const { kind, pattern, isSecret = () => true } of forms)
    for (const match of text.matchAll(pattern)) {
      const secret = match.at(-1) ?? '';
      if (isReference(secret) || !isSecret(secret)) continue;
      const start = match.index + match[0].lastIndexOf(secret);
      yield { start, end: start + secret.length, kind };
    }
}
