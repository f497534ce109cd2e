import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { shotFinders } from '../../models/shots/index.ts'
import type { Host } from '../../src/core/backend.ts'
import { probe } from '../../src/media/probe.ts'
import { stageFiles } from '../../src/store/stage-files.ts'
import { decodeStage } from '../../tools/stages/decode.ts'

// Runs the media stage alone over a file and throws the result away: what the other scripts measure.
const [file, settings = '{}'] = process.argv.slice(2)
const folder = await mkdtemp(join(tmpdir(), 'longtake-perf-'))
try {
  const video = await probe(file)
  const { writer, finish } = stageFiles(folder, 'measure')
  const finder = await shotFinders.open('frame-difference', {}, {} as Host)
  const context = { video, out: writer, progress: () => undefined, signal: new AbortController().signal }
  const merged = { stillsPerSecond: 2, stillWidth: 1280, ...JSON.parse(settings) }
  await decodeStage(context, finder, merged)
  await finish()
} finally {
  await rm(folder, { recursive: true, force: true })
}
