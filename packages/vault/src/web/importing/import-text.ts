import type { ImportProgress, ImportReport } from '../api/imports-api.ts';
import { useLanguage } from '../text/use-text.ts';

const count = (number: number, one: string, many: string): string =>
  `${number.toLocaleString('en')} ${number === 1 ? one : many}`;

const en = {
  title: 'Import an archive',
  explain:
    'An Obsidian vault, a folder of notes, or an export of Notion, ChatGPT or Claude, as a zip file. Nothing is imported before you have seen the plan.',
  choose: 'Choose zip file',
  other: 'Choose another file',
  drop: 'or drop it here',
  tooLarge: 'Files over 90 MB cannot be uploaded. Run this in a terminal instead:',
  notZip: 'This is not a zip file.',
  planning: 'Reading the archive…',
  kinds: {
    obsidian: 'Obsidian vault',
    folder: 'Notes and documents',
    chatgpt: 'ChatGPT export',
    claude: 'Claude export',
    notion: 'Notion export',
    'apple-notes': 'Apple Notes export',
  } satisfies Record<ImportReport['kind'], string>,
  into: 'Into',
  added: {
    notes: (number: number) => count(number, 'note', 'notes'),
    conversations: (number: number) => count(number, 'conversation', 'conversations'),
    documents: (number: number) => count(number, 'document', 'documents'),
    pictures: (number: number) => count(number, 'image', 'images'),
    attachments: (number: number) => count(number, 'attachment', 'attachments'),
  },
  new: 'New',
  replaced: 'Changed since the last import',
  unchanged: 'Already imported',
  leftOut: (number: number) => `${count(number, 'file', 'files')} will be skipped`,
  kept: (number: number) =>
    `${count(number, 'note', 'notes')} changed here and in the archive; yours will be kept`,
  secrets: (number: number) =>
    `${count(number, 'note seems', 'notes seem')} to contain a password or key and will be imported unchanged`,
  more: (number: number) => `and ${number.toLocaleString('en')} more`,
  nothing: 'Everything in this archive has been imported already.',
  start: 'Import',
  cancel: 'Cancel',
  running: {
    reading: 'Reading…',
    converting: 'Converting documents…',
    writing: 'Writing notes…',
    recording: 'Finishing…',
  } satisfies Record<ImportProgress['phase'], string>,
  of: (done: number, total: number) => `${done.toLocaleString('en')} of ${total.toLocaleString('en')}`,
  done: (what: string) => `Imported ${what}.`,
};

type ImportText = typeof en;

const nombre = (number: number, one: string, many: string): string =>
  `${number.toLocaleString('fr')} ${number < 2 ? one : many}`;

const fr: ImportText = {
  title: 'Importer une archive',
  explain:
    'Un coffre Obsidian, un dossier de notes ou un export de Notion, ChatGPT ou Claude, sous forme de fichier zip. Rien n’est importé avant que vous ayez vu le plan.',
  choose: 'Choisir un fichier zip',
  other: 'Choisir un autre fichier',
  drop: 'ou déposez-le ici',
  tooLarge:
    'Les fichiers de plus de 90 Mo ne peuvent pas être envoyés. Exécutez plutôt ceci dans un terminal :',
  notZip: 'Ce n’est pas un fichier zip.',
  planning: 'Lecture de l’archive…',
  kinds: {
    obsidian: 'Coffre Obsidian',
    folder: 'Notes et documents',
    chatgpt: 'Export de ChatGPT',
    claude: 'Export de Claude',
    notion: 'Export de Notion',
    'apple-notes': 'Export d’Apple Notes',
  },
  into: 'Vers',
  added: {
    notes: (number) => nombre(number, 'note', 'notes'),
    conversations: (number) => nombre(number, 'conversation', 'conversations'),
    documents: (number) => nombre(number, 'document', 'documents'),
    pictures: (number) => nombre(number, 'image', 'images'),
    attachments: (number) => nombre(number, 'pièce jointe', 'pièces jointes'),
  },
  new: 'Nouveau',
  replaced: 'Modifiés depuis le dernier import',
  unchanged: 'Déjà importés',
  leftOut: (number) => nombre(number, 'fichier sera ignoré', 'fichiers seront ignorés'),
  kept: (number) =>
    nombre(
      number,
      'note modifiée ici et dans l’archive ; la vôtre sera conservée',
      'notes modifiées ici et dans l’archive ; les vôtres seront conservées',
    ),
  secrets: (number) =>
    nombre(
      number,
      'note semble contenir un mot de passe ou une clé, et sera importée telle quelle',
      'notes semblent contenir un mot de passe ou une clé, et seront importées telles quelles',
    ),
  more: (number) => `et ${number.toLocaleString('fr')} de plus`,
  nothing: 'Tout le contenu de cette archive a déjà été importé.',
  start: 'Importer',
  cancel: 'Annuler',
  running: {
    reading: 'Lecture…',
    converting: 'Conversion des documents…',
    writing: 'Écriture des notes…',
    recording: 'Finalisation…',
  },
  of: (done, total) => `${done.toLocaleString('fr')} sur ${total.toLocaleString('fr')}`,
  done: (what) => `Importé : ${what}.`,
};

export function useImportText(): ImportText {
  return useLanguage() === 'fr' ? fr : en;
}
