import { expect, test } from 'vitest'
import { roleTitle } from './role-title.ts'
import { stageNamed, storedStage } from './stage-names.ts'

test('a name that is not in the table stays as it is, also one that every object has', () => {
  expect([storedStage('full-text'), stageNamed('words')]).toEqual(['words', 'full-text'])
  for (const name of ['speech', 'constructor', '__proto__'])
    expect([storedStage(name), stageNamed(name), roleTitle(name)]).toEqual([name, name, name])
})
