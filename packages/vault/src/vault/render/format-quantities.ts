import type { LocalTime } from '../../contract/index.ts';

/** `420`, `18.3k`, `1.2M`; a dash for null. */
export function formatTokens(tokens: number | null): string {
  if (tokens === null) return '—';
  if (tokens < 1000) return String(tokens);
  return tokens < 999_950 ? `${(tokens / 1000).toFixed(1)}k` : `${(tokens / 1_000_000).toFixed(1)}M`;
}

/** `512 B`, `64.0 kB`, `1.0 GB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_950) return `${(bytes / 1e3).toFixed(1)} kB`;
  return bytes < 999_950_000 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

/** `1 file`, `3 files`. */
export function pluralize(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** `2025-07-14 18:30` */
export function formatTime(time: LocalTime): string {
  return time.slice(0, 16).replace('T', ' ');
}
