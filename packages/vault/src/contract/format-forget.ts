import type {
  ForgetEffect,
  ForgetPassage,
  ForgetPlace,
  ForgetPlan,
  ForgetReceipt,
  ForgetStoreName,
  PlannedPlace,
  UnreachablePlace,
} from './forget.ts';

/** A line of a plan. `goes` and `goes-too`: words that are removed, the latter without being named by the user. */
export type ForgetLine = {
  indent: number;
  parts: { text: string; style: 'plain' | 'place' | 'goes' | 'goes-too' }[];
};

type Words = {
  stores: Record<ForgetStoreName, string>;
  unreachable: Record<UnreachablePlace['kind'], string>;
  effects: Record<Exclude<ForgetEffect, 'edited'>, string>;
  versions: (count: number) => string;
  goesToo: string;
  same: string;
  counted: (store: string, count: number) => string;
  more: (count: number) => string;
  found: (count: number) => string;
  nothing: string;
  forgotten: (count: number) => string;
  remaining: string;
  mayRemain: string;
  noUndo: string;
};

const words: Record<'en' | 'fr', Words> = {
  en: {
    stores: {
      files: 'files of the vault',
      history: 'history',
      journal: 'journal of changes',
      queue: 'updates and their inputs',
      answers: 'stored answers',
      sessions: 'recorded sessions',
      index: 'search index and catalogue',
      sync: 'sync repository',
      state: 'other state of the vault',
      temporary: 'temporary files',
    },
    unreachable: {
      backup: 'backups made before now',
      machine: 'other machines and copies of the vault',
      provider: 'AI providers and clients that have received the words',
      shell: 'the history of your shell, if you typed the words there',
      document: 'documents that cannot be searched',
      file: 'files that Keepsake does not change',
      repository: 'repositories that Keepsake does not change',
    },
    effects: {
      removed: 'removed as a whole',
      replaced: 'replaced as a whole by a marker',
      renamed: 'renamed: the words in its name go',
      rebuilt: 'generated again',
    },
    versions: (count) => (count === 1 ? 'in 1 version:' : `in ${count} versions:`),
    goesToo: 'also removed: ',
    same: 'where nothing is listed, what is shown above',
    counted: (store, count) => `${store}: ${count}`,
    more: (count) => `… and ${count} more`,
    found: (count) => `Found in ${count === 1 ? '1 place' : `${count} places`}:`,
    nothing: 'The words were not found in any place that Keepsake can change.',
    forgotten: (count) => `Forgotten in ${count === 1 ? '1 place' : `${count} places`}:`,
    remaining: 'Still found in these places; forget them again:',
    mayRemain: 'May still contain them, out of reach of Keepsake:',
    noUndo: 'Forgetting cannot be undone: the words are also removed from history and cannot be restored.',
  },
  fr: {
    stores: {
      files: 'fichiers du coffre',
      history: 'historique',
      journal: 'journal des modifications',
      queue: 'mises à jour et leur contenu',
      answers: 'réponses conservées',
      sessions: 'sessions enregistrées',
      index: 'index de recherche et catalogue',
      sync: 'dépôt de synchronisation',
      state: 'autres données du coffre',
      temporary: 'fichiers temporaires',
    },
    unreachable: {
      backup: 'sauvegardes faites jusqu’ici',
      machine: 'autres machines et copies du coffre',
      provider: 'fournisseurs et clients d’IA qui ont reçu ces mots',
      shell: 'historique de votre terminal, si vous y avez tapé ces mots',
      document: 'documents impossibles à parcourir',
      file: 'fichiers que Keepsake ne modifie pas',
      repository: 'dépôts que Keepsake ne modifie pas',
    },
    effects: {
      removed: 'supprimé en entier',
      replaced: 'remplacé en entier par une mention',
      renamed: 'renommé : les mots disparaissent de son nom',
      rebuilt: 'généré à nouveau',
    },
    versions: (count) => (count === 1 ? 'dans 1 version :' : `dans ${count} versions :`),
    goesToo: 'supprimé aussi : ',
    same: 'si rien n’est indiqué, ce qui est montré ci-dessus',
    counted: (store, count) => `${store} : ${count}`,
    more: (count) => `… et ${count} de plus`,
    found: (count) => `Trouvé à ${count} ${count === 1 ? 'endroit' : 'endroits'} :`,
    nothing: 'Ces mots ne se trouvent à aucun endroit que Keepsake peut modifier.',
    forgotten: (count) => `Oublié à ${count} ${count === 1 ? 'endroit' : 'endroits'} :`,
    remaining: 'Encore présents ici ; recommencez :',
    mayRemain: 'Peuvent encore les contenir, hors de portée de Keepsake :',
    noUndo:
      'L’oubli ne peut pas être défait : les mots sont aussi retirés de l’historique et ne peuvent pas être restaurés.',
  },
};

