import { frenchCallouts } from '../../web/index.ts';

export type PageLanguage = 'en' | 'fr';

export type PageText = {
  labels: { footnotes: string; callouts: Readonly<Record<string, string>>; remoteImage: string };
  exported: (day: string) => string;
};

/** The words around a note outside of the web interface. */
export const pageTexts: Record<PageLanguage, PageText> = {
  en: {
    labels: { footnotes: 'Footnotes', callouts: {}, remoteImage: 'Remote image:' },
    exported: (day) => `Downloaded on ${day}.`,
  },
  fr: {
    labels: {
      footnotes: 'Notes de bas de page',
      callouts: frenchCallouts,
      remoteImage: 'Image distante :',
    },
    exported: (day) => `Téléchargée le ${day}.`,
  },
};

/** French if the browser prefers it, otherwise English. */
export function chooseLanguage(acceptLanguage: string | undefined): PageLanguage {
  return /^\s*fr\b/i.test(acceptLanguage ?? '') ? 'fr' : 'en';
}

export function formatDay(at: number, language: PageLanguage): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(at);
}
