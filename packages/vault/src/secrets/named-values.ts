import type { FoundSecret } from './found-secret.ts';
import { isCode, isDottedName, isPlainWord, isReference } from './references.ts';
import { hasDigitsAndBothCases, hasLettersAndDigits, isRandom } from './random-text.ts';

/** How much a name says about its value, and what the value is called. */
type NameClass = {
  kind: string;
  pattern: string;
  /** Whether the pattern may follow other letters directly, as in `dbpassword`. */
  isDistinct: boolean;
  /** `any`: every value may be one; `mixed`: not plain words; `random`: only generated text. */
  values: 'any' | 'mixed' | 'random';
};

const keyOwners =
  'api|access|secret|private|preshared|account|encryption|signing|master|auth|deploy|service|subscription|shared[_ .-]?access|app|storage';

/** Ordered: the first pattern that matches decides. */
const nameClasses: readonly NameClass[] = [
  {
    kind: 'password',
    pattern:
      'pass[ _-]?word|pass[ _-]?phrase|pass[ _-]?code|passwd|passwort|kennwort|mot de passe|contrase[ñn]a|senha|wi-?fi[ _-]?key|access[ _-]?code|code d.acc[èe]s|identified by',
    isDistinct: true,
    values: 'any',
  },
  { kind: 'password', pattern: 'pass|pwd|pw|mdp|psk', isDistinct: false, values: 'any' },
  {
    kind: 'key',
    pattern: `(?:${keyOwners})[_ .-]?key|cl[ée] (?:d['’])?api|client-key-data`,
    isDistinct: true,
    values: 'mixed',
  },
  {
    kind: 'token',
    pattern: '(?:auth|access|refresh|session|bearer|api|id)token',
    isDistinct: true,
    values: 'mixed',
  },
  { kind: 'token', pattern: 'token|jeton', isDistinct: false, values: 'mixed' },
  { kind: 'secret', pattern: 'secret|credentials?|creds', isDistinct: false, values: 'mixed' },
  {
    kind: 'key',
    pattern: 'key|auth|sig|signature|sid|session(?:[_-]?id)?',
    isDistinct: false,
    values: 'random',
  },
];

const quote = '["\'`]';
const suffix = String.raw`(?:[_.-]?(?:base|prod(?:uction)?|staging|dev|test|live|value|default|\d{1,2}))?`;
/** Ends a quoted or emphasized name, with a remark ("for the router") or a type in TypeScript. */
const nameEnd = String.raw`(?:\\?${quote}|[*_]{1,2})?(?: \([^()\n]{0,40}\)| (?:for|of|on|to|pour|du|de|des|f[üu]rs?|vo[nm]|zu[mr]|im|am|wi-?fi)\b[^\n:=|"'.]{0,30}?(?= ?[:=]| (?:is|est|ist|lautet) ))?(?:: ?string(?= =))?`;
const operators = [
  String.raw`\s{0,3}(?::=|=>|=)\s{0,3}`,
  String.raw`[ \t\u00a0\u202f]{0,3}:\s{0,12}(?:[*_]{1,2} ?)?`,
  String.raw`(?:[*_]{1,2})? (?:is|est|ist|es|lautet) ?:? `,
  String.raw` ?\| ?`,
  String.raw`(?<=["']) ?, ?(?=["'])`,
  String.raw`>`,
  String.raw`\s{1,3}value ?= ?(?=["'])`,
  ' ',
];
const opening = String.raw`(?:\\?${quote}|[«“„]\s?)?`;

const assignment = new RegExp(
  `(${nameClasses.map(({ pattern }) => pattern).join('|')})${suffix}${nameEnd}(${operators.join('|')})(${opening})([^\\s"'\`<>|]{6,500})`,
  'gi',
);

const nameMatchers = nameClasses.map(({ pattern }) => new RegExp(`^(?:${pattern})$`, 'i'));

/** Finds values that are assigned to a name such as `DB_PASSWORD`, in any notation. */
export function* findNamedValues(text: string): Generator<FoundSecret> {
  const pattern = new RegExp(assignment);
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const { 0: whole, 1: word = '', 2: operator = '', 3: quoted = '', 4: run = '', index } = match;
    // The value may be the name of another one, as in `key="Password" value="…"`.
    pattern.lastIndex = index + word.length;
    const found = nameClasses[nameMatchers.findIndex((matcher) => matcher.test(word))];
    if (found === undefined || !startsName(text, index, word, found)) continue;
    const value = trimValue(run);
    const isSaid = operator === ' ' || (quoted === '' && !/[=>]/.test(operator));
    if (operator === ' ' && quoted === '' && !countsAfterBlank(value, found)) continue;
    if (value.length < 6 || isReference(value) || (quoted === '' && isCode(run))) continue;
    if (!isPlausible(value, found, { isSaid, isQuoted: quoted !== '', name: word })) continue;
    const start = index + whole.length - run.length;
    pattern.lastIndex = start + value.length;
    yield { start, end: start + value.length, kind: found.kind };
  }
}

/** A short name such as `pass` must be a word of its own: not in `compass`, but in `db_pass`, `dbPass` and `PGPASS`. */
function startsName(text: string, index: number, word: string, { isDistinct }: NameClass): boolean {
  const before = text[index - 1] ?? '';
  if (isDistinct || !/[A-Za-zÀ-ÿ]/.test(before)) return true;
  const first = word[0] ?? '';
  return /[A-Z]/.test(first) && (/[a-z]/.test(before) || /^[A-Z]+$/.test(word));
}

/** Removes what belongs to the text around an unquoted value: the next field, and punctuation at the end. */
function trimValue(run: string): string {
  const next = /[;&][\w .-]{1,40}=/.exec(run)?.index ?? run.length;
  return run.slice(0, next).replace(/[,;.)}\]»\\]+$/, '');
}

/** After a blank alone, ordinary words follow most names. */
function countsAfterBlank(value: string, { values, isDistinct }: NameClass): boolean {
  return (
    isRandom(value, values === 'any' ? 8 : 16) ||
    (values === 'any' && isDistinct && hasDigitsAndBothCases(value))
  );
}

type Form = { isSaid: boolean; isQuoted: boolean; name: string };

function isPlausible(value: string, { values, kind }: NameClass, { isSaid, isQuoted, name }: Form): boolean {
  if (values === 'random') {
    const isEnvironment = /^[A-Z]+$/.test(name);
    return isRandom(value, 20) && (isEnvironment || !/^[0-9a-f-]+$/i.test(value));
  }
  const isLongWord = value.length >= 20 && /^[A-Za-z]+$/.test(value);
  if (isSaid) return (isMixed(value) && !isDateOrAmount(value)) || (kind === 'key' && isLongWord);
  if (values === 'any') return isMixed(value) || !(isPlainWord(value) && (isQuoted || isLabel(value)));
  return (isMixed(value) && !isDottedName(value)) || (kind !== 'secret' && isLongWord);
}

function isMixed(value: string): boolean {
  return (
    hasLettersAndDigits(value) ||
    (/[A-Za-z]/.test(value) && /[!@#%^&*?~+$]/.test(value)) ||
    /^(?=.*[a-z][A-Z])(?=.*[A-Z]{2})[A-Za-z]+$/.test(value)
  );
}

/** `Passwort`, as in the texts of an interface. */
function isLabel(value: string): boolean {
  return /^[A-ZÀ-Þ]/.test(value);
}

function isDateOrAmount(value: string): boolean {
  return /^\d{4}-\d{2}(?:-\d{2})?$|^\d[\d.,:]*[a-zA-Z]{1,5}$/.test(value);
}