/** What forgetting would remove, each passage before and after; ends with the warning that it cannot be undone. */
export function formatForgetPlan(
  { places, unreachable }: Pick<ForgetPlan, 'places' | 'unreachable'>,
  language: 'en' | 'fr',
): ForgetLine[] {
  const say = words[language];
  const outOfReach = formatUnreachable(unreachable, say).map(toLine);
  if (places.length === 0) return [toLine(say.nothing), ...outOfReach];
  return [toLine(say.found(places.length)), ...formatPlanned(places, say), ...outOfReach, toLine(say.noUndo)];
}

/** The passages of these places, before and after. */
export function formatPassages(places: readonly PlannedPlace[], language: 'en' | 'fr'): string[] {
  return formatPlanned(places, words[language]).map(toText);
}

function toText({ indent, parts }: ForgetLine): string {
  return ' '.repeat(indent) + parts.map(({ text }) => text).join('');
}

/** A line of text whose indent is its leading spaces. */
function toLine(text: string): ForgetLine {
  const trimmed = text.trimStart();
  return { indent: text.length - trimmed.length, parts: [{ text: trimmed, style: 'plain' }] };
}

function formatPlanned(places: readonly PlannedPlace[], say: Words): ForgetLine[] {
  return [...Map.groupBy(places, ({ store }) => store)].flatMap(([store, found]) => {
    const count = found.reduce((sum, place) => sum + place.count, 0);
    const isSame =
      store !== 'files' && found.some((place) => place.effect === 'edited' && place.passages.length === 0);
    const head = `  ${say.counted(say.stores[store], count)}${isSame ? ` (${say.same})` : ''}`;
    return [toLine(head), ...found.flatMap((place) => formatPlace(place, say))];
  });
}

function formatPlace({ store, name, count, effect, passages }: PlannedPlace, say: Words): ForgetLine[] {
  const times = count === 1 ? '' : ` (${count})`;
  const fate = effect === 'edited' || store === 'index' ? '' : `: ${say.effects[effect]}`;
  const place = (text: string, rest = ''): ForgetLine => ({
    indent: 4,
    parts: [
      { text, style: 'place' },
      { text: rest, style: 'plain' },
    ],
  });
  if (store === 'files')
    return [
      ...(fate !== '' || passages.length === 0 ? [place(name, fate)] : []),
      ...passages.flatMap((passage) => [
        place(`${name}:${passage.line ?? 1}`),
        ...formatPassage(passage, say),
      ]),
    ];
  const isHistory = store === 'history' || store === 'sync';
  return [
    place(name, `${times}${fate}`),
    ...passages.flatMap((passage) => [
      ...(isHistory ? [toLine(`      ${say.versions(passage.count)}`)] : []),
      ...formatPassage(passage, say),
    ]),
  ];
}

function formatPassage({ before, after }: ForgetPassage, say: Words): ForgetLine[] {
  const parts = before.map(({ text, fate }) => ({
    text: onOneLine(text),
    style: fate === 'stays' ? ('plain' as const) : fate,
  }));
  const others = before.filter(({ fate }) => fate === 'goes-too').map(({ text }) => onOneLine(text).trim());
  return [
    { indent: 6, parts: [{ text: '- ', style: 'plain' }, ...parts] },
    ...(after === '' ? [] : [toLine(`      + ${onOneLine(after)}`)]),
    ...(others.length === 0
      ? []
      : [
          {
            indent: 8,
            parts: [
              { text: say.goesToo, style: 'plain' as const },
              { text: others.join(' … '), style: 'goes-too' as const },
            ],
          },
        ]),
  ];
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ');
}

export function formatForgetReceipt(
  receipt: Omit<ForgetReceipt, 'change'>,
  language: 'en' | 'fr',
): ForgetLine[] {
  const say = words[language];
  const { places, remaining, unreachable } = receipt;
  return [
    ...(places.length === 0 ? [say.nothing] : [say.forgotten(places.length), ...formatPlaces(places, say)]),
    ...(remaining.length === 0 ? [] : [say.remaining, ...formatPlaces(remaining, say)]),
    ...formatUnreachable(unreachable, say),
  ].map(toLine);
}

const maxListedPlaces = 100;

function formatPlaces(places: readonly ForgetPlace[], say: Words): string[] {
  return [...Map.groupBy(places, ({ store }) => store)].flatMap(([store, found]) => {
    const count = found.reduce((sum, place) => sum + place.count, 0);
    const listed = found.slice(0, maxListedPlaces).map((place) => {
      const times = place.count === 1 ? '' : ` (${place.count})`;
      return `    ${place.name}${times}`;
    });
    const more = found.length > maxListedPlaces ? [`    ${say.more(found.length - maxListedPlaces)}`] : [];
    return [`  ${say.counted(say.stores[store], count)}`, ...listed, ...more];
  });
}

function formatUnreachable(unreachable: readonly UnreachablePlace[], say: Words): string[] {
  if (unreachable.length === 0) return [];
  const lines = [...Map.groupBy(unreachable, ({ kind }) => kind)].flatMap(([kind, found]) => [
    `  ${say.unreachable[kind]}`,
    ...found.flatMap(({ name }) => (name === '' ? [] : [`    ${name}`])),
  ]);
  return [say.mayRemain, ...lines];
}
