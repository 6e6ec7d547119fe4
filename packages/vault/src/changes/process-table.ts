import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { darwinCalls, windowsCalls } from '../vault/index.ts';

/** Information about the processes of this system. */
export type ProcessTable = {
  /** Identifies the scope of a pid: host, boot and pid namespace. */
  hostId: string;
  exists(pid: number): boolean;
  /** The start time of a process in the units of the system; empty where it is unknown. */
  startTime(pid: number): string;
};

export function processTable(): ProcessTable {
  if (process.platform === 'darwin') return darwinTable();
  if (process.platform === 'win32')
    return { hostId: hostname(), exists, startTime: (pid) => windowsCalls().processStartTime(pid) };
  if (process.platform !== 'linux') return { hostId: hostname(), exists, startTime: () => '' };
  return {
    hostId: [hostname(), ...linuxHostId()].join(' '),
    // A zombie stays in the table until its parent reaps it, which some containers never do.
    exists: (pid) => exists(pid) && !/^[ZX]$/.test(linuxStat(pid)[0] ?? ''),
    startTime: (pid) => linuxStat(pid)[19] ?? '',
  };
}

/** The host name of a Mac changes with its network, so it is identified by its boot. */
function darwinTable(): ProcessTable {
  const { bootSession, processStartTime } = darwinCalls();
  return { hostId: `boot ${bootSession() || hostname()}`, exists, startTime: processStartTime };
}

function linuxHostId(): string[] {
  return [
    readOrEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    readOrEmpty(() => readlinkSync('/proc/self/ns/pid')),
  ];
}

/** The fields from the third on; the second, the command name in parentheses, may contain any character. */
function linuxStat(pid: number): string[] {
  const stat = readOrEmpty(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Returns an empty string if `/proc` is not accessible. */
function readOrEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
