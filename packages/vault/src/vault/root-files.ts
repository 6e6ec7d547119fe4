export type Language = 'en' | 'fr';

/** The files of a new vault, each with a comment that tells users and models its purpose. */
export const rootFiles: Record<Language, Record<string, { comment: string; body: string }>> = {
  en: {
    'overview.md': {
      comment:
        'The map of everything: the present context, every project in one line, intentions. Read first.',
      body: '# Overview\n',
    },
    'profile.md': {
      comment: 'Durable facts about the person: who they are, how they work, what they prefer.',
      body: '# Profile\n',
    },
    'tasks.md': {
      comment: [
        'Live tasks that belong to no project, one H1 each, with a line under it such as:',
        'status: in-progress | prio: high | added: 2025-07-14 | project: —',
        'A finished task leaves this file and becomes an entry in the changelog.',
      ].join('\n'),
      body: '',
    },
    'changelog.md': {
      comment:
        'Events and decisions, newest day first: an H1 per day (# 2025-07-14), an H2 per entry, [decision] for a decision.',
      body: '',
    },
  },
  fr: {
    'overview.md': {
      comment:
        "La carte de tout : le contexte du moment, chaque projet en une ligne, les intentions. À lire d'abord.",
      body: "# Vue d'ensemble\n",
    },
    'profile.md': {
      comment:
        'Les faits durables sur la personne : qui elle est, comment elle travaille, ce qu’elle préfère.',
      body: '# Profil\n',
    },
    'tasks.md': {
      comment: [
        'Les tâches en cours qui n’appartiennent à aucun projet, un H1 chacune, avec une ligne dessous telle que :',
        'status: en-cours | prio: haute | ajoutée: 2025-07-14 | projet: —',
        'Une tâche finie quitte ce fichier et devient une entrée du changelog.',
      ].join('\n'),
      body: '',
    },
    'changelog.md': {
      comment:
        'Événements et décisions, le jour le plus récent en haut : un H1 par jour (# 2025-07-14), un H2 par entrée, [décision] pour une décision.',
      body: '',
    },
  },
};

/** The initial content of a root file. */
export function rootFileText(name: keyof (typeof rootFiles)['en'], language: Language): string {
  const { comment = '', body = '' } = rootFiles[language][name] ?? {};
  return `\n<!-- ${comment} -->\n${body === '' ? '' : `\n${body}`}`;
}
