import { formatLocalTime } from '../../contract/index.ts';
import { nameSecretKind } from '../../secrets/index.ts';
import type { WriteRun } from '../../tools/index.ts';
import { baseName, childPath, fileKindOf, reviewName } from '../../vault/index.ts';
import type { Language, VaultPath } from '../../vault/index.ts';
import type { StagedInput } from './stage-input.ts';
import { readText, stageText } from './staged-files.ts';
import type { UpdateSecrets } from './update-secrets.ts';

/** The label of the secrets that an inbox item asks about; null for all other items. */
export function secretItemLabel(item: string): string | null {
  return /^\d{4}-\d{2}-\d{2}-secrets-([0-9a-f]{8})$/.exec(item)?.[1] ?? null;
}

type QuestionOptions = { secrets: UpdateSecrets; incoming: StagedInput; language: Language; now: number };

/** Asks in the inbox whether the secrets of the input are kept. Returns the item; null if there is nothing to ask. */
export async function stageSecretQuestion(
  run: WriteRun,
  { secrets: { own }, incoming, language, now }: QuestionOptions,
): Promise<VaultPath | null> {
  if (own === null || own.isKept) return null;
  const { inboxPath } = run.view.layout();
  const item = childPath(inboxPath, `${formatLocalTime(now).slice(0, 10)}-secrets-${own.label}`);
  const review = childPath(item, reviewName);
  if ((await readText(run, review)) === null) {
    const originals = [...incoming.files.keys()].map(baseName).filter((name) => fileKindOf(name) === 'other');
    stageText(run, review, null, formatQuestion(own.secrets, originals, language));
  }
  return item;
}

type Asked = NonNullable<UpdateSecrets['own']>['secrets'];

function formatQuestion(secrets: Asked, originals: readonly string[], language: Language): string {
  const kinds = [...new Set(secrets.map(({ kind }) => nameSecretKind(kind, language)))].join(', ');
  const { title, contains, original, reply } = texts[language];
  const lines = [...new Set(secrets.map(({ context }) => `- ${context}`))];
  return `${[
    title,
    contains(secrets.length, kinds),
    lines.join('\n'),
    ...(originals.length === 0 ? [] : [original(originals.map((name) => `\`${name}\``).join(', '))]),
    reply,
  ].join('\n\n')}\n`;
}

type QuestionTexts = {
  title: string;
  contains: (count: number, kinds: string) => string;
  original: (names: string) => string;
  reply: string;
};

const texts: Record<Language, QuestionTexts> = {
  en: {
    title: '# Keep these secrets?',
    contains: (count, kinds) =>
      `This input contains ${count === 1 ? 'a secret' : `${count} secrets`} (${kinds}). ${count === 1 ? 'It was' : 'They were'} not sent to the model and ${count === 1 ? 'is' : 'are'} not stored in the vault's notes; a mask is in ${count === 1 ? 'its' : 'their'} place:`,
    original: (names) => `The original (${names}) is stored unchanged and may still contain secrets.`,
    reply:
      '**Reply `keep` to store them in plain text, which models read from then on; any other reply drops them for good.** A password manager is a better place for them.',
  },
  fr: {
    title: '# Conserver ces secrets ?',
    contains: (count, kinds) =>
      count === 1
        ? `Ce message contient un secret (${kinds}). Il n’a pas été envoyé au modèle et ne figure pas dans les notes du coffre ; un masque le remplace :`
        : `Ce message contient ${count} secrets (${kinds}). Ils n’ont pas été envoyés au modèle et ne figurent pas dans les notes du coffre ; un masque les remplace :`,
    original: (names) => `L’original (${names}) est conservé tel quel et peut encore contenir des secrets.`,
    reply:
      '**Répondez `garder` pour les conserver en clair, lisibles ensuite par les modèles ; toute autre réponse les efface définitivement.** Un gestionnaire de mots de passe convient mieux.',
  },
};

const keepFirst =
  /^[^\p{L}]*(?:keep|yes|ok|oui|garde[rz]?|conserve[rz]?)(?! (?:nothing|none|no|rien|aucun))(?![\p{L}])/iu;
const keepWords = /(?<![\p{L}])(?:keep|yes|ok|store|oui|garde[rz]?|conserve[rz]?)(?![\p{L}])/iu;
const refusalWords =
  /(?<![\p{L}])(?:no|not|don['’]t|do not|never|drop|delete|non|ne|pas|jamais|n['’]|supprime[rz]?|oublie[rz]?|efface[rz]?)(?![\p{L}])/iu;

/** Whether a reply to the question says to keep the secrets. */
export function saysKeep(reply: string): boolean {
  return keepFirst.test(reply) || (keepWords.test(reply) && !refusalWords.test(reply));
}
