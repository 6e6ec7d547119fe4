#!/usr/bin/env node
import { processIo, runProgram } from '../../../vault/src/cli/index.ts';
import { benchmarkProgram } from './program.ts';

process.exitCode = await runProgram(benchmarkProgram, process.argv.slice(2), processIo());
