/** The JSON report: every run of one call, versioned. The other reports are drawn from it. Pure. */
import type { SmokeRecord } from './record.ts'

/** Raised when a field is renamed, removed or means something else; new fields don't raise it. */
export const REPORT_VERSION = 1

/** All smokes of one call. */
export interface SmokeReport {
  readonly version: typeof REPORT_VERSION
  /** What made it. */
  readonly tool: { readonly name: string; readonly version: string }
  /** Where it ran. */
  readonly machine: { readonly node: string; readonly platform: string }
  /** Since the epoch, in milliseconds. */
  readonly startedAtMs: number
  readonly durationMs: number
  /** In the order in which they were declared. */
  readonly smokes: readonly SmokeRecord[]
}

/** The report as a file, with a newline at its end. */
export function toJson(report: SmokeReport): string {
  return `${JSON.stringify(report, null, 2)}\n`
}

/** The report in `text`, or null when it is none of this version: what is only compared with must never stop a run. */
export function fromJson(text: string): SmokeReport | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // JSON.parse throws for what is no JSON and for nothing else.
    return null
  }
  const report = value as Partial<SmokeReport> | null
  const whole = report?.version === REPORT_VERSION && Array.isArray(report.smokes) && report.smokes.every(isRecord)
  return whole ? (report as SmokeReport) : null
}

/** How many smokes ended in each way. */
export function countVerdicts({ smokes }: Pick<SmokeReport, 'smokes'>): Record<SmokeRecord['verdict'], number> {
  const counts = { pass: 0, fail: 0, error: 0 }
  for (const { verdict } of smokes) counts[verdict] += 1
  return counts
}

/** Tokens in and out over all turns of a run; null when no turn told any. */
export function tokensOf({
  turns,
}: Pick<SmokeRecord, 'turns'>): { readonly input: number; readonly output: number } | null {
  const usages = turns.flatMap(({ usage }) => usage ?? [])
  if (usages.length === 0) return null
  return {
    input: usages.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
    output: usages.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
  }
}

function isRecord(value: Partial<SmokeRecord> | null): boolean {
  return typeof value?.label === 'string' && typeof value.verdict === 'string' && Array.isArray(value.turns)
}
