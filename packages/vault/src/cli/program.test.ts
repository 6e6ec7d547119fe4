import { expect, it } from 'vitest';
import { createCli } from '../../../../test/run-command.ts';
import { buildProgram } from './program.ts';

it('loads only what belongs to the command that is called, by its name or an alias', async () => {
  const whole = await buildProgram(createCli());
  expect(whole.commands.length).toBeGreaterThan(20);
  for (const command of whole.commands)
    for (const name of [command.name(), ...command.aliases()]) {
      if (name === 'completion') continue; // it describes all of them
      const part = await buildProgram(createCli(), name);
      expect(part.commands.map((each) => each.name())).toContain(command.name());
      expect(part.commands.length).toBeLessThan(10);
    }
});

it('has all commands for what is none', async () => {
  const whole = await buildProgram(createCli(), 'raed');
  expect(whole.commands.map((command) => command.name())).toContain('read');
});
