import { createRequire } from 'node:module';
import type Koffi from 'koffi';
import { once } from './once.ts';
import type { ProcessUsage } from './process-usage.ts';

/** Functions of macOS that Node.js does not offer. */
type DarwinCalls = {
  /** Identifies the time since the machine was started; empty if it is unknown. */
  bootSession: () => string;
  /** When a process started, in seconds and microseconds; empty if it cannot be inspected. */
  processStartTime: (pid: number) => string;
  processUsage: (pid: number) => ProcessUsage | null;
};

/** Loaded on first use, and only on macOS. */
export const darwinCalls = once(loadDarwinCalls);

/** Kinds of information and the structures that they fill, from <sys/proc_info.h>. */
const basicInfo = { kind: 3, bytes: 136, startSeconds: 120, startMicroseconds: 128 };
const taskInfo = { kind: 4, bytes: 96, residentBytes: 8, userTime: 16, systemTime: 24 };

function loadDarwinCalls(): DarwinCalls {
  const koffi = createRequire(import.meta.url)('koffi') as typeof Koffi;
  const library = koffi.load(null);
  const sysctl = library.func(
    'int sysctlbyname(const char *, _Out_ uint8 *, _Inout_ size_t *, void *, size_t)',
  );
  const processInfo = library.func('int proc_pidinfo(int, int, uint64, _Out_ uint8 *, int)');
  const timebaseInfo = library.func('int mach_timebase_info(_Out_ uint32 *)');
  const timebase = Buffer.alloc(8);
  timebaseInfo(timebase);
  const nanosecondsPerTick = timebase.readUInt32LE(0) / timebase.readUInt32LE(4);
  const readInfo = (pid: number, { kind, bytes }: { kind: number; bytes: number }): Buffer | null => {
    const info = Buffer.alloc(bytes);
    return (processInfo(pid, kind, 0, info, bytes) as number) < bytes ? null : info;
  };
  return {
    bootSession() {
      const text = Buffer.alloc(64);
      const isKnown = sysctl('kern.bootsessionuuid', text, [text.length], null, 0) === 0;
      return isKnown ? text.toString('latin1', 0, text.indexOf(0)) : '';
    },
    processStartTime(pid) {
      const info = readInfo(pid, basicInfo);
      if (info === null) return '';
      const { startSeconds, startMicroseconds } = basicInfo;
      return `${info.readBigUInt64LE(startSeconds)}.${info.readBigUInt64LE(startMicroseconds)}`;
    },
    processUsage(pid) {
      const info = readInfo(pid, taskInfo);
      if (info === null) return null;
      const ticks = info.readBigUInt64LE(taskInfo.userTime) + info.readBigUInt64LE(taskInfo.systemTime);
      return {
        memoryBytes: Number(info.readBigUInt64LE(taskInfo.residentBytes)),
        cpuMs: (Number(ticks) * nanosecondsPerTick) / 1e6,
      };
    },
  };
}
