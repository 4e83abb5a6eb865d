/** `loader-smoke doctor`. */
import { EXIT } from '../exit-code.ts'
import { nodeFinding } from '../doctor/finding.ts'
import { oneLine } from '../run/lines.ts'
import { paintFor } from '../run/paint.ts'
import type { Flags } from '../usage/parse.ts'

/** Prints what was found, the wrong last; resolves with 1 when something is wrong. */
export async function doctor(flags: Flags): Promise<number> {
  const node = nodeFinding(process.versions.node)
  const rest = async () => (await import('../doctor/diagnose.ts')).diagnose(process.cwd(), flags)
  const findings = [node, ...(node.state === 'wrong' ? [] : await rest())]
  const wrong = findings.some(({ state }) => state === 'wrong')
  if (flags['json']) process.stdout.write(`${JSON.stringify(findings, null, 2)}\n`)
  else {
    const paint = paintFor(process.env, process.stdout.isTTY)
    const sign = { good: paint.good('✓'), note: paint.warn('!'), wrong: paint.bad('✗') }
    const width = Math.max(...findings.map(({ about }) => about.length))
    for (const { state, about, found, next } of findings) {
      process.stdout.write(`${sign[state]} ${about.padEnd(width)}  ${oneLine(found)}\n`)
      if (next !== undefined) process.stdout.write(`  ${''.padEnd(width)}  Next: ${oneLine(next)}\n`)
    }
    process.stdout.write(wrong ? `\nSomething is wrong: see the lines with ${sign.wrong}.\n` : '\nReady to run.\n')
  }
  return wrong ? EXIT.fail : EXIT.pass
}
