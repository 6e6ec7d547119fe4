import type { LanguageCode } from '../text/use-text.ts';

const en = {
  title: 'Vaults',
  none: 'No vault open',
  hint: 'Open your invitation link, or the link printed by this command on the server:',
  failed: 'Cannot be opened right now.',
};

const fr: typeof en = {
  title: 'Coffres',
  none: 'Aucun coffre ouvert',
  hint: 'Ouvrez votre lien d’invitation, ou celui qu’affiche cette commande sur le serveur :',
  failed: 'Ouverture impossible pour le moment.',
};

export const vaultsText: Record<LanguageCode, typeof en> = { en, fr };
