import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bundledScript } from '../support/bundled-script.ts'
import { openAgain } from './run-folder.ts'

const here = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)
const worker = `
  import { countingAgent } from ${here('./counting-agent.ts')}
  import { newFolder, openAgain, someSamples } from ${here('./run-folder.ts')}
  import videoEvalPro from ${here('../../eval/benchmarks/videoeval-pro/index.ts')}
  import { processSamples } from ${here('../../eval/runner/ask/process-samples.ts')}
  import { existsSync } from 'node:fs'
  const [, , folder, log] = process.argv
  const files = await (existsSync(folder + '/environment.json') ? openAgain : newFolder)(folder)
  process.stdout.write('open\\n')
  await processSamples({
    benchmark: videoEvalPro, tasks: new Set(['open', 'mcq']), trajectory: 'ideal', concurrency: 2, store: files,
    samples: someSamples(60, 6).map((sample, place) => ({ sample, place, locate: video => ({ path: video }) })),
    agent: countingAgent({ milliseconds: 8, log }), watch() {}, onSample() {}, signal: new AbortController().signal,
  })
  await files.tidy()
  process.stdout.write('over\\n')
`

const script = await bundledScript(worker)

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'longtake-bench-kill-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

async function start(folder: string, log: string, killAfter?: number): Promise<string> {
  const child = spawn(process.execPath, [script, folder, log], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.on('data', piece => {
    said += piece
  })
  const exit = once(child, 'exit')
  while (!said.includes('open') && child.exitCode === null) await sleep(5)
  if (killAfter !== undefined) {
    await Promise.race([sleep(killAfter), exit])
    child.kill('SIGKILL')
  }
  await exit
  return said
}

// More rounds than a test run can afford: LONGTAKE_KILLS=100.
const kills = Number(process.env.LONGTAKE_KILLS ?? 3)

test('kill -9 at any moment loses no sample and asks nothing twice but what was being asked', async () => {
  const folder = join(home, 'run')
  const log = join(home, 'asked.log')
  let killed = 0
  for (let round = 0; round < kills; round++) {
    const said = await start(folder, log, 40 + ((round * 137) % 160))
    if (!said.includes('over')) killed++
  }
  expect(await start(folder, log)).toContain('over')
  const files = await openAgain(folder)
  const lines = [...files.lines.values()].sort((a, b) => a.place - b.place)
  files.close()
  expect(lines.map(line => line.id)).toEqual(Array.from({ length: 60 }, (_, i) => String(i)))
  expect((await readFile(join(folder, 'samples.jsonl'), 'utf8')).trim().split('\n')).toHaveLength(60)
  const asked = (await readFile(log, 'utf8')).trim().split('\n')
  expect(new Set(asked).size).toBe(120)
  // Two at a time were in the middle of a question when it was killed.
  expect(asked.length - 120).toBeLessThanOrEqual(2 * killed)
  expect(killed).toBeGreaterThan(0)
})
