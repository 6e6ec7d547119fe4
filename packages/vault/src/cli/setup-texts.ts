/** The questions and messages of `keepsake setup`. */
export const setupTexts = {
  en: {
    intro: 'Setup in four steps. Press Enter for the suggestion; Ctrl-C stops, and what is done stays.',
    folder: '1. Vault',
    clients: '2. AI tools',
    model: '3. Model',
    memory: '4. First memory',
    askFolder: (suggested: string) =>
      `Folder for your vault; an existing folder of notes is fine [${suggested}]: `,
    askAdopt: (folder: string, count: string) =>
      `${folder} contains ${count} files. Use it as your vault? No file in it is changed. [Y/n] `,
    created: (folder: string) => `created a vault in ${folder}`,
    adopted: (folder: string) => `adopted ${folder}; only .keepsake/ was added`,
    already: (folder: string) => `${folder} is your vault`,
    noFolder: 'no folder was chosen; nothing was changed',
    consent: (title: string) => `${title} may then search, read and write the notes of your vault.`,
    recording: {
      linked:
        'From now on, in folders you link, your prompts and the last answers are stored in the vault, on this machine.',
      everywhere:
        'From now on, in all folders, your prompts and the last answers are stored in the vault, on this machine.',
      never: 'Your prompts and answers are not recorded.',
    },
    details: (name: string) => `Files and commands: keepsake connect ${name}`,
    hooks:
      'then, once: start codex, type /hooks and trust the keepsake hooks; without that, sessions have no brief',
    askConnect: (title: string) => `Connect ${title}? [Y/n] `,
    connected: (title: string) => `${title} is connected`,
    noCommand: (title: string, command: string, name: string) =>
      `${title}: the command ${command} was not found; later: keepsake connect ${name} --write`,
    noClients: 'no AI tool was found; later: keepsake connect',
    hasModel: (name: string) => `${name} is chosen`,
    whyModel:
      'Your AI tools bring their own model. With a model of its own, Keepsake also files what you add from here and answers questions.',
    found: (models: string) => `on this machine: ${models}`,
    askModel: 'Model as provider/name (Enter: none): ',
    badModel: (name: string) => `${name} names no provider; write it as ollama/qwen3 or claude-code/sonnet`,
    noModel: 'no model; later: keepsake config model <provider>/<name>',
    askMemory: 'Something worth remembering, in one line (Enter: skip): ',
    noMemory: 'skipped; later: keepsake add "…"',
    skipped: 'skipped',
    failed: (what: string, reason: string) => `error: ${what}: ${reason}`,
    stopped: 'stopped; what is done stays',
    continue: 'continue with: keepsake setup',
    next: 'Next:',
    tell: (title: string) => `in a new session of ${title}, say: "Remember that …"; then ask another tool`,
    tellNobody: 'connect an AI tool: keepsake connect',
    link: 'to have the sessions in a repository recorded, in its folder: keepsake link <project>',
    open: 'look at it in the browser: keepsake serve',
  },
  fr: {
    intro:
      'Installation en quatre étapes. Entrée accepte la proposition ; Ctrl-C arrête, et ce qui est fait reste.',
    folder: '1. Coffre',
    clients: '2. Outils d’IA',
    model: '3. Modèle',
    memory: '4. Premier souvenir',
    askFolder: (suggested: string) =>
      `Dossier de votre coffre ; un dossier de notes existant convient [${suggested}] : `,
    askAdopt: (folder: string, count: string) =>
      `${folder} contient ${count} fichiers. L’utiliser comme coffre ? Aucun fichier n’est modifié. [O/n] `,
    created: (folder: string) => `coffre créé dans ${folder}`,
    adopted: (folder: string) => `${folder} adopté ; seul .keepsake/ a été ajouté`,
    already: (folder: string) => `${folder} est votre coffre`,
    noFolder: 'aucun dossier choisi ; rien n’a été modifié',
    consent: (title: string) =>
      `${title} pourra alors chercher, lire et écrire dans les notes de votre coffre.`,
    recording: {
      linked:
        'Désormais, dans les dossiers que vous liez, vos demandes et les dernières réponses sont conservées dans le coffre, sur cette machine.',
      everywhere:
        'Désormais, dans tous les dossiers, vos demandes et les dernières réponses sont conservées dans le coffre, sur cette machine.',
      never: 'Vos demandes et les réponses ne sont pas enregistrées.',
    },
    details: (name: string) => `Fichiers et commandes : keepsake connect ${name}`,
    hooks:
      'puis, une fois : lancez codex, tapez /hooks et approuvez les hooks de keepsake ; sinon les sessions n’ont pas de résumé',
    askConnect: (title: string) => `Connecter ${title} ? [O/n] `,
    connected: (title: string) => `${title} est connecté`,
    noCommand: (title: string, command: string, name: string) =>
      `${title} : la commande ${command} est introuvable ; plus tard : keepsake connect ${name} --write`,
    noClients: 'aucun outil d’IA trouvé ; plus tard : keepsake connect',
    hasModel: (name: string) => `${name} est choisi`,
    whyModel:
      'Vos outils d’IA apportent leur propre modèle. Avec un modèle à lui, Keepsake classe aussi ce que vous ajoutez ici et répond aux questions.',
    found: (models: string) => `sur cette machine : ${models}`,
    askModel: 'Modèle sous la forme fournisseur/nom (Entrée : aucun) : ',
    badModel: (name: string) =>
      `${name} ne nomme aucun fournisseur ; écrivez par exemple ollama/qwen3 ou claude-code/sonnet`,
    noModel: 'aucun modèle ; plus tard : keepsake config model <fournisseur>/<nom>',
    askMemory: 'Quelque chose à retenir, en une ligne (Entrée : passer) : ',
    noMemory: 'passé ; plus tard : keepsake add "…"',
    skipped: 'passé',
    failed: (what: string, reason: string) => `erreur : ${what} : ${reason}`,
    stopped: 'arrêté ; ce qui est fait reste',
    continue: 'pour continuer : keepsake setup',
    next: 'Ensuite :',
    tell: (title: string) =>
      `dans une nouvelle session de ${title}, dites : « Retiens que … » ; puis demandez-le à un autre outil`,
    tellNobody: 'connecter un outil d’IA : keepsake connect',
    link: 'pour enregistrer les sessions d’un dépôt, dans son dossier : keepsake link <projet>',
    open: 'tout voir dans le navigateur : keepsake serve',
  },
};

export type SetupTexts = (typeof setupTexts)['en'];
