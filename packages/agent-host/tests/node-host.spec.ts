import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { assertNothingLeft, processesWith, tempWorkspace } from '@loader-smoke/testkit'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { nodeHost } from '../src/node-host.ts'

const fixture = (name: string) => join(dirname(import.meta.filename), 'fixtures', name)

async function firstLine(stream: Readable): Promise<string> {
  const lines = createInterface({ input: stream })
  const [line] = await once(lines, 'line')
  lines.close()
  return line
}

afterEach(() => vi.unstubAllEnvs())

describe('a program', () => {
  it('runs in the folder and with the arguments asked for, and talks through pipes until it is stopped', async () => {
    await using world = await tempWorkspace()
    const host = nodeHost({ cwd: world.path })
    const program = await host.process.spawn(fixture('echo-program.js'), ['app-server', '--x'], {})
    const { args, cwd } = JSON.parse(await firstLine(program.stdout))
    expect({ args, cwd }).toEqual({ args: ['app-server', '--x'], cwd: world.path })
    program.stdin.write('{"id":0}\n')
    expect(await firstLine(program.stdout)).toBe('{"id":0}')
    expect(await program.stop()).toEqual({ code: null, signal: 'SIGTERM' })
    expect(await program.exited).toEqual({ code: null, signal: 'SIGTERM' })
    expect(await program.stop()).toEqual({ code: null, signal: 'SIGTERM' })
  })

  it('tells its own exit', async () => {
    await using world = await tempWorkspace({ 'seven.js': 'process.exit(7)' })
    await chmod(world.file('seven.js'), 0o755)
    const { exited } = await nodeHost().process.spawn(world.file('seven.js'), [], {})
    expect(await exited).toEqual({ code: 7, signal: null })
  })

  it('gets the environment of the host without accounts, proxies and flags of Node, then what the host and the agent add', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'secret')
    vi.stubEnv('CODEX_HOME', '/home/of/someone')
    vi.stubEnv('codex_sandbox', 'x')
    vi.stubEnv('HTTPS_PROXY', 'http://proxy')
    vi.stubEnv('no_proxy', 'example.org')
    vi.stubEnv('NODE_OPTIONS', '--no-deprecation')
    vi.stubEnv('LOADER_SMOKE_REPORT', '/report')
    vi.stubEnv('KEPT', 'yes')
    await using world = await tempWorkspace()
    const host = nodeHost({ env: { HTTPS_PROXY: 'http://mine', KEPT: null, ADDED: 'host' } })
    const home = world.file('a', 'home')
    const program = await host.process.spawn(fixture('echo-program.js'), [], {
      env: { CODEX_HOME: home, ADDED: 'agent' },
    })
    const { env } = JSON.parse(await firstLine(program.stdout))
    await program.stop()
    expect(env).toMatchObject({
      PATH: process.env['PATH'],
      CODEX_HOME: home,
      ADDED: 'agent',
      HTTPS_PROXY: 'http://mine',
      NO_PROXY: '127.0.0.1,localhost,::1',
      no_proxy: '127.0.0.1,localhost,::1',
    })
    for (const name of ['OPENAI_API_KEY', 'codex_sandbox', 'NODE_OPTIONS', 'LOADER_SMOKE_REPORT', 'KEPT'])
      expect(env).not.toHaveProperty(name)
  })

  it('finds the folder of its account created', async () => {
    await using world = await tempWorkspace()
    const home = world.file('deep', 'home')
    const program = await nodeHost().process.spawn(fixture('echo-program.js'), [], { env: { CODEX_HOME: home } })
    await program.stop()
    await world.write('deep/home/config.toml', '')
  })

  it('is not started when the folder of its account can not be made', async () => {
    await using world = await tempWorkspace({ home: 'a file' })
    const home = world.file('home')
    await expect(
      nodeHost().process.spawn(fixture('echo-program.js'), [], { env: { CODEX_HOME: home } }),
    ).rejects.toThrow(
      new Error(
        `CODEX_HOME is ${home}, which can't be created as a folder (EEXIST). Next: name a folder, or a place where one can be made.`,
      ),
    )
  })

  it('is looked for in the given folders, then on PATH, with links resolved', async () => {
    await using world = await tempWorkspace({ 'real.js': '', 'path/tool': '', 'path/notes': '' })
    for (const name of ['real.js', 'path/tool']) await chmod(world.file(name), 0o755)
    const bin = join((await tempBin(world)).path)
    vi.stubEnv('PATH', world.file('path'))
    const host = nodeHost({ programFolders: [bin] })
    expect(await host.process.which('codex')).toEqual({ path: join(bin, 'codex'), realPath: world.file('real.js') })
    expect(await host.process.which('tool')).toEqual({
      path: world.file('path/tool'),
      realPath: world.file('path/tool'),
    })
    expect(await host.process.which('notes')).toBeNull()
    await expect(host.process.spawn('absent', [], {})).rejects.toThrow(
      new Error(
        'absent is not on the PATH, nor in a node_modules/.bin of the app. Next: install it, or add its folder to PATH.',
      ),
    )
  })

  it('is gone with its whole tree once stop resolves, also when all of it ignores TERM', async () => {
    await using world = await tempWorkspace()
    const program = await nodeHost({ graceMs: 50 }).process.spawn(fixture('ignore-term.js'), [], {
      env: { TREE_OF: world.path },
    })
    expect(await firstLine(program.stdout)).toBe('ready')
    expect(processesWith(world.path).length).toBeGreaterThanOrEqual(2)
    expect(await program.stop()).toEqual({ code: null, signal: 'SIGKILL' })
    expect(processesWith(world.path)).toEqual([])
  })

  it('does not outlive an app that is killed', async () => {
    await using world = await tempWorkspace()
    const app = spawn(process.execPath, [fixture('dying-app.ts'), world.path], { stdio: ['ignore', 'pipe', 'inherit'] })
    expect(await firstLine(app.stdout)).toBe('started')
    app.kill('SIGKILL')
    const killedAt = performance.now()
    await assertNothingLeft(world.path)
    expect(performance.now() - killedAt).toBeLessThan(10_000)
  })
})

describe('a tool of the app', () => {
  const call = { agentId: 'a', sessionId: 's', callId: 'c', input: { n: 1 } }

  it('is called with its input', async () => {
    const host = nodeHost({
      tools: [
        {
          name: 'add',
          description: 'Adds one',
          inputSchema: { type: 'object' },
          call: async (input, place) => ({ content: [{ type: 'text', text: JSON.stringify({ input, place }) }] }),
        },
      ],
    })
    const { content } = await host.tools.call({ ...call, name: 'add' })
    expect(content).toEqual([{ type: 'text', text: '{"input":{"n":1},"place":{"sessionId":"s","callId":"c"}}' }])
  })

  it('that is unknown is refused by name', async () => {
    await expect(nodeHost().tools.call({ ...call, name: 'other' })).rejects.toThrow(
      new Error("this app offers no tool 'other'"),
    )
  })
})

/** A folder with a link `codex` to the world's `real.js`, as npm makes one. */
async function tempBin(world: {
  file(...parts: string[]): string
  write(name: string, text: string): Promise<string>
}) {
  await world.write('bin/.keep', '')
  await symlink(world.file('real.js'), world.file('bin', 'codex'))
  return { path: world.file('bin') }
}
