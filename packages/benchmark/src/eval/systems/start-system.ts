import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError } from '../../../../vault/src/app/index.ts';
import type { Environment } from '../../../../vault/src/app/index.ts';
import { readYaml } from '../read-yaml.ts';
import { startChildProgram } from './child-program.ts';
import { createFolderSystem, folderSystemNames } from './folder-systems.ts';
import { createKeepsakeSystem } from './keepsake-system.ts';
import { createLineSystem } from './line-protocol.ts';
import { createMcpSystem, mcpMapping } from './mcp-system.ts';
import type { SystemFactory } from './memory-system.ts';

export const bundledSystemNames = ['keepsake', ...folderSystemNames] as const;

/** Environment variables that a program gets besides those that its user names. */
const passedVariables = ['PATH', 'LANG', 'SystemRoot', 'APPDATA'];

type Options = {
  /** A bundled name, a mapping file of an MCP server (`.yaml`), or a command that speaks the line protocol. */
  system: string;
  environment: Environment;
  version: string;
  /** The folder from which the user runs the command; relative paths of the command are in it. */
  cwd: string;
  /** Environment variables of the user that the program gets, such as an API key. */
  pass: readonly string[];
  timeoutMs: number;
};

/** Returns a function that starts the system, each time in an empty folder of its own. */
export function createSystemFactory(options: Options): SystemFactory {
  const { system, environment, version, cwd, pass, timeoutMs } = options;
  if (system === 'keepsake')
    return (folder) => Promise.resolve(createKeepsakeSystem(folder, environment, version));
  const bundled = folderSystemNames.find((name) => name === system);
  if (bundled !== undefined) return () => Promise.resolve(createFolderSystem(bundled));
  const passed = Object.fromEntries(
    [...passedVariables, ...pass].flatMap((name) => {
      const value = environment.variables[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
  if (/\.ya?ml$/.test(system)) {
    const file = resolve(cwd, system);
    if (!existsSync(file))
      throw new AppError('bad-input', `there is no mapping file ${system}`, {
        hint: 'write one as in the README of keepsake-benchmark; those of its folder systems/ are given with the path of the installed package',
      });
    const mapping = readYaml(file, mcpMapping);
    const command = mapping.command.map((part) => absolute(part, cwd));
    const missing = mapping.command.find((part) => part.includes('/') && !existsSync(resolve(cwd, part)));
    if (missing !== undefined)
      throw new AppError(
        'bad-input',
        `${mapping.name} is not installed in this folder: ${missing} is missing`,
        {
          hint: `install it with: npm install --no-save ${mapping.package ?? mapping.name}`,
        },
      );
    return (folder) => {
      const set = Object.entries(mapping.environment).map(
        ([name, value]) => [name, value.replaceAll('{{folder}}', folder)] as const,
      );
      const variables = { ...passed, ...Object.fromEntries(set) };
      return createMcpSystem(mapping, startChildProgram({ command, folder, variables, timeoutMs }));
    };
  }
  const command = splitCommand(system).map((part) => absolute(part, cwd));
  if (command.length < 2 && !existsSync(command[0] ?? ''))
    throw new AppError('bad-input', `there is no system ${JSON.stringify(system)}`, {
      hint: `choose ${bundledSystemNames.join(', ')}, a mapping file, or a command such as "node my-memory.mjs"`,
    });
  return (folder) => {
    const { request, close } = startChildProgram({ command, folder, variables: passed, timeoutMs });
    return createLineSystem(request, close);
  };
}

/** Programs run in folders of their own, so files of the user's folder are named absolutely. */
function absolute(part: string, cwd: string): string {
  return existsSync(resolve(cwd, part)) && /[./\\]/.test(part) ? resolve(cwd, part) : part;
}

function splitCommand(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}
