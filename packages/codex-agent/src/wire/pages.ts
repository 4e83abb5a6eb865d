/** Lists that come in pages. */

/** One page; `nextCursor` leads to the next one. */
interface Page<Row> {
  readonly data?: readonly (Row | null | undefined)[] | null | undefined
  readonly nextCursor?: string | null | undefined
}

/** Every row of every page. A cursor that comes again would lead round in circles, and ends the list. */
export async function allPages<Row>(read: (cursor: string | null) => Promise<Page<Row>>): Promise<readonly Row[]> {
  const rows: Row[] = []
  const seen = new Set<string>()
  let cursor: string | null = null
  for (;;) {
    const page: Page<Row> = await read(cursor)
    for (const row of page.data ?? []) if (row !== null && row !== undefined) rows.push(row)
    cursor = page.nextCursor ?? null
    if (cursor === null || seen.has(cursor)) return rows
    seen.add(cursor)
  }
}
