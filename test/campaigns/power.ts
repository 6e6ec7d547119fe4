import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { leftovers, Place } from './scenario.ts';

const kinds = ['ext4', 'xfs'] as const;
type Kind = (typeof kinds)[number];

/** How often the power of one file system is cut before it is recreated. */
const lossesEach = 25;

/**
 * Simulates power losses of small file systems (ext4 and xfs) at random times while a process writes numbered entries,
 * and mounts them again. Every acknowledged number must exist, and nothing may be torn.
 */
export async function powerCampaign(count: number): Promise<number> {
  const reason = whyNot();
  if (reason !== null) {
    console.log(`power: skipped, because ${reason}`);
    return 0;
  }
  const shares = [Math.ceil(count / 2), Math.floor(count / 2)];
  const ended = await Promise.all(kinds.map((kind, index) => lossesOn(kind, shares[index] ?? 0)));
  const [failures, acknowledged, idle] = (['failures', 'acknowledged', 'idle'] as const).map((what) =>
    ended.reduce((sum, each) => sum + each[what], 0),
  ) as [number, number, number];
  console.log(
    `power: ${count} losses on ${kinds.join(' and ')}, ${acknowledged} notes were acknowledged before them, none before ${idle}`,
  );
  // On a busy machine, some losses precede the first write; too many of those would prove nothing.
  return failures + (acknowledged < count / 2 ? 1 : 0);
}

async function lossesOn(
  kind: Kind,
  count: number,
): Promise<{ failures: number; acknowledged: number; idle: number }> {
  const total = { failures: 0, acknowledged: 0, idle: 0 };
  for (let loss = 0; loss < count;) {
    const disk = new Disk(kind);
    try {
      for (let isSound = true; isSound && loss < count; loss += 1) {
        const { complaints, acknowledged } = await disk.lose(loss);
        for (const complaint of complaints) console.log(`FAILED loss ${loss} on ${kind}: ${complaint}`);
        total.acknowledged += acknowledged;
        if (acknowledged === 0) total.idle += 1;
        if (complaints.length > 0) total.failures += 1;
        isSound = complaints.length === 0 && (loss + 1) % lossesEach !== 0;
      }
    } finally {
      disk.remove();
    }
  }
  return total;
}

function whyNot(): string | null {
  if (process.getuid?.() !== 0) return 'mounting needs root';
  for (const tool of ['mkfs.ext4', 'mkfs.xfs', 'xfs_io'])
    if (spawnSync('which', [tool]).status !== 0) return `${tool} is not installed`;
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

  constructor(kind: Kind, folder: string) {
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
    const isUnmounted = patiently(() => spawnSync('umount', [this.mountPoint]).status === 0);
    // A process with its own mount namespace that started meanwhile also holds this mount, and with it the old state.
    const isFree = (): boolean => execFileSync('losetup', ['-j', this.image]).length === 0;
    if (!isUnmounted || !patiently(isFree)) throw new Error(`cannot unmount ${this.mountPoint}`);
  }
}

/** Waits for a condition for at most two minutes. */
function patiently(isDone: () => boolean): boolean {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    if (isDone()) return true;
    spawnSync('sleep', ['0.2']);
  }
  return false;
}

/** A vault on a separate file system, whose power is cut repeatedly. */
class Disk {
  readonly #folder = mkdtempSync(join(tmpdir(), 'keepsake-power-'));
  readonly #device: Device;
  readonly #place: Place;
  /** All numbers that were ever acknowledged on it. */
  readonly #acknowledged: number[] = [];

  constructor(kind: Kind) {
    this.#device = new Device(kind, this.#folder);
    this.#device.mount();
    this.#place = new Place(this.#device.mountPoint);
    this.#place.layOut();
    execFileSync('sync', ['--file-system', this.#device.mountPoint]);
  }

  async lose(seed: number): Promise<{ complaints: string[]; acknowledged: number }> {
    const { vault, state } = this.#place;
    const first = Math.max(0, ...this.#entries('log.md')) + 1;
    // One process that writes continuously, as a server does; each printed line is an acknowledgement.
    const writer = spawn(process.execPath, [
      join(import.meta.dirname, 'write-on.mjs'),
      vault,
      state,
      String(first),
    ]);
    let printed = '';
    writer.stdout.on('data', (data) => (printed += String(data)));
    // The power is sometimes cut before the first entry, but usually after some.
    if (seed % 10 !== 0) await Promise.race([once(writer.stdout, 'data'), once(writer, 'close')]);
    await sleep((seed * 7919) % 300);
    this.#device.cutPower();
    const acknowledged = printed
      .split('\n')
      .filter((line) => /^\d+$/.test(line))
      .map(Number);
    this.#acknowledged.push(...acknowledged);
    writer.kill('SIGKILL');
    if (writer.exitCode === null && writer.signalCode === null) await once(writer, 'close');
    this.#device.unmount();
    this.#device.mount();
    const complaints = [...(await this.#place.reopen()), ...leftovers(vault)];
    const [log, twin] = [this.#entries('log.md'), this.#entries('twin.md')];
    if (log.join() !== twin.join()) complaints.push('only one of the two files of a transaction was changed');
    const there = new Set(log);
    for (const number of this.#acknowledged)
      if (!there.has(number)) complaints.push(`entry ${number} was acknowledged but is missing`);
    return { complaints, acknowledged: acknowledged.length };
  }

  remove(): void {
    this.#device.unmount();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #entries(name: string): number[] {
    const file = join(this.#place.vault, name);
    if (!existsSync(file)) return [];
    return [...readFileSync(file, 'utf8').matchAll(/^entry (\d+) /gm)].map(([, number]) => Number(number));
  }
}
