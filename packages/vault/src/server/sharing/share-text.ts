import type { NoteHtmlRequest } from '../note-html/note-html.ts';
import { frenchCallouts } from '../../web/index.ts';

export type PageLanguage = 'en' | 'fr';

type ShareText = {
  labels: NoteHtmlRequest['labels'];
  until: (day: string) => string;
  exported: (day: string) => string;
  goneTitle: string;
  gone: string;
};

/** The words around a note outside of the web interface. */
export const shareTexts: Record<PageLanguage, ShareText> = {
  en: {
    labels: { footnotes: 'Footnotes', callouts: {}, remoteImage: 'Remote image:' },
    until: (day) => `Shared to read until ${day}.`,
    exported: (day) => `Downloaded on ${day}.`,
    goneTitle: 'This link does not work',
    gone: 'It may have ended, or it was not copied completely. Ask the person who sent it for a new one.',
  },
  fr: {
    labels: {
      footnotes: 'Notes de bas de page',
      callouts: frenchCallouts,
      remoteImage: 'Image distante :',
    },
    until: (day) => `Partagée en lecture jusqu’au ${day}.`,
    exported: (day) => `Téléchargée le ${day}.`,
    goneTitle: 'Ce lien ne fonctionne pas',
    gone: 'Il a peut-être expiré, ou n’a pas été copié en entier. Demandez-en un nouveau à la personne qui vous l’a envoyé.',
  },
};

/** French if the browser prefers it, otherwise English. */
export function chooseLanguage(acceptLanguage: string | undefined): PageLanguage {
  return /^\s*fr\b/i.test(acceptLanguage ?? '') ? 'fr' : 'en';
}

export function formatDay(at: number, language: PageLanguage): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(at);
}
