// The vault that the seeds describe.
export const state = `---
created: 2025-01-10T10:00:00
updated: 2025-07-14T18:30:00
tokens: 380
---

## Statut global
actif

## Focus actuel
Intégration du module de paiement

## Ce qui bloque
API externe : prestataire indisponible avant juin. Décision d'internaliser.
`;
export const changelog = `---
created: 2025-01-10T10:00:00
updated: 2025-07-14T18:30:00
tokens: 120
---

# 2025-07-14

## [décision] Abandon de l'API externe
Le prestataire ne peut pas livrer avant juin. Notre deadline est mars.
Impact : tâches d'intégration supprimées, nouvelles tâches backend créées.

## Specs reçues du client v2.1
Changements mineurs sur le module paiement. Pas d'impact planning.
`;
export const tasks = `---
created: 2025-01-10T10:00:00
updated: 2025-07-14T08:00:00
tokens: 290
---

# Appeler le comptable pour TVA Q3
status: en-cours | prio: haute | ajoutée: 2025-07-14 | projet: —

# Valider les maquettes avec Marie
status: à-faire | prio: haute | ajoutée: 2025-07-14 | projet: startup-x
deadline: 2025-07-18
`;
export const description = `---
created: 2025-01-10T10:00:00
updated: 2025-07-11T09:02:00
tokens: 20
---

# startup-x
Une application de paiement pour artisans.
`;
export const png = {
  base64: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
};
export const files = {
  'tasks.md': tasks,
  'changelog.md': changelog,
  'overview.md': '# Overview\n',
  'profile.md': '# Profile\n',
  'bucket/': '',
  'inbox/': '',
  'projects/startup-x/state.md': state,
  'projects/startup-x/changelog.md': changelog,
  'projects/startup-x/description.md': description,
  'projects/startup-x/tasks.md': tasks,
  'projects/startup-x/bucket/email-specs.md': '---\ntype: email\n---\n\nSpecs v2.1\n',
};
export const cases = [];
