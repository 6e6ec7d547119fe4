import { expect, it } from 'vitest';
import { createCli, runCommand } from '../../../../test/run-command.ts';
import { buildProgram } from './program.ts';

it('the program loads only the command that is called, by its name or an alias', async () => {
  const whole = await buildProgram(createCli());
  expect(whole.commands.length).toBeGreaterThan(20);
  for (const command of whole.commands)
    for (const name of [command.name(), ...command.aliases()]) {
      if (name === 'completion') continue; // describes all commands
      const part = await buildProgram(createCli(), name);
      expect(part.commands.map((each) => each.name())).toContain(command.name());
      expect(part.commands.length).toBeLessThan(10);
    }
});

it('the program loads all commands if the command is unknown', async () => {
  const whole = await buildProgram(createCli(), 'raed');
  expect(whole.commands.map((command) => command.name())).toContain('read');
});

it('--help fits on a screen of 40 lines, and help all lists every command', async () => {
  const { out: short } = await runCommand(['--help']);
  const { out: long } = await runCommand(['help', 'all']);
  expect(short.trimEnd().split('\n').length).toBeLessThanOrEqual(40);
  expect(short.split('\n').filter((line) => line.length > 92)).toEqual([]);
  expect(short).toContain('keepsake help all');
  const listed = (help: string): string[] =>
    [...help.matchAll(/^ {2}([a-z][\w-]*)(?:\|| )/gm)].map(([, name = '']) => name).toSorted();
  const whole = await buildProgram(createCli());
  expect(listed(long).filter((name) => name !== 'help')).toEqual(
    whole.commands.map((command) => command.name()).toSorted(),
  );
  expect(listed(short)).toContain('connect');
  expect(listed(short)).not.toContain('completion');
});
