import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandLine } from '../../support/command-line.ts'

const line = commandLine()

function madeSet(name: string, recipe: string, reviewed: object): string {
  const folder = join(line.cwd, name)
  mkdirSync(folder)
  const set = {
    ...{ format: 1, recipe, recipeVersion: '1', annotations: ['a.json'], split: 'made', seed: 1, canary: 'c' },
    ...{ counts: { videos: 1, drafted: 9, kept: 9, rejected: {} }, roles: {}, notRun: [], prompts: {}, filters: [] },
    ...{ reviewed, licence: 'own' },
  }
  writeFileSync(join(folder, 'benchmark.json'), JSON.stringify(set))
  return folder
}

test('the review of a set stands in the table of such reviews, and nowhere else', async () => {
  const outcomes = { scene_transitions: { kept: 3, dropped: 1 } }
  const seen = madeSet('seen', 'infinibench', { items: 4, outcomes })
  const shown = await line.run('bench', 'report', seen, '--table', 'infinibench:10', '--json')
  expect(shown.code, shown.stderr).toBe(0)
  expect(JSON.parse(shown.stdout).tables[0].rows[0]).toEqual(['Scene Transitions, seen *a', '4', '75.00'])
  const refused = async (folder: string, ...more: string[]) => line.run('bench', 'report', folder, ...more)
  for (const more of [[], ['--table', 'infinibench:3']])
    expect(await refused(seen, ...more)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/is a made set of infinibench, not a run[\s\S]*--table infinibench:10/),
    })
  const other = madeSet('other', 'longshot', { items: 4, outcomes: {} })
  expect(await refused(other, '--table', 'infinibench:10')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('README.md has the numbers'),
  })
  const draft = madeSet('draft', 'infinibench', { items: 0 })
  expect(await refused(draft, '--table', 'infinibench:10')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/Nobody has reviewed .*draft yet/),
  })
})
