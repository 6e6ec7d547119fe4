// Bounded work: an archive that contains archives, as Notion makes them, does not take gigabytes of memory to be listed.
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { broken, held, needs, newVault, vault, world } from './lib/world.mjs';

needs('python3');
await newVault();
const bomb = join(world, 'export.zip');
writeFileSync(
  join(world, 'make.py'),
  `
import zipfile, io, sys
size = 700_000_000
inner = io.BytesIO()
with zipfile.ZipFile(inner, 'w', zipfile.ZIP_STORED) as z:
    with z.open('pad.md', 'w', force_zip64=True) as f:
        block = bytes(10_000_000)
        for _ in range(size // len(block)): f.write(block)
data = inner.getbuffer()
with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED, compresslevel=1) as z:
    for i in range(3):
        with z.open(f'part{i}.zip', 'w', force_zip64=True) as f: f.write(data)
`,
);
execFileSync('python3', [join(world, 'make.py'), bomb]);
const child = spawn(process.execPath, [process.env.KEEPSAKE, 'import', bomb, '--vault', vault, '--dry-run'], {
  env: process.env,
});
let said = '';
child.stdout.on('data', (part) => (said += part));
child.stderr.on('data', (part) => (said += part));
let maxMegabytes = 0;
const watching = setInterval(() => {
  try {
    maxMegabytes = Math.max(
      maxMegabytes,
      Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1000,
    );
  } catch {}
}, 50);
const limit = setTimeout(() => child.kill('SIGKILL'), 35_000);
const code = await new Promise((resolve) => child.on('close', resolve));
clearInterval(watching);
clearTimeout(limit);
console.error({ code, maxMegabytes, said: said.slice(0, 600), size: statSync(bomb).size });
if (maxMegabytes > 500)
  broken(
    `an archive of ${(statSync(bomb).size / 1e6).toFixed(0)} MB took ${Math.round(maxMegabytes)} MB of memory to be listed`,
  );
held();
