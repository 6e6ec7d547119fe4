import type { Language } from './weak-inputs.ts';

const task = (title: string): string => `# ${title}\nstatus: to-do | prio: medium | added: 2026-10-01\n`;
const entry = (title: string, text: string): string => `## ${title}\n${text}\n`;

const texts = {
  en: {
    tasks: [
      'Call the notary Kervella',
      'Pay the invoice of the carpenter',
      'Book the hall for December',
      'Return the borrowed ladder',
      'Order wood pellets',
      'Renew the passport',
      'Write to the insurance company',
      'Repair the bicycle brakes',
      'Cancel the newspaper subscription',
    ],
    houseTasks: ['Clean the gutters', 'Replace the kitchen tap', 'Measure the attic windows'],
    entries: [
      ['Lease signed with Marchand', 'Signed for three years, starting in October.'],
      ['[decision] Heat pump chosen', 'The quieter model, because of the neighbours.'],
      ['Roof inspected', 'Two tiles are loose above the veranda.'],
      ['Bees moved to the orchard', 'Both hives survived the transport.'],
    ],
    state: [
      'Insulation: the northern wall is finished, the western wall is open.',
      'Plumber: Baudouin comes twice a month.',
      'Electricity: the fuse box was replaced by Lemoine.',
      'Garden fence: posts are set, boards are missing.',
      'Cellar: damp near the staircase, dehumidifier rented.',
    ],
    boxes: ['varnish the oak door', 'sort the old bricks', 'label the water valves'],
    profile: [
      'Prefers short answers with figures first.',
      'Works from home on Fridays.',
      'Allergic to shellfish.',
    ],
    quote: ['Offer of the heating company', 'Boiler exchange including disposal', 'Valid until spring'],
  },
  fr: {
    tasks: [
      'Appeler le notaire Kervella',
      'Payer la facture du menuisier',
      'Réserver la salle pour décembre',
      "Rendre l'échelle empruntée",
      'Commander des granulés',
      'Renouveler le passeport',
      "Écrire à la compagnie d'assurance",
      'Réparer les freins du vélo',
      "Résilier l'abonnement au journal",
    ],
    houseTasks: [
      'Nettoyer les gouttières',
      'Changer le robinet de la cuisine',
      'Mesurer les lucarnes du grenier',
    ],
    entries: [
      ['Bail signé avec Marchand', 'Signé pour trois ans, à partir de octobre.'],
      ['[décision] Pompe à chaleur choisie', 'Le modèle silencieux, à cause des voisins.'],
      ['Toiture inspectée', 'Deux tuiles bougent au-dessus de la véranda.'],
      ['Ruches déplacées au verger', 'Les deux colonies ont supporté le transport.'],
    ],
    state: [
      'Isolation : le mur nord est terminé, le mur ouest reste ouvert.',
      'Plombier : Baudouin passe deux fois par mois.',
      'Électricité : le tableau a été remplacé par Lemoine.',
      'Clôture du jardin : poteaux posés, planches manquantes.',
      "Cave : humidité près de l'escalier, déshumidificateur loué.",
    ],
    boxes: ['vernir la porte en chêne', 'trier les vieilles briques', "étiqueter les vannes d'eau"],
    profile: [
      "Préfère les réponses courtes, chiffres d'abord.",
      'Télétravaille le vendredi.',
      'Allergique aux crustacés.',
    ],
    quote: [
      'Devis du chauffagiste',
      'Remplacement de la chaudière avec reprise',
      "Valable jusqu'au printemps",
    ],
  },
};

/** The files of a vault in use, by path. */
export function weakVault(language: Language): Record<string, string> {
  const { tasks, houseTasks, entries, state, boxes, profile, quote } = texts[language];
  const log = (place: string): string =>
    entries.map(([title = '', text = '']) => entry(`${title}${place}`, `${text}${place}`)).join('\n');
  return {
    'tasks.md': tasks.map(task).join('\n'),
    'changelog.md': `# 2026-10-01\n\n${log('')}`,
    'profile.md': `# Profile\n\n${profile.join('\n')}\n`,
    'projects/house/description.md': `# House\n\n${state
      .slice(0, 2)
      .map((line) => `1998, ${line}`)
      .join('\n')}\n`,
    'projects/house/state.md': `## House\n\n${state.join('\n')}\n\n## Boxes\n\n${boxes.map((box) => `- [ ] ${box}`).join('\n')}\n`,
    'projects/house/tasks.md': houseTasks.map(task).join('\n'),
    'projects/house/changelog.md': `# 2026-10-01\n\n${log(' (house)')}`,
    'projects/garden/state.md': `## Garden\n\n${state
      .slice(2)
      .map((line) => `1987, ${line}`)
      .join('\n')}\n`,
    'bucket/boiler-quote.md': `${quote.join('\n\n')}\n`,
    'bucket/old-letter.md': `${state.map((line) => `1976, ${line}`).join('\n')}\n`,
  };
}

/** The inbox items that are answered, with the words that must not be lost. */
export function weakItem(number: number): { name: string; words: string[]; files: Record<string, string> } {
  const name = `2026-10-01-item-${number}`;
  const [word, other] = [`itemzq${number}`, `minuteszq${number}`];
  return {
    name,
    words: [word, other],
    files: {
      [`inbox/${name}/review.md`]: '# Which one?\n\n**Which project is it?**\n',
      [`inbox/${name}/original.md`]: `The thing called ${word} arrived.\n`,
      [`inbox/${name}/minutes.md`]: `The ${other} was painted in autumn.\n`,
    },
  };
}
