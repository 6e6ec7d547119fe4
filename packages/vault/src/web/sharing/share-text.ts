import { useLanguage } from '../text/use-text.ts';

/** Texts of the dialogs and settings about share links, which only these load. */
const en = {
  title: (name: string) => `Share ${name}`,
  explain:
    'Anyone who has the link can read this note and the images in it, without signing in. They see no other note and can change nothing.',
  local:
    'This address works only on this computer, so no one else can open the link. Make Keepsake reachable first, or create it anyway to try it.',
  reach: 'Only people who can reach this address can open the link.',
  anyway: 'Create it anyway',
  ends: 'Ends after',
  days: (count: number) => (count === 1 ? '1 day' : `${count} days`),
  create: 'Create link',
  creating: 'Creating…',
  once: 'Copy it now; it will not be shown again.',
  follows: 'The link ends if you move, rename, delete or hide the note.',
  active: 'Links to this note',
  until: (day: string) => `until ${day}`,
  by: (name: string) => `by ${name}`,
  revoke: (day: string) => `End the link that works until ${day}`,
  revokeNote: (name: string) => `End the link to ${name}`,
  revoked: 'Link ended',
  close: 'Close',
  section: 'Shared notes',
  hint: 'Anyone who has one of these links can read the note. Create one with “Share…” in the menu of a note.',
  none: 'No note is shared.',
};

type ShareText = typeof en;

const fr: ShareText = {
  title: (name) => `Partager ${name}`,
  explain:
    'Toute personne qui a le lien peut lire cette note et ses images, sans se connecter. Elle ne voit aucune autre note et ne peut rien modifier.',
  local:
    'Cette adresse ne fonctionne que sur cet ordinateur : personne d’autre ne peut ouvrir le lien. Rendez d’abord Keepsake accessible, ou créez-le quand même pour l’essayer.',
  reach: 'Seules les personnes qui peuvent joindre cette adresse peuvent ouvrir le lien.',
  anyway: 'Créer le lien quand même',
  ends: 'Expire après',
  days: (count) => (count === 1 ? '1 jour' : `${count} jours`),
  create: 'Créer le lien',
  creating: 'Création…',
  once: 'Copiez-le maintenant ; il ne sera plus affiché.',
  follows: 'Le lien cesse de fonctionner si vous déplacez, renommez, supprimez ou masquez la note.',
  active: 'Liens vers cette note',
  until: (day) => `jusqu’au ${day}`,
  by: (name) => `par ${name}`,
  revoke: (day) => `Désactiver le lien valable jusqu’au ${day}`,
  revokeNote: (name) => `Désactiver le lien vers ${name}`,
  revoked: 'Lien désactivé',
  close: 'Fermer',
  section: 'Notes partagées',
  hint: 'Toute personne qui a l’un de ces liens peut lire la note. Pour en créer un : « Partager… » dans le menu d’une note.',
  none: 'Aucune note n’est partagée.',
};

export function useShareText(): ShareText {
  return useLanguage() === 'fr' ? fr : en;
}
