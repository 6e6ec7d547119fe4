// The documentation site: docs/, the README and the other pages of the root, built by scripts/site.ts from the files themselves.
import { copyFileSync, existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { defineConfig } from 'vitepress';
import type { MarkdownRenderer } from 'vitepress';

const root = join(import.meta.dirname, '../..');
/** `owner/name` on GitHub. Without it nothing leads there. */
const repository = process.env['SITE_REPOSITORY'];
const adrs = globSync('docs/adr/0*.md', { cwd: root }).toSorted();
const tools = ['tree', 'read', 'today', 'search', 'concat', 'write', 'edit', 'append', 'move', 'delete'];
const groups: { text: string; pages: string[]; collapsed?: boolean }[] = [
  {
    text: 'Use',
    pages: [
      'README',
      ...docs(
        ...[
          'start',
          'find',
          'today',
          'write',
          'web',
          'agents',
          'import',
          'sync',
          'privacy',
          'forgetting',
          'problems',
        ].map((name) => `use/${name}`),
      ),
    ],
  },
  {
    text: 'Connect',
    pages: docs(...['ai-tools', 'sessions', 'remote', 'mcp', 'http'].map((name) => `connect/${name}`)),
  },
  {
    text: 'How it works',
    pages: docs('vault', 'search', 'upkeep', 'decisions', 'roadmap', 'reference/commands'),
  },
  {
    text: 'Tools',
    pages: docs('tools/README', ...tools.map((tool) => `tools/${tool}`)),
    collapsed: true,
  },
  {
    text: 'Operate and compare',
    pages: docs('platforms', 'operate/running', 'operate/hosting', 'operate/scale', 'benchmark'),
    collapsed: true,
  },
  {
    text: 'En français',
    pages: [
      'README.fr',
      ...docs(
        ...['vault', 'search', 'decisions', 'roadmap', 'tools/README'].map((name) => `fr/${name}`),
        ...tools.map((tool) => `fr/tools/${tool}`),
      ),
    ],
    collapsed: true,
  },
  {
    text: 'Build',
    pages: [
      'CHANGELOG',
      'CONTRIBUTING',
      'ARCHITECTURE',
      'GLOSSARY',
      'SECURITY',
      'AGENTS',
      ...docs('threat-model', 'dependencies', 'releasing'),
    ],
    collapsed: true,
  },
  {
    text: 'Decisions',
    pages: [...docs('adr/README'), ...adrs.map((file) => file.replace(/\.md$/, ''))],
    collapsed: true,
  },
];
/** Files that are no pages, and yet on the site. */
const copied = ['docs/reference/openapi.json', 'llms.txt'];
const base = repository === undefined ? '/' : `/${basename(repository)}/`;

export default defineConfig({
  title: 'Keepsake',
  description: 'Your own memory: a vault of plain Markdown files, open to every AI tool.',
  lang: 'en',
  srcDir: '..',
  outDir: '../site',
  cacheDir: '../node_modules/.vitepress',
  base,
  head: [['link', { rel: 'icon', href: `${base}icon.svg`, type: 'image/svg+xml' }]],
  srcExclude: ['!(docs)/**/*.md', 'docs/example-vault/**'],
  // VitePress would take every config.ts below for one of its own.
  additionalConfig: {},
  // Nor is vite.config.ts, which builds the web interface, for it.
  vite: { configFile: false },
  rewrites: Object.fromEntries(
    ['', 'docs/tools/', 'docs/fr/tools/', 'docs/adr/'].map((folder) => [
      `${folder}README.md`,
      `${folder}index.md`,
    ]),
  ),
  markdown: {
    anchor: { slugify: asGitHub },
    config: (renderer) => {
      followLinks(renderer);
      showPictures(renderer);
      keepBraces(renderer);
    },
  },
  themeConfig: {
    logo: { src: '/icon.svg', alt: '' },
    search: {
      provider: 'local',
      options: {
        // Who searches wants to know how it is, before how it came to be.
        miniSearch: {
          searchOptions: { boostDocument: (id) => (/\/adr\/|CHANGELOG/.test(String(id)) ? 0.2 : 1) },
        },
      },
    },
    nav: [page('docs/use/start'), page('docs/connect/ai-tools'), page('docs/reference/commands')],
    sidebar: groups.map(({ pages, ...group }) => ({ ...group, items: pages.map(page) })),
    outline: [2, 3],
    ...(repository === undefined
      ? {}
      : {
          socialLinks: [{ icon: 'github', link: `https://github.com/${repository}` }],
          editLink: { pattern: `https://github.com/${repository}/edit/main/:path` },
        }),
  },
  buildEnd: ({ outDir, pages }) => {
    const listed = new Set(groups.flatMap((group) => group.pages.map((each) => `${each}.md`)));
    const missing = pages.filter((each) => !listed.has(each));
    if (missing.length > 0) throw new Error(`docs/.vitepress/config.ts does not list ${missing.join(', ')}`);
    for (const file of copied) copyFileSync(join(root, file), join(outDir, file));
    copyFileSync(join(root, 'packages/vault/src/web/public/icon.svg'), join(outDir, 'icon.svg'));
  },
});

function docs(...names: string[]): string[] {
  return names.map((name) => `docs/${name}`);
}

function page(name: string): { text: string; link: string } {
  const [, text = name] = /^# (.+)$/m.exec(readFileSync(join(root, `${name}.md`), 'utf8')) ?? [];
  return { text: text.replaceAll('`', ''), link: `/${name.replace(/README$/, '')}` };
}

/** Anchors are the same on GitHub and here. */
function asGitHub(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** Links lead to files of the repository; those that are no pages here lead there, or are only text. */
function followLinks(renderer: MarkdownRenderer): void {
  renderer.core.ruler.push('links_to_files', ({ tokens, env }) => {
    const from = (env as { path: string }).path;
    for (const { children } of tokens) {
      let isLeft = false;
      for (const [index, token] of (children ?? []).entries()) {
        const href = token.attrGet('href') ?? '';
        if (token.type === 'link_open' && !/^(?:[a-z]+:|#)/.test(href)) {
          const address = addressOf(from, href);
          isLeft = address === undefined;
          token.attrSet('href', address ?? '');
          const shown = children?.[index + 1];
          // A page has a name here, and no path.
          if (shown?.content === href && href.endsWith('.md'))
            shown.content = page(relative(root, join(dirname(from), href)).replace(/\.md$/, '')).text;
        }
        if (!isLeft || !/^link_(?:open|close)$/.test(token.type)) continue;
        isLeft = token.type === 'link_open';
        token.type = 'text';
      }
    }
  });
}

function addressOf(from: string, href: string): string | undefined {
  const [path = '', anchor] = decodeURI(href).split('#');
  const target = join(dirname(from), path);
  const name = relative(root, target);
  if (!existsSync(target)) throw new Error(`${relative(root, from)} links to ${name}, which does not exist`);
  const isFolder = statSync(target).isDirectory();
  const listed = groups.some(({ pages }) =>
    pages.includes(isFolder ? join(name, 'README') : name.replace(/\.md$/, '')),
  );
  if (listed || copied.includes(name)) return href.replace(/README\.md(?=#|$)/, 'index.md');
  if (repository === undefined) return undefined;
  const kind = isFolder ? 'tree' : 'blob';
  return `https://github.com/${repository}/${kind}/main/${name}${anchor === undefined ? '' : `#${anchor}`}`;
}

/** Vue must not fill in `{{title}}` in code. */
function keepBraces(renderer: MarkdownRenderer): void {
  renderer.core.ruler.push('braces', ({ tokens }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? []))
      if (token.type === 'code_inline') token.attrSet('v-pre', '');
  });
}

/** Pictures follow what is chosen on the page, not what the system prefers. */
function showPictures(renderer: MarkdownRenderer): void {
  renderer.core.ruler.push('pictures', ({ tokens }) => {
    for (const token of tokens) {
      if (token.type !== 'html_block') continue;
      token.content = token.content
        .replaceAll(
          /<picture>\s*<source [^>]*srcset="([^"]+)">\s*<img alt="([^"]+)" src="([^"]+)">\s*<\/picture>/g,
          '<img class="in-dark" loading="lazy" alt="$2" src="$1"><img class="in-light" loading="lazy" alt="$2" src="$3">',
        )
        .replaceAll(/ src="(?![./]|https?:)/g, ' src="./');
    }
  });
}
