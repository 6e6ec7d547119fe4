import type { LanguageCode } from '../text/use-text.ts';

const en = {
  title: 'Vaults',
  none: 'No vault is open in this browser',
  hint: 'Open the link that you were given, or the one that this prints where the server runs:',
  failed: 'It cannot be opened at the moment.',
};

const fr: typeof en = {
  title: 'Coffres',
  none: 'Aucun coffre n’est ouvert dans ce navigateur',
  hint: 'Ouvrez le lien que vous avez reçu, ou celui qu’affiche cette commande là où tourne le serveur :',
  failed: 'Il ne peut pas être ouvert pour le moment.',
};

export const vaultsText: Record<LanguageCode, typeof en> = { en, fr };
