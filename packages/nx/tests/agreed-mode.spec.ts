import { describe, expect, it } from 'vitest'
import { agreedMode, type GivenModes } from '../src/executors/smoke/agreed-mode.ts'

describe('agreedMode', () => {
  it.each<[string, GivenModes, string]>([
    ['nothing named', {}, 'src'],
    ['an empty environment', { environment: '' }, 'src'],
    ['the environment alone (a target without the plugin)', { environment: 'lib' }, 'lib'],
    ['a mode written down over the environment', { mode: 'src', environment: 'lib' }, 'src'],
    ['a mode of the command line over the inferred one', { mode: 'lib', inferredMode: 'src', environment: '' }, 'lib'],
    ['a command line that goes back to src', { mode: 'src', inferredMode: 'lib', environment: 'lib' }, 'src'],
    ['inferred from an unset environment', { mode: 'src', inferredMode: 'src' }, 'src'],
    ['inferred, and the environment agrees', { mode: 'lib', inferredMode: 'lib', environment: 'lib' }, 'lib'],
    ['inferred src, and src at run time', { mode: 'src', inferredMode: 'src', environment: 'src' }, 'src'],
  ])('takes %s', (_, given, mode) => {
    expect(agreedMode(given)).toBe(mode)
  })

  it('refuses an environment at run time that the plan was not made for', () => {
    expect(() => agreedMode({ mode: 'src', inferredMode: 'src', environment: 'lib' })).toThrow(
      "DSH_EXAMPLE_MODE is 'lib' for this task, but Nx planned the task in mode 'src': the variable comes from an .env file that Nx reads only " +
        'after planning, so neither `build` nor the cache key knows of it.\n' +
        'Next: set DSH_EXAMPLE_MODE in the shell or in the workspace\'s own .env, or write "mode": "lib" into the target\'s options.',
    )
  })

  it.each<GivenModes>([
    { mode: 'lbi', inferredMode: 'lbi', environment: 'lbi' },
    { mode: 'lbi' },
    { environment: 'lbi' },
    { mode: 'src', inferredMode: 'src', environment: 'lbi' },
  ])('refuses a word that is no mode: %j', (given) => {
    expect(() => agreedMode(given)).toThrow(`DSH_EXAMPLE_MODE must be 'src' or 'lib', got "lbi".`)
  })
})
