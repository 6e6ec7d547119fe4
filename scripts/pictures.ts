/** Calls a tool on the example vault and returns its text. */
type Call = (tool: string, input: unknown) => Promise<string>;
type Panel = { title: string; lines: { text: string; style: 'said' | 'plain' | 'source' }[] };

const path = 'vault/projects/startup-x/changelog.md';
const entry =
  '## [decision] Drop the external API\nThe supplier cannot deliver before June. We build it ourselves.';

/**
 * Draws an animation: the user tells one AI tool a decision, it is stored in the vault, and another AI tool quotes it.
 */
export async function drawLoop(call: Call): Promise<string> {
  await call('append', { path, content: `# 2025-07-14\n\n${entry}`, position: 'top' });
  const quoted = await call('concat', { files: [{ path, lines: '9-10' }] });
  const [header = '', ...lines] = quoted.split('\n').filter((line) => line !== '' && line !== '```');
  const source = lines.map((text) => ({ text, style: 'source' as const }));
  if (source.length !== 2) throw new Error(`the example of docs/images/loop.svg has ${source.length} lines`);
  return drawPanels([
    {
      title: 'Claude Code',
      lines: [
        { text: '> We drop the external API: the supplier cannot deliver', style: 'said' },
        { text: '  before June. Remember that.', style: 'said' },
        { text: 'Saved to startup-x.', style: 'plain' },
      ],
    },
    { title: header.replace(/^`+/, '').replace(/ \(.*/, ''), lines: source },
    {
      title: 'Codex, a week later',
      lines: [
        { text: '> Why did we drop the external API?', style: 'said' },
        { text: 'The supplier could not deliver before June [1].', style: 'plain' },
        { text: header.replace(/^`+/, ''), style: 'plain' },
        ...source,
      ],
    },
  ]);
}

const width = 760;
const lineHeight = 20;

function drawPanels(panels: Panel[]): string {
  let top = 0;
  const drawn = panels.map(({ title, lines }, index) => {
    const height = 52 + lines.length * lineHeight;
    const rows = lines.map(
      ({ text, style }, row) =>
        `<text class="${style}" x="16" y="${54 + row * lineHeight}" xml:space="preserve">${escape(text)}</text>`,
    );
    const panel =
      `<g class="panel p${index}" transform="translate(0 ${top})">` +
      `<rect width="${width}" height="${height}" rx="8"/><text class="title" x="16" y="26">${escape(title)}</text>` +
      `${rows.join('')}</g>`;
    top += height + 16;
    return panel;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${top - 16}" role="img">
<style>
rect { fill: #16202e; }
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #dbe4ee; }
.title { font-weight: 600; fill: #8fb3d9; }
.said { fill: #f2c879; }
.source { fill: #a6d8a8; }
@media (prefers-reduced-motion: no-preference) {
.panel { animation: appear 12s infinite; }
.p1 { animation-name: appear-second; }
.p2 { animation-name: appear-third; }
}
@keyframes appear { 0% { opacity: 0.15 } 6%, 96% { opacity: 1 } 100% { opacity: 0.15 } }
@keyframes appear-second { 0%, 22% { opacity: 0.15 } 30%, 96% { opacity: 1 } 100% { opacity: 0.15 } }
@keyframes appear-third { 0%, 46% { opacity: 0.15 } 54%, 96% { opacity: 1 } 100% { opacity: 0.15 } }
</style>
${drawn.join('\n')}
</svg>
`;
}

/** A bar chart of the column "within 2,000 tokens" in the table of docs/search.md. */
export function drawRecall(page: string): string {
  const rows = [
    ...page.matchAll(/^\| ([\w-]+)(?:, German)? \(([\d,]+)\) \|(?: [\d.]+ \/ [\d.]+ \|){3} ([\d.]+) \//gm),
  ];
  if (rows.length !== 7)
    throw new Error(`docs/benchmark.md has ${rows.length} measured sets for docs/images/recall.svg`);
  const names: Record<string, string> = {
    PIAF: 'PIAF, French encyclopedia',
    LoCoMo: 'LoCoMo, English conversations',
    LifeBench: 'LifeBench, a year of four people',
    'BEAM-100K': 'BEAM, chats with an AI',
    'BEAM-500K': 'BEAM, five times as many',
    XQuAD: 'XQuAD, German encyclopedia',
    own: 'a personal vault',
  };
  const bars = rows.map(([, set = '', questions = '', recall = ''], index) => {
    const share = Number(recall);
    const y = 20 + index * 44;
    return (
      `<text x="0" y="${y + 19}">${escape(names[set] ?? set)} (${questions})</text>` +
      `<rect x="300" y="${y}" width="${Math.round(400 * share)}" height="28" rx="4"/>` +
      `<text class="value" x="${308 + Math.round(400 * share)}" y="${y + 19}">${(share * 100).toFixed(1)} %</text>`
    );
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${20 + rows.length * 44}" role="img">
<style>
text { font: 14px system-ui, sans-serif; fill: #57606a; }
.value { font-weight: 600; }
rect { fill: #3b82c4; }
@media (prefers-color-scheme: dark) { text { fill: #c5ced8; } }
</style>
${bars.join('\n')}
</svg>
`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
