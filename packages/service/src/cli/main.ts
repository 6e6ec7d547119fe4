#!/usr/bin/env node
import { processIo, runProgram } from '../../../vault/src/cli/index.ts';
import { serviceProgram } from './program.ts';

process.exitCode = await runProgram(serviceProgram, process.argv.slice(2), processIo());
