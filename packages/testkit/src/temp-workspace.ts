/** A temporary folder that a test fills with a small file tree and that is gone after it. */
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A folder of a test's own; `await using` removes it. */
export interface TempWorkspace extends AsyncDisposable {
  /** Absolute real path. */
  readonly path: string
  /** Absolute path of a file in the folder. */
  file(...parts: string[]): string
  read(name: string): Promise<string>
  write(name: string, content: string): Promise<string>
}

/** Makes a temporary folder with `files` (relative path → content) in it. */
export async function tempWorkspace(
  files: Readonly<Record<string, string>> = {},
  prefix = 'loader-smoke-test-',
): Promise<TempWorkspace> {
  const path = await realpath(await mkdtemp(join(tmpdir(), prefix)))
  const file = (...parts: string[]) => join(path, ...parts)
  const write = async (name: string, content: string) => {
    await mkdir(dirname(file(name)), { recursive: true })
    await writeFile(file(name), content)
    return file(name)
  }
  for (const [name, content] of Object.entries(files)) await write(name, content)
  return {
    path,
    file,
    write,
    read: (name) => readFile(file(name), 'utf8'),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }),
  }
}
