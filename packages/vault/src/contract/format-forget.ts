import type { ForgetPlace, ForgetPlan, ForgetReceipt, ForgetStoreName, UnreachablePlace } from './forget.ts';

type Words = {
  stores: Record<ForgetStoreName, string>;
  unreachable: Record<UnreachablePlace['kind'], string>;
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

/** Lists what forgetting would remove, one line each; ends with the warning that it cannot be undone. */
export function formatForgetPlan(
  { places, unreachable }: Pick<ForgetPlan, 'places' | 'unreachable'>,
  language: 'en' | 'fr',
): string[] {
  const say = words[language];
  return places.length === 0
    ? [say.nothing, ...formatUnreachable(unreachable, say)]
    : [
        say.found(places.length),
        ...formatPlaces(places, say),
        ...formatUnreachable(unreachable, say),
        say.noUndo,
      ];
}

export function formatForgetReceipt(receipt: Omit<ForgetReceipt, 'change'>, language: 'en' | 'fr'): string[] {
  const say = words[language];
  const { places, remaining, unreachable } = receipt;
  return [
    ...(places.length === 0 ? [say.nothing] : [say.forgotten(places.length), ...formatPlaces(places, say)]),
    ...(remaining.length === 0 ? [] : [say.remaining, ...formatPlaces(remaining, say)]),
    ...formatUnreachable(unreachable, say),
  ];
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
