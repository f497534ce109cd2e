import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, expect, test } from 'vitest'
import { figure } from '../../../tests/faults/figure.ts'
import { bundledScript } from '../../../tests/support/bundled-script.ts'
import { withLock } from '../lock.ts'
import { checkStage } from './stage-check.ts'

// A worker that makes eight stages one after another under the lock of its folder, and says each time how far it is.
const worker = `
  import { withLock } from ${JSON.stringify(new URL('../lock.ts', import.meta.url).href)}
  import { findOrMakeStage } from ${JSON.stringify(new URL('./stage.ts', import.meta.url).href)}
  import { buildTextIndex } from ${JSON.stringify(new URL('../../search/text-index.ts', import.meta.url).href)}
  const [, , folder, quick] = process.argv
  const say = text => process.stdout.write(text + '\\n')
  await withLock(folder, async held => {
    say('locked')
    for (let n = 1; n <= 8; n++) {
      held.report({ text: 'stage ' + n, done: n, total: 8 })
      const result = await findOrMakeStage({
        folder, stage: 'stage-' + n, key: 'k' + n, by: 'x/y', settings: {}, inputs: {}, video: 'v',
        signal: new AbortController().signal,
        async make(writer) {
          await writer.lines('rows.jsonl', Array.from({ length: 2000 }, (_, i) => ({ n, i })))
          const sink = await writer.bytes('big.bin')
          for (let i = 0; i < 20; i++) await sink.write(new Uint8Array(50000).fill(i + n))
          await sink.close()
          if (n > Number(quick)) await new Promise(resolve => setTimeout(resolve, 600_000))
          await buildTextIndex(writer.path('words.sqlite'), [{ id: 'e' + n, video: 'v', by: 'x', track: 'speech', span: { start: 0, end: 1 }, text: 'word ' + n }])
        },
      })
      say((result.reused ? 'reused ' : 'made ') + n)
    }
  }, { onWait: said => say('waiting ' + (said ?? '')) })
  say('over')
`

const script = await bundledScript(worker)

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

// After so many quick stages it is at the next one for as long as it lives.
function start(folder: string, quick = 8) {
  const child = spawn(process.execPath, [script, folder, String(quick)], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const lines: string[] = []
  const waiting: (() => void)[] = []
  createInterface({ input: child.stdout }).on('line', line => {
    lines.push(line)
    for (const wake of waiting.splice(0)) wake()
  })
  const exit = once(child, 'exit')
  return {
    lines,
    exit,
    // Resolves when a line begins so, or when the worker is gone.
    async until(beginning: string) {
      while (!lines.some(line => line.startsWith(beginning)) && child.exitCode === null && child.signalCode === null)
        await Promise.race([new Promise<void>(resolve => waiting.push(resolve)), exit])
    },
    async kill() {
      child.kill('SIGKILL')
      await exit
    },
  }
}

async function hashes(folder: string): Promise<unknown[]> {
  const checks = Array.from({ length: 8 }, (_, i) => checkStage(folder, `stage-${i + 1}`, `k${i + 1}`, 'hashes'))
  return (await Promise.all(checks)).map(check => (check.state === 'whole' ? check.meta.files : check.state))
}

async function temporaries(folder: string): Promise<string[]> {
  return (await readdir(folder, { recursive: true })).filter(name => name.includes('.tmp-'))
}

// More rounds than a test run can afford: LONGTAKE_KILLS=200.
const rounds = Number(process.env.LONGTAKE_KILLS ?? 6)

test(`fault 16: killed ${rounds} times at any moment, a stage is whole or not there, and the end is what an unkilled run makes`, async () => {
  const root = await mkdtemp(join(tmpdir(), 'longtake-kill-'))
  const calm = join(root, 'calm')
  await mkdir(calm)
  await start(calm).until('over')
  const expected = await hashes(calm)
  expect(expected).not.toContain('absent')

  let seed = 7
  const random = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return seed / 2 ** 32
  }
  let folder = join(root, 'stormy-0')
  for (let round = 0; round < rounds; round++) {
    const run = start(folder)
    await run.until('locked')
    await new Promise(resolve => setTimeout(resolve, random() * 150))
    await run.kill()
    const found = await hashes(folder)
    expect(found).not.toContain('damaged')
    found.forEach((files, at) => {
      if (files !== 'absent') expect(files).toEqual(expected[at])
    })
    if (!found.includes('absent')) folder = join(root, `stormy-${round + 1}`)
  }
  const last = start(folder)
  await last.until('over')
  expect(await hashes(folder)).toEqual(expected)
  expect(await temporaries(folder)).toEqual([])
  await rm(root, { recursive: true })
})

test('fault 17: two processes on one video: one works, the other waits, sees how far it is, and finds everything done', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'longtake-two-'))
  const runs = [start(folder), start(folder)]
  await Promise.all(runs.map(run => run.until('over')))
  const made = runs.flatMap(run => run.lines.filter(line => line.startsWith('made')))
  expect(made.sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map(n => `made ${n}`))
  await rm(folder, { recursive: true })
})

test('fault 17: when the one that works is killed, the one that waits resumes at once from the last finished stage', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'longtake-heir-'))
  let waiter: ReturnType<typeof start> | undefined
  await withLock(folder, async held => {
    held.report({ text: 'transcribe', done: 720, total: 2700 })
    waiter = start(folder, 2)
    await waiter.until('waiting')
    expect(waiter.lines).toEqual([`waiting transcribe 12:00 of 45:00 (process ${process.pid})`])
  })
  await waiter?.until('made 2')
  const heir = start(folder)
  await heir.until('waiting')
  expect(heir.lines[0]).toMatch(/^waiting stage \d \d:\d\d of 0:08/)
  await waiter?.kill()
  const killed = performance.now()
  const done = waiter?.lines.filter(line => line.startsWith('made')).length ?? 0
  await heir.until('locked')
  const waited = performance.now() - killed
  figure(`the next one works ${(waited / 1000).toFixed(2)} s after the kill`)
  expect(waited).toBeLessThan(2000)
  await heir.until('over')
  expect(heir.lines.filter(line => line.startsWith('reused')).length).toBeGreaterThanOrEqual(done)
  await rm(folder, { recursive: true })
})

test('fault 17: of eight processes seven are killed while they work, and the last one finishes what they left', async () => {
  const root = await mkdtemp(join(tmpdir(), 'longtake-eight-'))
  const calm = join(root, 'calm')
  await mkdir(calm)
  await start(calm).until('over')
  const folder = join(root, 'shared')
  await mkdir(folder)
  let waiting = Array.from({ length: 8 }, () => start(folder, 40))
  while (waiting.length > 1) {
    const holder = await Promise.race(waiting.map(async run => run.until('locked').then(() => run)))
    await Promise.race([holder.until('made'), holder.until('over')])
    await holder.kill()
    waiting = waiting.filter(run => run !== holder)
  }
  await waiting[0]!.until('over')
  expect(await hashes(folder)).toEqual(await hashes(calm))
  expect(await temporaries(folder)).toEqual([])
  await rm(root, { recursive: true })
})
