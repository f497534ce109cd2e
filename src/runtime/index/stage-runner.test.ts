import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { findOrMakeStage, stageKey } from '../../store/stage/stage.ts'
import { otherResults } from './stage-runner.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longtake-others-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const settings = { captions: { budget: { calls: 1 } }, prompt: 'p', stills: undefined, backend: { model: 'm' } }
const wanted = { stage: 'captions', by: 'chat/test', settings, inputs: { decode: 'd' }, version: '1 1' }
const keyed = (change: object) => {
  const all = { ...wanted, ...change }
  return { ...all, key: stageKey({ ...all, video: 'v' }) }
}

async function make(change: object): Promise<string> {
  const { stage, by, settings, inputs, key } = keyed(change)
  const { signal } = new AbortController()
  const request = { folder, stage, by, settings, inputs, key, signal, video: 'v' }
  await findOrMakeStage({ ...request, make: out => out.json('key.json', key) })
  return key
}

test('results of a stage that one setting alone tells apart are found, and no others', async () => {
  const raised = { settings: { ...settings, captions: { budget: { calls: 9 } } } }
  const more = (change: object) => ({ settings: { ...raised.settings, ...change } })
  const alike = await make(raised)
  await make({}) // what is to be made itself
  await make({ ...raised, version: '2 1' })
  await make({ ...raised, inputs: { decode: 'other' } })
  await make({ ...raised, by: 'chat/other' })
  await make(more({ prompt: 'q' }))
  await make(more({ backend: { model: 'other' } }))
  const found = await otherResults(folder, 'v', keyed({}), 'captions')
  expect(await Promise.all(found.map(result => result.json('key.json', z.string())))).toEqual([alike])
  expect(await otherResults(folder, 'v', keyed({}), 'prompt')).toEqual([])
})
