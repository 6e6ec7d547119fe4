import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { nodeCommand } from '../../packages/service/src/cli/node.ts';
import { createCli } from '../run-command.ts';

type Service = { command?: string[]; environment?: Record<string, string>; volumes?: string[] };

it('the cluster example uses only existing environment variables and options of a node', () => {
  const text = readFileSync('packages/service/cluster.yaml', 'utf8');
  const { services, volumes } = parse(text, { merge: true }) as {
    services: Record<string, Service>;
    volumes: object;
  };
  const read = readFileSync('packages/service/src/hosting/open-service.ts', 'utf8').matchAll(
    /requireVariable\(\s*'(\w+)'/g,
  );
  const needed = [...read].map(([, name]) => name);
  expect(needed.length).toBeGreaterThan(4);
  const node = nodeCommand(createCli());
  const known = node.options.map(({ long }) => long);
  for (const name of ['node-a', 'node-b']) {
    const { command = [], environment = {} } = services[name] ?? {};
    expect(new Set(Object.keys(environment))).toEqual(new Set(needed));
    expect(command[0]).toBe('node');
    const given = command.filter((word) => word.startsWith('--'));
    expect(given.length).toBeGreaterThan(0);
    for (const option of given) expect(known).toContain(option);
  }
  const named = Object.values(services).flatMap(
    (service) => service.volumes?.map((volume) => volume.split(':')[0]) ?? [],
  );
  expect(new Set(named)).toEqual(new Set(Object.keys(volumes)));
});
