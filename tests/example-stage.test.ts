import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import pauses from '../docs/examples/pauses.ts'
import type { Video } from '../src/core/video.ts'
import { readStage, runStage } from '../src/store/stage/stage.ts'
import { stageContext } from './support/stage-context.ts'

test('the example stage writes a row for each pause of five seconds and more', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'longtake-example-stage-'))
  const spoken = [
    { start: 1, end: 20 },
    { start: 26, end: 40 },
    { start: 42, end: 60 },
  ]
  await writeFile(join(folder, 'voices.json'), JSON.stringify(spoken))
  const { signal } = new AbortController()
  const video = { id: 'v', duration: 66 } as Video
  const result = () => readStage(folder)
  const made = await runStage({
    ...{ folder, stage: pauses.name, key: 'k', by: 'x', settings: {}, inputs: {}, video: 'v', signal },
    make: out => pauses.make(stageContext({ out, signal, video, result })),
  })
  const rows = (await readFile(join(made.folder, 'evidence.jsonl'), 'utf8')).trim().split('\n')
  expect(rows.map(row => JSON.parse(row).span)).toEqual([
    { start: 20, end: 26 },
    { start: 60, end: 66 },
  ])
  await rm(folder, { recursive: true })
})
