import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  doorOf,
  exportsOf,
  files,
  functions,
  imports,
  inside,
  originOf,
  roomOf,
  textOf,
} from './module-graph.ts';

type Room = { mayImport: string[]; fileSystem: string };

/** The table «Room | May import | node:fs» of ARCHITECTURE.md. */
const table = new Map<string, Room>(
  [...readFileSync('ARCHITECTURE.md', 'utf8').matchAll(/^\| `([\w/]+)` \| ([^|]+) \| (\w+|—) \|/gm)].map(
    ([, room = '', list = '', fileSystem = '']) => [
      room,
      { mayImport: [...list.matchAll(/`([\w/]+)`/g)].map(([, name = '']) => name), fileSystem },
    ],
  ),
);
const rooms = [...new Set(files.map(roomOf))].toSorted();
const crossing = inside.filter(({ from, to }) => roomOf(from) !== roomOf(to));

describe('the modules', () => {
  it('match the table of ARCHITECTURE.md', () => {
    expect([...table.keys()].toSorted()).toEqual(rooms);
  });

  it('import exactly the modules that the table allows, resolving re-exports to the defining module', () => {
    const used = new Map(rooms.map((room) => [room, new Set<string>()]));
    for (const { from, to, names } of crossing)
      for (const name of names) used.get(roomOf(from))?.add(roomOf(name === '*' ? to : originOf(to, name)));
    const shown = (of: (room: string) => Iterable<string>) =>
      rooms.map((room) => `${room}: ${[...of(room)].toSorted().join(', ')}`);
    expect(shown((room) => used.get(room) ?? [])).toEqual(shown((room) => table.get(room)?.mayImport ?? []));
    expect(crossing.length).toBeGreaterThan(100);
  });

  it('are imported only through their index.ts', () => {
    expect(crossing.filter(({ to }) => to !== doorOf(roomOf(to)))).toEqual([]);
  });

  it('export only their own names from index.ts', () => {
    const doors = rooms.map(doorOf).filter((door) => files.includes(door));
    const foreign = doors.flatMap((door) =>
      exportsOf(door)
        .filter((name) => roomOf(originOf(door, name)) !== roomOf(door))
        .map((name) => `${door}: ${name}`),
    );
    expect(foreign).toEqual([]);
    expect(doors.length).toBeGreaterThan(10);
  });

  it('have no import cycles among their files', () => {
    const targets = new Map(
      files.map((file) => [file, inside.filter(({ from }) => from === file).map(({ to }) => to)]),
    );
    const done = new Set<string>();
    const visit = (file: string, trail: string[]): void => {
      if (trail.includes(file)) throw new Error(`cycle: ${[...trail, file].join(' → ')}`);
      if (done.has(file)) return;
      for (const next of targets.get(file) ?? []) visit(next, [...trail, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);
    expect(done.size).toBe(files.length);
  });
});

describe('architecture invariants', () => {
  const usesOfFileSystem = imports.filter(({ to }) => /^(node:)?fs(\/promises)?$/.test(to));
  const writes =
    /^(write|append|mkdir|rm|rename|link|symlink|unlink|copyFile|cp|truncate|ftruncate|fchmod|chmod|chown|utimes|createWriteStream|\*)/;
  const writing = usesOfFileSystem.filter(({ names }) => names.some((name) => writes.test(name)));

  it('the table states for every module whether it reads or writes files', () => {
    const uses = rooms.map((room) => {
      const isIn = ({ from }: { from: string }): boolean => roomOf(from) === room;
      return `${room}: ${writing.some(isIn) ? 'writes' : usesOfFileSystem.some(isIn) ? 'reads' : '—'}`;
    });
    expect(uses).toEqual(rooms.map((room) => `${room}: ${table.get(room)?.fileSystem}`));
  });

  it('only changes/ writes to a vault and init creates one; others write their own state, models, backups and temporary copies', () => {
    const outside = writing.filter(({ from }) => roomOf(from) !== 'changes').map(({ from }) => from);
    expect([...new Set(outside)].toSorted()).toEqual([
      'packages/benchmark/src/cli/evaluate.ts',
      'packages/benchmark/src/cli/write-card.ts',
      'packages/benchmark/src/eval/evaluate-answers.ts',
      'packages/benchmark/src/eval/evaluate-filing.ts',
      'packages/benchmark/src/eval/evaluate-retrieval.ts',
      'packages/benchmark/src/eval/evaluate-system.ts',
      'packages/benchmark/src/eval/generate/write-set.ts',
      'packages/benchmark/src/eval/import/imported-set.ts',
      'packages/benchmark/src/eval/systems/keepsake-system.ts',
      'packages/benchmark/src/eval/vault-identity.ts',
      'packages/service/src/hosting/hosted-vault.ts',
      'packages/service/src/hosting/materialize-vault.ts',
      'packages/service/src/hosting/recorded-workers.ts',
      'packages/service/src/hosting/restore-vault.ts',
      'packages/service/src/hosting/snapshots.ts',
      'packages/vault/src/app/agent-model.ts',
      'packages/vault/src/app/backup.ts',
      'packages/vault/src/app/chatgpt-account.ts',
      'packages/vault/src/app/claim-state.ts',
      'packages/vault/src/app/compile-cache.ts',
      'packages/vault/src/app/created-files.ts',
      'packages/vault/src/app/database-files.ts',
      'packages/vault/src/app/databases.ts',
      'packages/vault/src/app/ensure-vault.ts',
      'packages/vault/src/app/folder-marker.ts',
      'packages/vault/src/app/fsync.ts',
      'packages/vault/src/app/left-over-state.ts',
      'packages/vault/src/app/lost-database.ts',
      'packages/vault/src/app/mirror.ts',
      'packages/vault/src/app/past-vault.ts',
      'packages/vault/src/app/replace-file.ts',
      'packages/vault/src/app/restore-backup.ts',
      'packages/vault/src/app/write-configuration.ts',
      'packages/vault/src/cli/copy-demo.ts',
      'packages/vault/src/cli/edit-in-editor.ts',
      'packages/vault/src/cli/uninstall.ts',
      'packages/vault/src/connect/config-change.ts',
      'packages/vault/src/connect/plugin.ts',
      'packages/vault/src/executable/launcher.ts',
      'packages/vault/src/executable/unpack-program.ts',
      'packages/vault/src/forget/disposable-database.ts',
      'packages/vault/src/forget/git-repository.ts',
      'packages/vault/src/forget/intent.ts',
      'packages/vault/src/forget/state-files.ts',
      'packages/vault/src/hook/spool.ts',
      'packages/vault/src/import/conversion-cache.ts',
      'packages/vault/src/import/read-zip.ts',
      'packages/vault/src/models/download.ts',
      'packages/vault/src/models/install-runtime.ts',
      'packages/vault/src/models/program-folder.ts',
      'packages/vault/src/sessions/change-settings.ts',
      'packages/vault/src/sessions/claim-link-offer.ts',
      'packages/vault/src/sessions/lost-events.ts',
      'packages/vault/src/sessions/spool.ts',
      'packages/vault/src/vault/create-folders.ts',
      'packages/vault/src/vault/init.ts',
    ]);
  });

  it('only models/, server/, web/ and the service use the network', () => {
    const mayReach = (file: string): boolean =>
      ['service/hosting', 'models', 'server', 'web'].includes(roomOf(file));
    const network = /^(node:)?(net|http|https|http2|tls|dgram|dns)(\/.*)?$/;
    expect(imports.filter(({ to }) => network.test(to))).toEqual([]);
    const reaching = files.filter((file) =>
      /\bfetch\(|WebSocket|getBuiltinModule\('node:https?'\)/.test(textOf(file)),
    );
    expect(reaching.filter((file) => !mayReach(file))).toEqual([]);
  });

  it('only models/ imports the AI SDK and its providers, and only search/qmd/ imports QMD', () => {
    const sdk = /^(ai|@ai-sdk|ai-sdk-[\w-]+|@openrouter)(\/|$)/;
    const knowing = imports.filter(({ to }) => sdk.test(to)).map(({ from }) => from);
    expect(new Set(knowing.map(roomOf))).toEqual(new Set(['models']));
    expect(imports.filter(({ to }) => to.startsWith('@tobilu/')).map(({ from }) => from)).toEqual([
      'packages/vault/src/search/qmd/vendor.ts',
    ]);
  });

  it('only one file imports OpenTelemetry', () => {
    const knowing = imports.filter(({ to }) => to.startsWith('@opentelemetry/')).map(({ from }) => from);
    expect([...new Set(knowing)]).toEqual(['packages/service/src/telemetry/opentelemetry.ts']);
  });

  const starting = new Set(['packages/vault/src/cli/main.ts', 'packages/vault/src/cli/process-io.ts']);
  const boot = 'packages/vault/src/executable/boot.ts';

  it('only app/ reads the environment', () => {
    const readers = files.filter((file) => /process\.env|node:process/.test(textOf(file)));
    expect(readers.filter((file) => roomOf(file) !== 'app' && !starting.has(file))).toEqual([boot]);
    expect(readers).toContain('packages/vault/src/app/environment.ts');
  });

  it('commands get streams, arguments, working folder and signals as parameters', () => {
    const taking = /\bprocess\.(?:argv|cwd|exit\w*|off|on|once|std\w+)\b|\bconsole\./;
    const found = files.filter((file) => roomOf(file) === 'cli' && taking.test(textOf(file)));
    expect(new Set(found)).toEqual(starting);
  });

  it('contract/ imports nothing but zod, so that a browser can load it', () => {
    const outside = imports.filter(
      ({ from, to }) => roomOf(from) === 'contract' && !to.startsWith('packages/vault/src/contract/'),
    );
    expect(new Set(outside.map(({ to }) => to))).toEqual(new Set(['zod']));
  });

  it('hook/ and secrets/ load nothing but themselves and Node.js, so that a hook starts fast', () => {
    const own = /^(?:node:|packages\/vault\/src\/(?:hook|secrets)\/)/;
    const loaded = imports
      .filter(({ from }) => ['hook', 'secrets'].includes(roomOf(from)))
      .map(({ to }) => to);
    expect(loaded.filter((to) => !own.test(to))).toEqual([]);
    expect(loaded.length).toBeGreaterThan(5);
  });

  it('no module has mutable global state', () => {
    const keepers = files.filter((file) => /^(?:export )?(?:let|var) /m.test(textOf(file)));
    expect(keepers).toEqual([]);
  });

  it('a view has no method that writes', () => {
    const [, body = ''] =
      /export type VaultView = \{([\s\S]*?)\n\};/.exec(textOf('packages/vault/src/vault/vault-view.ts')) ??
      [];
    const methods = [...body.matchAll(/^ {2}(\w+)[<(:?]/gm)].map(([, name]) => name);
    expect(methods).toEqual([
      'withEntry',
      'read',
      'contents',
      'findLinkingNotes',
      'findTasks',
      'findMarks',
      'layout',
      'resolveCase',
      'suggestPath',
    ]);
  });
});

describe('the code', () => {
  const maxFunctionLines = 100;
  const maxFileLines = 400;
  /** The texts of the interface, one entry per sentence. */
  const textFiles = ['packages/vault/src/web/text/en.ts', 'packages/vault/src/web/text/fr.ts'];

  it('has no function longer than 100 lines', () => {
    const tooLong = functions.filter(({ lines }) => lines > maxFunctionLines);
    expect(tooLong.map(({ file, line, lines }) => `${file}:${line}: ${lines} lines`)).toEqual([]);
    expect(functions.length).toBeGreaterThan(files.length);
  });

  it('has no source file longer than 400 lines, except the texts of the interface', () => {
    const lineCount = (file: string): number => textOf(file).split('\n').length - 1;
    const tooLong = files.filter((file) => lineCount(file) > maxFileLines);
    expect(tooLong.toSorted()).toEqual(textFiles);
  });
});
