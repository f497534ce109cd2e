import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { sherpaModel } from '../../models/sherpa/sherpa-process.ts'
import { closeAll, closeLater, testHost } from '../servers/host.ts'

const folder = mkdtempSync(join(tmpdir(), 'longtake-sherpa-'))
afterAll(async () => {
  await closeAll()
  rmSync(folder, { recursive: true, force: true })
})

// In place of the native package one that does with its process what native code may do. The first sample says what.
const stand = join(folder, 'stand-in.cjs')
writeFileSync(
  stand,
  `exports.OfflineRecognizer = class {
    createStream() { return { acceptWaveform: wave => { this.first = wave.samples[0] } } }
    decode() {
      if (this.first === 1) { console.error('bad graph'); process.kill(process.pid, 'SIGSEGV') }
      if (this.first === 2) for (;;);
      if (this.first === 3) throw new Error('no such model')
    }
    getResult() { return { text: String(process.pid) } }
  }`,
)

const model = closeLater(
  sherpaModel('transcribe/sherpa', { kind: 'open recogniser', package: stand, config: {} }, testHost(process.env)),
)
const ask = (first: number, signal = new AbortController().signal) =>
  model.ask<{ text: string }>({ kind: 'recognise', samples: Float32Array.of(first, 0) }, signal)

function isRunning(pid: string): boolean {
  try {
    return process.kill(Number(pid), 0)
  } catch {
    return false
  }
}

test('a crash of native code ends its own process, which is told with its last words; the next question starts another', async () => {
  const { text: before } = await ask(0)
  await expect(ask(1)).rejects.toMatchObject({
    message: expect.stringContaining('crashed'),
    hint: 'It said: bad graph',
  })
  const { text: after } = await ask(0)
  expect(after).not.toBe(before)
  expect((await ask(0)).text).toBe(after)
})

test('an abort ends the process at once, also one that hears nothing', async () => {
  const { text: pid } = await ask(0)
  const stop = new AbortController()
  const hangs = ask(2, stop.signal)
  setTimeout(() => stop.abort(new Error('enough')), 50)
  await expect(hangs).rejects.toThrow('enough')
  await expect.poll(() => isRunning(pid)).toBe(false)
})

test('a question that waits for its turn is answered, though the one before it was aborted', async () => {
  const { text: pid } = await ask(0)
  const stop = new AbortController()
  const [hangs, waits] = [ask(2, stop.signal), ask(0)]
  setTimeout(() => stop.abort(new Error('enough')), 50)
  await expect(hangs).rejects.toThrow('enough')
  expect((await waits).text).not.toBe(pid)
})

test('an error of the package is that of the question, and its process goes on', async () => {
  const { text: pid } = await ask(0)
  await expect(ask(3)).rejects.toThrow('transcribe/sherpa: no such model')
  expect((await ask(0)).text).toBe(pid)
})

test('a model that cannot be opened fails each question, and leaves no process', async () => {
  const missing = closeLater(
    sherpaModel(
      'speakers/sherpa',
      { kind: 'open recogniser', package: join(folder, 'none.cjs'), config: {} },
      testHost(process.env),
    ),
  )
  const job = { kind: 'recognise', samples: new Float32Array(1) } as const
  await expect(missing.ask(job, new AbortController().signal)).rejects.toThrow(/speakers\/sherpa: Cannot find module/)
})

test('closing ends the process', async () => {
  const { text: pid } = await ask(0)
  await model.close()
  await expect.poll(() => isRunning(pid)).toBe(false)
})
