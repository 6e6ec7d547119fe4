import { useMemo } from 'react';
import { useLanguage, useText } from './use-text.ts';
import type { LanguageCode } from './use-text.ts';

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

/** Formats numbers, dates and amounts in the chosen language. */
export function useFormat() {
  const language = useLanguage();
  const { now } = useText().time;
  return useMemo(() => createFormat(language, now), [language, now]);
}

function createFormat(code: LanguageCode, now: string) {
  // Prefers the regional variant of the browser, because date formats differ.
  const language = navigator.languages.find((tag) => tag.startsWith(code)) ?? code;
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  const month = new Intl.DateTimeFormat(language, { month: 'short' });
  const shortDay = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', year: 'numeric' });
  const nearDay = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' });
  const monthOfYear = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric' });
  const shortWeekday = new Intl.DateTimeFormat(language, { weekday: 'short' });
  const clock = new Intl.DateTimeFormat(language, { timeStyle: 'short' });
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'long', day: 'numeric', month: 'long' });
  const longDay = new Intl.DateTimeFormat(language, { dateStyle: 'full' });
  const time = new Intl.DateTimeFormat(language, { timeStyle: 'medium' });
  const whole = new Intl.NumberFormat(language);
  const short = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 });
  const money = new Intl.NumberFormat(language, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    maximumFractionDigits: 4,
  });
  return {
    ago(at: number): string {
      const seconds = Math.round((Date.now() - at) / 1_000);
      if (seconds < 10) return now;
      if (seconds > 7 * 86_400) return day.format(at);
      const [unit, size] = steps.find(([, length]) => seconds >= length) ?? (['second', 1] as const);
      return relative.format(-Math.round(seconds / size), unit);
    },
    date: (at: number | string): string => {
      const value = new Date(at);
      return Number.isNaN(value.getTime()) ? String(at) : day.format(value);
    },
    /** The day without its year if that is this year; today, the time. */
    changedDay: (at: number): string => {
      const [then, today] = [new Date(at), new Date()];
      if (then.toDateString() === today.toDateString()) return clock.format(at);
      return (then.getFullYear() === today.getFullYear() ? nearDay : shortDay).format(at);
    },
    time: (at: number): string => time.format(at),
    clock: (at: number): string => clock.format(at),
    month: (date: string): string => month.format(localDate(date)),
    /** For example `November 2026`. */
    monthOfYear: (date: string): string => {
      const words = monthOfYear.format(localDate(date));
      return words.charAt(0).toUpperCase() + words.slice(1);
    },
    weekday: (date: string): string => shortWeekday.format(localDate(date)),
    /** For example `Wednesday, 18 November 2026`. */
    fullDay: (date: string): string => longDay.format(localDate(date)),
    /** A day close to now, without its year if it is this one. */
    nearDay: (date: string): string => (isThisYear(date) ? nearDay : shortDay).format(localDate(date)),
    shortDay: (date: string): string => shortDay.format(localDate(date)),
    /** Formats `2026-06-18` as today, yesterday, or with its weekday. */
    day: (date: string): string => {
      const then = localDate(date);
      const today = new Date();
      const ago = Math.round((today.setHours(0, 0, 0, 0) - then.getTime()) / 86_400_000);
      if (ago === 0 || ago === 1) return relative.format(-ago, 'day');
      return (then.getFullYear() === today.getFullYear() ? weekday : longDay).format(then);
    },
    number: (value: number): string => whole.format(value),
    short: (value: number): string => short.format(value),
    money: (value: number): string => money.format(value),
  };
}

function isThisYear(date: string): boolean {
  return Number(date.slice(0, 4)) === new Date().getFullYear();
}

/** The local start of a day such as `2026-06-18`. */
function localDate(date: string): Date {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return new Date(year, month - 1, day);
}
