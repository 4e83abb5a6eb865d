/** Scripts before a run: what is refused, in which words, and the schema that editors use. */
import { readFile } from 'node:fs/promises'
import { tempWorkspace } from '@loader-smoke/testkit'
import { expect, test } from 'vitest'
import { type ScriptObject, scriptSchema, startReplayServer, validateScript } from '@loader-smoke/model-replay'

const problemsOf = (script: unknown) => validateScript(script as ScriptObject)
const turn = (fields: object) => ({ turns: [fields] })

const CASES: readonly (readonly [string, unknown, readonly string[]])[] = [
  [
    'a misspelled key',
    turn({ txt: 'x' }),
    [
      'turns[0] has the unknown key "txt" (did you mean "text"?); allowed: name, expect, text, reasoning, refusal, toolCalls, content, usage, finish, error, fault, headers, delayMs, chunkDelayMs, times, optional.',
    ],
  ],
  [
    'a misspelled test',
    turn({ text: 'x', expect: { usr: 'x' } }),
    [
      'turns[0].expect has the unknown key "usr" (did you mean "user"?); allowed: user, firstUser, system, toolResult, last, tools, model, thread, subagent, agent, purpose, dialect, stream.',
    ],
  ],
  [
    'a misspelled fault',
    turn({ text: 'x', fault: 'cutt' }),
    [
      expect.stringMatching(
        /^turns\[0\]\.fault is "cutt"; expected "refuse", .* or "quota" \(did you mean "cut"\?\)\.$/,
      ),
    ],
  ],
  [
    'several mistakes at once',
    { turns: [{ text: 1 }, { text: 'x', times: 0, usage: { inputTokens: -1 } }], order: 'random' },
    [
      'turns[0].text is 1; expected text or a list.',
      'turns[1].times is 0; expected a whole number from 1 to 1000000.',
      'turns[1].usage.inputTokens is -1; expected a whole number from 0 to 1000000000.',
      'order is "random"; expected "strict" or "any".',
    ],
  ],
  ['no turns', {}, ['the script needs exactly one of turns and conversations.']],
  ['a list', [], ['the script is a list of 0; expected a mapping (turns or conversations).']],
  [
    'a turn that says nothing',
    turn({}),
    [
      'turns[0] says nothing; expected one of text, reasoning, refusal, toolCalls, content, error or fault ("empty" for an answer without content).',
    ],
  ],
  [
    'an error and an answer',
    turn({ text: 'x', error: { status: 500 } }),
    ['turns[0] has an error and an answer; expected one or the other.'],
  ],
  [
    'a broken regular expression',
    turn({ text: 'x', expect: { user: { matches: '(' } } }),
    [expect.stringMatching(/^turns\[0\]\.expect\.user\.matches is no regular expression: /)],
  ],
  [
    'an unknown placeholder',
    turn({ text: '{{usr}}' }),
    [
      'turns[0].text has the unknown placeholder {{usr}}; allowed: {{user}}, {{firstUser}}, {{model}}, {{thread}}, {{toolResult}}, {{toolResult.path}}, {{result.TOOL}}, {{result.TOOL.path}}; \\{{ writes the braces.',
    ],
  ],
  [
    'more cached tokens than tokens',
    turn({ text: 'x', usage: { inputTokens: 1, cachedInputTokens: 2 } }),
    ['turns[0].usage has more cachedInputTokens than inputTokens; cached tokens are part of the input.'],
  ],
]

test.each(CASES)('refuses a script with %s', async (_name, script, problems) => {
  expect(await problemsOf(script)).toEqual(problems)
})

test('names the file, and the place where YAML goes wrong', async () => {
  await using folder = await tempWorkspace({ 'model.yml': 'turns:\n  - text: "x\n', 'model.txt': '' })
  const file = `${folder.path}/model.yml`
  await expect(startReplayServer({ script: file })).rejects.toThrow(
    `model-replay: ${file} can't be used as a script:\n  - Missing closing "quote at line 3, column 1`,
  )
  expect(await validateScript(`${folder.path}/none.yml`)).toEqual([
    'there is no such file. Next: correct the path of the script.',
  ])
  expect(await validateScript(`${folder.path}/model.txt`)).toEqual([
    'its name ends in ".txt"; expected .yml, .yaml or .json.',
  ])
})

test('publishes the schema that the check derives from', async () => {
  const published = await readFile(new URL('../script.schema.json', import.meta.url), 'utf8')
  expect(JSON.parse(published)).toEqual(scriptSchema())
})
