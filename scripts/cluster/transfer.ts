import { randomFillSync } from 'node:crypto'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../../src/cluster/store/open-store.ts'
import { packStage } from '../../src/cluster/store/pack/pack.ts'
import { unpackStage } from '../../src/cluster/store/pack/unpack.ts'
import { runStage } from '../../src/store/stage/stage.ts'
import { someVideo } from '../../tests/support/shared-library.ts'

// Seconds to push and to pull a stage of so many megabytes, beside those of `cp` and fsync: 5 times each, the median.
// npx tsx scripts/cluster/transfer.ts [MEGABYTES] [STORE]
const [megabytes = '100', address] = process.argv.slice(2)
const root = await mkdtemp(join(tmpdir(), 'longtake-transfer-'))
const { signal } = new AbortController()
const video = someVideo('v0123456789abcdef0123')
const store = await openStore(address ?? join(root, 'store'), process.env)
const stage = { video: video.id, stage: 'decode', key: 'k' }
const { folder } = await runStage({
  ...{ folder: join(root, 'made'), ...stage, by: 'x/y', settings: {}, inputs: {}, signal },
  async make(out) {
    const sink = await out.bytes('stills.bin')
    const block = Buffer.alloc(1 << 20)
    for (let i = 0; i < Number(megabytes); i++) await sink.write(randomFillSync(block))
    await sink.close()
  },
})
const object = 'results/v0123456789abcdef0123/decode/k-00000000.tar'
const seconds = async (work: (n: number) => Promise<unknown>) => {
  const times: number[] = []
  for (let n = 0; n < 5; n++) {
    const began = performance.now()
    await work(n)
    times.push((performance.now() - began) / 1000)
  }
  return times.sort((a, b) => a - b)[2]!.toFixed(2)
}
const copy = await seconds(async n => {
  const to = join(root, `copy-${n}`)
  await cp(folder, to, { recursive: true })
  const { syncFile } = await import('../../src/store/durable.ts')
  await syncFile(join(to, 'stills.bin'))
})
const push = await seconds(async () => {
  const pack = await packStage(folder, video, { work: root, signal })
  await store.put(object, pack.body, pack.bytes)
})
const pull = await seconds(async n => {
  await mkdir(join(root, `pull-${n}`))
  await unpackStage(await store.get(object), { folder: join(root, `pull-${n}`), stage, signal })
})
await store.remove(object)
await rm(root, { recursive: true, force: true })
console.log(`${megabytes} MB, ${store.address}: cp and fsync ${copy} s, push ${push} s, pull ${pull} s`)
