/** Lines of a program that runs, for a terminal or a log: whole, safe, each behind its label, so that those of several programs stay apart. */
import type { LoaderSmokeOptions } from '../config/options.ts'
import { type Surface, toSafeText } from './safe-text.ts'

/** Which stream a text came from. */
export type StreamName = 'stdout' | 'stderr'

/** How lines are shown. */
export interface LiveLinesOptions {
  /** Put before each line of the stream; not empty, so that no line of the program's begins one of the log. */
  readonly gutters: Readonly<Record<StreamName, string>>
  /** Colours of the program are kept; else text alone. */
  readonly colors: boolean
  /** Takes whole lines, without their line ends. */
  write(lines: readonly string[]): void
  /** What `write` writes to in the end: while much waits there for a slow reader, lines are counted and not kept. */
  readonly output?: Pick<NodeJS.WriteStream, 'writableLength'>
}

/** The lines of one run. */
export interface LiveLines {
  text(stream: StreamName, text: string): void
  /** Shows what has no line end yet; nothing follows. */
  end(): void
}

/** Of a longer line the beginning is shown, and how much more there is. In characters. */
const MAX_LINE = 8 * 1024
/** After so long without a change a line is shown that has no end yet (a question, dots), and at most so often one that is rewritten (a progress bar). */
const UNFINISHED_MS = 1_000
/** So much may wait for a slow reader. */
const MAX_WAITING_BYTES = 1024 * 1024

/** A line is what ends with a newline; of one that is rewritten by carriage returns, what was written last. */
export function liveLines({ gutters, colors, write, output }: LiveLinesOptions): LiveLines {
  let lost = 0
  const show = (stream: StreamName, lines: readonly string[]) => {
    if (output !== undefined && output.writableLength > MAX_WAITING_BYTES) {
      lost += lines.length
      return
    }
    const said = lost === 0 ? [] : [lostNote(lost)]
    lost = 0
    write([...said, ...safeLines(lines, { colors, gutter: gutters[stream] })])
  }
  const streams = {
    stdout: new OpenLine((lines) => show('stdout', lines)),
    stderr: new OpenLine((lines) => show('stderr', lines)),
  }
  return {
    text: (stream, text) => streams[stream].add(text),
    end() {
      streams.stdout.end()
      streams.stderr.end()
      if (lost > 0) write([lostNote(lost)])
      lost = 0
    },
  }
}

/** What stands before each line of a bin: whose it is, empty where no other bin prints, and a sign for its stream. The paints give colours, or the text as it is. */
export function gutters(
  whose: string,
  { dim, bad }: { readonly dim: (text: string) => string; readonly bad: (text: string) => string },
): LiveLinesOptions['gutters'] {
  const name = whose === '' ? '' : `${whose} `
  return { stdout: `${dim(`${name}│`)} `, stderr: `${dim(name)}${bad('┃')} ` }
}

/** A smoke whose output is shown while it runs. */
export interface ShownSmoke {
  readonly options: LoaderSmokeOptions
  /** Shows lines that have no end yet; call it when the smoke has ended. */
  end(): void
}

/** The smoke of `options` with its lines shown; a listener that it has of its own is told after that. */
export function shownLive(options: LoaderSmokeOptions, how: LiveLinesOptions): ShownSmoke {
  const lines = liveLines(how)
  return {
    options: {
      ...options,
      onOutput(stream, text) {
        lines.text(stream, text)
        options.onOutput?.(stream, text)
      },
    },
    end: () => lines.end(),
  }
}

/** A colour ends with its line: the next one may be of another stretch. Many lines without any are made safe at once, which is ten times faster. */
function safeLines(lines: readonly string[], surface: Surface): string[] {
  const all = lines.join('\n')
  return all.includes('\u001b') ? lines.map((line) => toSafeText(line, surface)) : toSafeText(all, surface).split('\n')
}

function lostNote(lines: number): string {
  return `[... ${lines} ${lines === 1 ? 'line' : 'lines'} left out: the reader of this output is slower than the program ...]`
}

/** The line of a stream that has no end yet. */
class OpenLine {
  readonly #show: (lines: readonly string[]) => void
  #text = ''
  /** Characters of the line that are not kept. */
  #more = 0
  #rewritten = false
  #partlyShown = false
  #changedAtMs = 0
  #timer: NodeJS.Timeout | undefined

  constructor(show: (lines: readonly string[]) => void) {
    this.#show = show
  }

  add(text: string): void {
    const pieces = text.split('\n')
    const last = pieces.pop() ?? ''
    const ended: string[] = []
    for (const piece of pieces) {
      this.#append(piece)
      const rest = this.#partlyShown
      const line = this.#take()
      if (!rest || line !== '') ended.push(line)
    }
    this.#append(last)
    if (ended.length > 0) this.#show(ended)
    this.#changedAtMs = performance.now()
    if (this.#text === '') this.#stopTimer()
    else if (pieces.length > 0 || this.#timer === undefined) this.#showLater(UNFINISHED_MS)
  }

  end(): void {
    this.#stopTimer()
    if (this.#text !== '') this.#show([this.#take()])
  }

  #append(piece: string): void {
    const all = this.#text + piece
    if (all.length <= MAX_LINE && !all.includes('\r')) {
      this.#text = all
      return
    }
    // A return at the very end may belong to a line end.
    const body = all.replace(/\r+$/, '')
    const start = body.lastIndexOf('\r') + 1
    if (start > 0) {
      this.#rewritten = true
      this.#more = 0
    }
    const kept = body.slice(start, start + MAX_LINE)
    this.#more += body.length - start - kept.length
    this.#text = body.length < all.length ? `${kept}\r` : kept
  }

  #take(): string {
    const line = this.#text.endsWith('\r') ? this.#text.slice(0, -1) : this.#text
    const shown = this.#more === 0 ? line : `${line}… (${this.#more} more characters)`
    this.#text = ''
    this.#more = 0
    this.#rewritten = false
    this.#partlyShown = false
    return shown
  }

  #showLater(ms: number): void {
    this.#stopTimer()
    // The run keeps the process alive, not the showing.
    this.#timer = setTimeout(() => this.#showUnfinished(), ms).unref()
  }

  #showUnfinished(): void {
    this.#timer = undefined
    const waitMs = this.#changedAtMs + UNFINISHED_MS - performance.now()
    if (!this.#rewritten && waitMs > 0) return this.#showLater(Math.ceil(waitMs))
    this.#show([this.#take()])
    this.#partlyShown = true
  }

  #stopTimer(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
