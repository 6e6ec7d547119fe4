/** Generates the files that are published besides the package, from its package.json. */

export type Package = { name: string; version: string; description: string; license: string };

/** The GitHub repository of the release: `owner/name`. */
export type Repository = string;

export const platforms = ['darwin-arm64', 'darwin-x64', 'win32-x64', 'linux-x64'] as const;
export type Platform = (typeof platforms)[number];

/** The name in the MCP registry. package.json must contain the same name, which proves ownership. */
export function mcpName({ name }: Package, repository: Repository): string {
  return `io.github.${repository.split('/')[0]}/${name}`;
}

/** The published package.json, with the source repository. */
export function publishedPackage(source: Package, repository: Repository): object {
  const url = `git+${addressOf(repository)}.git`;
  return { ...source, mcpName: mcpName(source, repository), repository: { type: 'git', url } };
}

/** The server.json for the MCP registry. */
export function serverJson(source: Package, repository: Repository): object {
  const { name, version, description } = source;
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: mcpName(source, repository),
    title: 'Keepsake',
    description,
    version,
    repository: { url: addressOf(repository), source: 'github' },
    packages: [
      {
        registryType: 'npm',
        identifier: name,
        version,
        transport: { type: 'stdio' },
        packageArguments: [{ type: 'positional', value: 'mcp' }],
      },
    ],
  };
}

/** The manifest for Claude Desktop, which starts the bundled program and asks the user for the vault folder. */
export function bundleManifest(
  { name, version, description, license }: Package,
  repository: Repository,
  platform: Platform,
  node: string,
): object {
  const program = 'node_modules/keepsake-vault/dist/cli/main.js';
  return {
    manifest_version: '0.4',
    name,
    display_name: 'Keepsake',
    version,
    description,
    author: { name: 'Keepsake', url: addressOf(repository) },
    repository: { type: 'git', url: addressOf(repository) },
    license,
    server: {
      type: 'node',
      entry_point: program,
      mcp_config: {
        command: 'node',
        args: [`\${__dirname}/${program}`, 'mcp', '--vault', '${user_config.vault}'],
      },
    },
    tools_generated: true,
    prompts_generated: true,
    user_config: {
      vault: {
        type: 'directory',
        title: 'Vault',
        description: 'The folder of your notes; it may be empty',
        required: true,
      },
    },
    compatibility: { platforms: [platform.split('-')[0]], runtimes: { node } },
  };
}

/** The Homebrew formula for our own tap: npm installs the release tarball with Homebrew's Node.js. */
export function formula(
  { version, description, license }: Package,
  repository: Repository,
  tarball: { file: string; sha256: string },
): string {
  return `class Keepsake < Formula
  desc "${description.replace(/\.$/, '')}"
  homepage "${addressOf(repository)}"
  url "${addressOf(repository)}/releases/download/v${version}/${tarball.file}"
  sha256 "${tarball.sha256}"
  license "${license}"

  depends_on "git"
  depends_on "node@24"

  def install
    system "npm", "install", *std_npm_args
    (bin/"keepsake").write_env_script libexec/"bin/keepsake", PATH: "#{Formula["node@24"].opt_bin}:$PATH"
  end

  test do
    system bin/"keepsake", "init", testpath/"vault"
    assert_match "vault/overview.md", shell_output("#{bin}/keepsake read overview.md --vault #{testpath}/vault")
  end
end
`;
}

/** The changelog section of a version; undefined when there is none. */
export function notesFor(changelog: string, version: string): string | undefined {
  const [, ...sections] = changelog.split(/^## /m);
  const section = sections.find((each) => each.split(/\s/, 1)[0] === version);
  return section?.slice(section.indexOf('\n')).trim();
}

/** The page of the project. */
export function addressOf(repository: Repository): string {
  return `https://github.com/${repository}`;
}
