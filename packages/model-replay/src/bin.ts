#!/usr/bin/env node
/** The program `model-replay`. */
import { main } from './cli/main.ts'

process.exitCode = await main(process.argv.slice(2), { out: console.log, err: console.error })
