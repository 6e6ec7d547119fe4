export { launcherFile, renewLauncher, writeLauncher } from './launcher.ts';
export { ownCommand, scriptCommand } from './own-command.ts';
export { isSingleExecutable, programsFolder } from './single-executable.ts';
