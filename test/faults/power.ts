import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { leftovers, Place } from './scenario.ts';

/**
 * Cuts the power of a small file system (ext4 and xfs in turn) at a random moment while a process writes one numbered
 * note after another, mounts it again and looks: every number that was acknowledged is there, and nothing is torn.
 */
export async function powerCampaign(count: number): Promise<number> {
  const reason = whyNot();
  if (reason !== null) {
    console.log(`power: skipped, because ${reason}`);
    return 0;
  }
  let [failures, acknowledged] = [0, 0];
  for (let cycle = 0; cycle < count; cycle += 1) {
    const kind = cycle % 2 === 0 ? 'ext4' : 'xfs';
    const result = await onePowerLoss(kind, cycle);
    acknowledged += result.acknowledged;
    if (result.complaints.length > 0) failures += 1;
    for (const complaint of result.complaints) console.log(`FAILED cycle ${cycle} on ${kind}: ${complaint}`);
  }
  console.log(`power: ${count} losses, ${acknowledged} notes had been acknowledged before them`);
  return failures + (acknowledged < count ? 1 : 0);
}

function whyNot(): string | null {
  if (process.getuid?.() !== 0) return 'mounting needs root';
  for (const tool of ['mkfs.ext4', 'mkfs.xfs', 'xfs_io'])
    if (spawnSync('which', [tool]).status !== 0) return `there is no ${tool} on this machine`;
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-mount-'));
  const device = new Device('ext4', folder);
  const error = device.tryMount();
  if (error === null) device.unmount();
  rmSync(folder, { recursive: true, force: true });
  return error === null ? null : `a loop mount is not permitted (${error})`;
}

class Device {
  readonly image: string;
  readonly mountPoint: string;

  constructor(kind: 'ext4' | 'xfs', folder: string) {
    this.image = join(folder, 'image');
    this.mountPoint = join(folder, 'mount');
    mkdirSync(this.mountPoint);
    execFileSync('truncate', ['-s', kind === 'xfs' ? '300M' : '64M', this.image]);
    execFileSync(`mkfs.${kind}`, ['-q', this.image]);
  }

  tryMount(): string | null {
    const { status, stderr } = spawnSync('mount', ['-o', 'loop', this.image, this.mountPoint], {
      encoding: 'utf8',
    });
    return status === 0 ? null : stderr.trim();
  }

  mount(): void {
    const error = this.tryMount();
    if (error !== null) throw new Error(error);
  }

  cutPower(): void {
    execFileSync('xfs_io', ['-x', '-c', 'shutdown', this.mountPoint]);
  }

  unmount(): void {
    for (let attempt = 0; attempt < 50; attempt += 1)
      if (spawnSync('umount', [this.mountPoint]).status === 0) return;
    throw new Error(`cannot unmount ${this.mountPoint}`);
  }
}

async function onePowerLoss(
  kind: 'ext4' | 'xfs',
  seed: number,
): Promise<{ complaints: string[]; acknowledged: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-power-'));
  const device = new Device(kind, folder);
  device.mount();
  const place = new Place(device.mountPoint);
  place.layOut();
  execFileSync('sync');

  // One process that writes on and on, as a service does; each line it prints is an acknowledgement.
  const writer = spawn(process.execPath, [
    join(import.meta.dirname, 'write-on.mjs'),
    place.vault,
    place.state,
  ]);
  let printed = '';
  writer.stdout.on('data', (data) => (printed += String(data)));
  // Sometimes before the first entry, mostly after some.
  if (seed % 10 !== 0) await once(writer.stdout, 'data');
  await sleep((seed * 7919) % 500);
  device.cutPower();
  const acknowledged = printed
    .split('\n')
    .filter((line) => /^\d+$/.test(line))
    .map(Number);
  writer.kill('SIGKILL');
  await new Promise((done) => writer.on('close', done));
  device.unmount();
  device.mount();

  const complaints: string[] = [];
  place.run(['tree']);
  complaints.push(...leftovers(place.vault));
  const [log, twin] = ['log.md', 'twin.md'].map((name) => entriesIn(join(place.vault, name))) as [
    number[],
    number[],
  ];
  if (log.join() !== twin.join()) complaints.push('one transaction changed two files, and only one has it');
  for (const number of acknowledged)
    if (!log.includes(number)) complaints.push(`entry ${number} was acknowledged and is not there`);
  device.unmount();
  rmSync(folder, { recursive: true, force: true });
  return { complaints, acknowledged: acknowledged.length };
}

function entriesIn(file: string): number[] {
  if (!existsSync(file)) return [];
  return [...readFileSync(file, 'utf8').matchAll(/^entry (\d+) /gm)].map(([, number]) => Number(number));
}
