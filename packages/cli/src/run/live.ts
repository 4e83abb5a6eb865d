/** The lines at the bottom of a terminal that say which smokes run and for how long. */
import type { Paint } from './paint.ts'
import { oneLine } from './lines.ts'

/** Shows what runs. Where it is no terminal, only what `print` is given is shown. */
export interface Live {
  start(label: string): void
  end(label: string): void
  /** Lines that stay, above those that are live. */
  print(lines: readonly string[]): void
  /** Takes the live lines away; call it before the program ends. */
  close(): void
}

/** What a live display writes to. */
export interface Screen {
  write(text: string): void
  readonly columns: number
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const EVERY_MS = 100
/** More smokes than this are counted, not listed. */
const MAX_LINES = 8

/** @param screen null where nothing may be redrawn: a file, a pipe, CI. */
export function openLive(screen: Screen | null, print: (text: string) => void, paint: Paint): Live {
  if (screen === null)
    return { start() {}, end() {}, print: (lines) => print(lines.map((line) => `${line}\n`).join('')), close() {} }
  const running = new Map<string, number>()
  let drawn = 0
  let frame = 0
  const erase = () => (drawn === 0 ? '' : `\u001b[${drawn}A\u001b[0J`)
  const draw = (above = '') => {
    const lines = liveLines(running, frame, screen.columns, paint)
    screen.write(`${erase()}${above}${lines.map((line) => `${line}\n`).join('')}`)
    drawn = lines.length
  }
  const timer = setInterval(() => {
    frame++
    draw()
  }, EVERY_MS)
  timer.unref()
  return {
    start(label) {
      running.set(label, performance.now())
      draw()
    },
    end(label) {
      running.delete(label)
    },
    print: (lines) => draw(lines.map((line) => `${line}\n`).join('')),
    close() {
      clearInterval(timer)
      running.clear()
      draw()
    },
  }
}

function liveLines(running: ReadonlyMap<string, number>, frame: number, columns: number, paint: Paint): string[] {
  const entries = [...running]
  const lines = entries.slice(0, MAX_LINES).map(([label, since]) => {
    const elapsed = `${((performance.now() - since) / 1000).toFixed(1)} s`
    // One line each, whatever the width: a line that wraps could not be erased.
    const room = Math.max(1, columns - elapsed.length - 4)
    return `${paint.warn(FRAMES[frame % FRAMES.length] ?? '')} ${oneLine(label).slice(0, room)} ${paint.dim(elapsed)}`
  })
  return entries.length > MAX_LINES ? [...lines, paint.dim(`  and ${entries.length - MAX_LINES} more`)] : lines
}
