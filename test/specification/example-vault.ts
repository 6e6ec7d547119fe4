import { readFileSync } from 'node:fs';
import type { Files } from '../temporary-vault.ts';

/** An expected output that the specification gives in full. */
export const readExample = (name: 'concat' | 'read-one-file' | 'read-several-files'): string =>
  readFileSync(`test/specification/examples/${name}.txt`, 'utf8');

type Stamps = { created?: string; updated?: string; tokens?: number };

/** A note with the frontmatter of the specification's examples, from line 1 to line 5. */
export function note(lines: readonly string[], stamps: Stamps = {}): string {
  const { created = '2025-01-10T10:00:00', updated = '2025-07-14T18:30:00', tokens = 290 } = stamps;
  const frontmatter = ['---', `created: ${created}`, `updated: ${updated}`, `tokens: ${tokens}`, '---', ''];
  return `${[...frontmatter, ...lines].join('\n')}\n`;
}

const state = [
  '## Statut global',
  'actif',
  '',
  '## Focus actuel',
  'Intégration du module de paiement',
  '',
  '## Ce qui bloque',
  "API externe : prestataire indisponible avant juin. Décision d'internaliser.",
];

const changelog = [
  '# 2025-07-14',
  '',
  "## [décision] Abandon de l'API externe",
  'Le prestataire ne peut pas livrer avant juin. Notre deadline est mars.',
  "Impact : tâches d'intégration supprimées, nouvelles tâches backend créées.",
  '',
  '## Specs reçues du client v2.1',
  "Changements mineurs sur le module paiement. Pas d'impact planning.",
  '',
  '# 2025-03-03',
  '',
  '## Début du projet',
  'Le client pilote a signé.',
];

const tasks = [
  '# Appeler le comptable pour TVA Q3',
  'status: en-cours | prio: haute | ajoutée: 2025-07-14 | projet: —',
  '',
  '# Valider les maquettes avec Marie',
  'status: à-faire | prio: haute | ajoutée: 2025-07-14 | projet: startup-x',
  'deadline: 2025-07-18',
];

export const statePath = 'vault/projects/startup-x/state.md';
export const changelogPath = 'vault/projects/startup-x/changelog.md';
export const tasksPath = 'vault/tasks.md';
export const bucketPath = 'vault/projects/startup-x/bucket/';

export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** The vault that the examples of the specification show, and a little more around it. */
export const exampleVault: Files = {
  'tasks.md': note(tasks, { updated: '2025-07-14T08:00:00' }),
  'changelog.md': note(['# 2025-07-14', '', "## startup-x abandonne l'API externe", 'Voir le projet.']),
  'bucket/facture.md': note(['# Facture', 'Le comptable attend les factures.']),
  'projects/startup-x/state.md': note(state, { tokens: 380 }),
  'projects/startup-x/changelog.md': note(changelog),
  'projects/startup-x/description.md': note(['# startup-x', 'Une application de paiement.']),
  'projects/startup-x/tasks.md': note(tasks.slice(3, 5), { updated: '2025-07-14T18:00:00' }),
  'projects/startup-x/bucket/maquette.png': png,
  'projects/startup-x/bucket/specs.md': `---\nsource: courriel du client Barnabé\n---\n\n# Specs\nLes virements sont acceptés.\n`,
  'projects/appart-search/state.md': note(['## Statut global', 'actif'], { updated: '2025-07-13T11:20:00' }),
  'inbox/2025-07-14-appel/review.md': note(['# Quel client ?', 'À quel projet cela appartient-il ?']),
};

/** The vault of the two examples of `read`. */
export const readExampleVault: Files = {
  'projects/startup-x/state.md': note(state.slice(0, 5), { created: '2025-07-14T16:42:00', tokens: 380 }),
  'projects/startup-x/tasks.md': note(tasks.slice(3, 5), {
    created: '2025-07-14T10:00:00',
    updated: '2025-07-14T18:00:00',
  }),
};

/** A text of this many lines: `line 1`, `line 2`, … */
export const lines = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');
