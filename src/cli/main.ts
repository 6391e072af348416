#!/usr/bin/env node
import process from 'node:process';
import { runCli } from './run-cli.js';

// The process ends by itself, once all output is written.
process.exitCode = await runCli(process.argv.slice(2), process);
