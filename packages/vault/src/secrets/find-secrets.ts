import { findAnnouncedCodes } from './announced-codes.ts';
import type { FoundSecret } from './found-secret.ts';
import { findCommandSecrets } from './command-secrets.ts';
import { findNamedValues } from './named-values.ts';
import { hasHighEntropy, hasLettersAndDigits, isRandom } from './random-text.ts';
import { isReference } from './references.ts';
import { findVendorKeys } from './vendor-keys.ts';

/** Ordered by how much a match says: where two overlap, the first one names the kind. */
const finders: readonly ((text: string) => Iterable<FoundSecret>)[] = [
  findPrivateKeys,
  findVendorKeys,
  findJsonWebTokens,
  findUrlCredentials,
  findWebhooks,
  findHeaders,
  findCommandSecrets,
  findNamedValues,
  findAnnouncedCodes,
  findHighEntropyWords,
];

/** Finds what looks like a key, a token or a password, in order and without overlaps. Takes time linear in the length of the text. */
export function findSecrets(text: string): FoundSecret[] {
  const found = finders
    .flatMap((find, rank) => [...find(text)].map((secret) => ({ ...secret, rank })))
    .toSorted((a, b) => a.start - b.start);
  const merged: (FoundSecret & { rank: number })[] = [];
  for (const next of found) {
    const last = merged.at(-1);
    if (last === undefined || next.start >= last.end) merged.push(next);
    else {
      if (next.rank < last.rank) [last.kind, last.rank] = [next.kind, next.rank];
      last.end = Math.max(last.end, next.end);
    }
  }
  return merged.map(({ start, end, kind }) => ({ start, end, kind }));
}

const privateKey =
  /-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}[\s\S]*?(?:-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}|$(?![\s\S]))/g;
const puttyKey = /\bPrivate-Lines: \d{1,4}\r?\n((?:[A-Za-z0-9+/=]{1,80}(?:\r?\n|$)){1,200})/g;
const jsonWebKeyField = /"d"\s{0,5}:\s{0,5}"([A-Za-z0-9_-]{20,1500})"/g;
/** A JSON Web Key is at most this long before and after its private field. */
const maxJsonWebKeyLength = 1_500;

function* findPrivateKeys(text: string): Generator<FoundSecret> {
  yield* matches(text, privateKey, 'private key');
  yield* matches(text, puttyKey, 'private key');
  for (const found of matches(text, jsonWebKeyField, 'private key')) {
    const around = text.slice(
      Math.max(0, found.start - maxJsonWebKeyLength),
      found.end + maxJsonWebKeyLength,
    );
    if (around.includes('"kty"')) yield found;
  }
}

const jsonWebToken = /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){0,3}/g;

function findJsonWebTokens(text: string): Iterable<FoundSecret> {
  return matches(text, jsonWebToken, 'JSON Web Token');
}

/** The password may contain `@`; it ends at the last one before the path. */
const urlPassword = /(?<=[a-z0-9]):\/\/([^\s/:@]{0,200}:([^\s/]{1,200}))@/gi;
const urlUser = /(?<=[a-z0-9]):\/\/([A-Za-z0-9_-]{20,200})@/gi;

function* findUrlCredentials(text: string): Generator<FoundSecret> {
  const kind = 'password in a URL';
  yield* matches(text, urlPassword, kind, (_, password) => !isReference(password));
  yield* matches(text, urlUser, kind, (user) => isRandom(user));
}

const webhooks: readonly RegExp[] = [
  /\bhooks\.slack\.com\/(?:services|workflows|triggers)\/([A-Za-z0-9+/_-]{20,200})/g,
  /\bdiscord(?:app)?\.com\/api\/webhooks\/\d{5,30}\/([A-Za-z0-9_-]{20,200})/g,
  /\.webhook\.office\.com\/webhookb2\/([\w@-]{20,100}\/IncomingWebhook\/[\w/-]{20,200})/g,
  /\bapi\.telegram\.org\/bot(\d{5,16}:[A-Za-z0-9_-]{20,60})/g,
];

function* findWebhooks(text: string): Generator<FoundSecret> {
  for (const webhook of webhooks) yield* matches(text, webhook, 'webhook URL');
}

const authorization =
  /\bauthorization["'`]?\s{0,3}[:=]\s{0,3}["'`]?(?:[A-Za-z][A-Za-z0-9-]{2,20}[ \t]{1,3})?([^\s"'`,;]{8,4000})/gi;
const authenticationScheme = /\b(?:[Bb]earer|BEARER|[Bb]asic|Token)\s{1,3}([A-Za-z0-9._~+/=-]{16,4000})/g;
const cookieHeader = /\bcookie["']?\s{0,3}:\s{0,3}([^\r\n]{1,4000})/gi;
const cookie = /[\w.-]{1,80}=([^;\s"']{16,4000})/g;

function* findHeaders(text: string): Generator<FoundSecret> {
  const isValue = (value: string): boolean =>
    !isReference(value) && (hasLettersAndDigits(value) || isRandom(value));
  yield* matches(text, authorization, 'Authorization header', isValue);
  yield* matches(text, authenticationScheme, 'Authorization header', isValue);
  for (const { 0: header, 1: pairs = '', index } of text.matchAll(cookieHeader)) {
    const offset = index + header.length - pairs.length;
    for (const { start, end } of matches(pairs, cookie, '', (value) => isRandom(value)))
      yield { start: offset + start, end: offset + end, kind: 'cookie' };
  }
}

const longWord = /(?<![A-Za-z0-9+/_=.@-])[A-Za-z0-9+_-]{32,}={0,2}(?![A-Za-z0-9+/_=.@-])/g;
const publicBlock =
  /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}(?:CERTIFICATE|CERTIFICATE REQUEST|PUBLIC KEY|PUBLIC KEY BLOCK|MESSAGE|SIGNATURE|CRL)-----[\s\S]*?(?:-----END |$(?![\s\S]))/g;
/** What precedes embedded data, a public key or a checksum. */
const beforePublicData = /(?:;base64,|\bssh-[a-z0-9]+ |\becdsa-[a-z0-9-]+ |\bsha\d{1,3}[:-]|\bh1:)$/i;

function* findHighEntropyWords(text: string): Generator<FoundSecret> {
  const searched = text.replaceAll(publicBlock, (block) => ' '.repeat(block.length));
  for (const found of matches(searched, longWord, 'random string', hasHighEntropy)) {
    const isPublic =
      /^(?:sha\d+-|AAAA[BCE]3)/.test(text.slice(found.start, found.start + 8)) ||
      beforePublicData.test(text.slice(Math.max(0, found.start - 40), found.start));
    if (!isPublic) yield found;
  }
}

/** The first group of each match, or the whole match if the pattern has no groups. `isSecret` gets the first two groups. */
function* matches(
  text: string,
  pattern: RegExp,
  kind: string,
  isSecret: (value: string, inner: string) => boolean = () => true,
): Generator<FoundSecret> {
  for (const match of text.matchAll(pattern)) {
    const value = match[1] ?? match[0];
    if (!isSecret(value, match[2] ?? '')) continue;
    const start = match.index + match[0].lastIndexOf(value);
    yield { start, end: start + value.length, kind };
  }
}
