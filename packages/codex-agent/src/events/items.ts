/** What is open in one thread: text that streams and tools that run. The state that the pure converters of this folder work on. */
import type { ToolContent, ToolKind } from '@loader-smoke/agent-sdk'

/** A message or a reasoning that streams. Its text isn't kept: length and hash tell whether the completed text is the same. */
export interface OpenText {
  length: number
  hash: number
  /** The server dropped the response and streams it again: what was shown so far is not part of the answer. */
  stale: boolean
}

/** A reasoning that streams, which may first be held back. */
export interface OpenReasoning {
  /** Characters shown so far. */
  length: number
  stale: boolean
  /** Not shown yet: so far it could become the notice that is left out. */
  held: string
}

/** A tool that runs. */
export interface OpenTool {
  readonly kind: ToolKind
  readonly type: string
  readonly turnId: string | null
  readonly title: string
  content: readonly ToolContent[]
  /** Characters of output shown so far. */
  outputLength: number
}

/** Everything open in one thread, by item id. */
export interface OpenItems {
  readonly messages: Map<string, OpenText>
  readonly reasonings: Map<string, OpenReasoning>
  readonly tools: Map<string, OpenTool>
  /** Tools that were told to be over before the server said so, which it may still do. */
  readonly closedTools: Set<string>
}

/** A thread in which nothing is open. */
export function noOpenItems(): OpenItems {
  return { messages: new Map(), reasonings: new Map(), tools: new Map(), closedTools: new Set() }
}
