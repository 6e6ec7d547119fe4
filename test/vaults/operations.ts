import { readFileSync } from 'node:fs';

type Operation = { method: string; path: string; isOpen: boolean; isChange: boolean };
type Described = { security: { token?: string[] }[] };

/** Every operation of the OpenAPI document. */
const operations: Operation[] = Object.entries(
  (
    JSON.parse(readFileSync('docs/reference/openapi.json', 'utf8')) as {
      paths: Record<string, Record<string, Described>>;
    }
  ).paths,
).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { security }]) => ({
    method: method.toUpperCase(),
    path,
    isOpen: security.length === 0,
    isChange: security.some(({ token }) => token?.includes('write') === true),
  })),
);
export const shut = operations.filter(({ isOpen }) => !isOpen);
/** Operations on a user's own passkeys and grants. */
const ownAffair = /passkeys|grants|^\/consent\//;
export const changes = shut.filter(({ isChange, path }) => isChange && !ownAffair.test(path));

const addressOf = (path: string): string =>
  path
    .replace('{vault}', 'default')
    .replace('{path}', 'a.md')
    .replace('{tool}', 'write')
    .replaceAll(/\{\w+\}/g, 'd5b5f1a2-0000-4000-8000-000000000000');

/** The operations that were not rejected with this status. */
export async function admitted(
  tried: readonly Operation[],
  refused: number,
  ask: (path: string, method: string) => Promise<Response>,
): Promise<string[]> {
  const all = [];
  for (const { method, path } of tried) {
    const response = await ask(addressOf(path), method);
    await response.body?.cancel();
    if (response.status !== refused) all.push(`${method} ${path}: ${response.status}`);
  }
  return all;
}
