/** Keeps what was recorded, and writes it to the file after each exchange. */
import type { Asked } from './asked.ts'
import { cleanBody, splitEvents } from './clean-body.ts'
import type { UpstreamAnswer } from './ask-upstream.ts'
import { formatRecording, writeRecording } from './recording-file.ts'
import type { Redactor } from './redact.ts'
import type { Tape, TapedAnswer, TapedExchange } from './tape.ts'

export class RecordingKeeper {
  /** One sentence for each thing that could not be kept. */
  readonly problems: string[] = []
  readonly #file: string
  readonly #redactor: Redactor
  readonly #tape: Tape
  readonly #fresh: (TapedExchange & { readonly place: number })[] = []
  #writing: Promise<void> = Promise.resolve()
  #due = false

  constructor(file: string, redactor: Redactor, tape: Tape) {
    this.#file = file
    this.#redactor = redactor
    this.#tape = tape
  }

  /** Takes in an exchange, without its secrets. `place` is the number of its request, by which the file is ordered. */
  keep(place: number, asked: Asked, { status, headers, chunks }: UpstreamAnswer): void {
    const clean = (text: string) => this.#redactor.clean(text)
    const bytes = Buffer.concat(chunks)
    const raw = bytes.toString('utf8')
    if (!Buffer.from(raw).equals(bytes)) {
      this.problems.push(`the answer to request ${place} was not recorded: it is not UTF-8.`)
      return
    }
    const body = cleanBody(raw, clean)
    const kept = Object.entries(headers).map(([name, value]) => [name, clean(value)] as const)
    const chunkBytes = (body === raw ? chunks : splitEvents(body)).map((chunk) => Buffer.byteLength(chunk))
    const answer: TapedAnswer = { status, headers: Object.fromEntries(kept), body, chunkBytes }
    this.#fresh.push({ place, asked, answer })
    this.#save()
  }

  /** Resolves when the file is written. A run in which nothing was asked leaves it as it is. */
  async finish(): Promise<void> {
    if (this.#fresh.length + this.#tape.taken().length === 0)
      this.problems.push('nothing was recorded: no answer came to its end.')
    else this.#save()
    await this.#writing
  }

  /** One write at a time; those that are asked for meanwhile become one. */
  #save(): void {
    if (this.#due) return
    this.#due = true
    this.#writing = this.#writing.then(() => this.#write())
  }

  async #write(): Promise<void> {
    this.#due = false
    const fresh = this.#fresh.toSorted((a, b) => a.place - b.place)
    const text = formatRecording([...this.#tape.taken(), ...fresh])
    if (this.#redactor.holdsValue(text)) {
      this.problems.push(`${this.#file} was not written: it would hold a secret of this run.`)
      return
    }
    try {
      await writeRecording(this.#file, text)
    } catch (error) {
      this.problems.push(`${this.#file} was not written (${(error as NodeJS.ErrnoException).code}).`)
    }
  }
}
