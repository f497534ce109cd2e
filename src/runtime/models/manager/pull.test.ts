import { readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ModelFolder } from '../../../../models/hub/hub-model.ts'
import { lazyTokenizer } from '../../../../models/tokens/tokenizer.ts'
import { commit, type HubServer, startHubServer } from '../../../../tests/servers/hub-server.ts'
import type { Host } from '../../../core/backend.ts'
import { readPins } from '../../../store/models/model-pins.ts'
import { type PullOptions, planPull, pullModels, remove } from './pull.ts'
import { inspectModel, verifyModel } from './state.ts'
import { type WantedFiles, wantedModels } from './wanted-models.ts'

const bytes = (length: number, seed: number) => Uint8Array.from({ length }, (_, i) => (i * seed + (i >> 8)) & 255)
const files = {
  'config.json': Buffer.from('{}'),
  'onnx/model.onnx': bytes(300_000, 7),
  'onnx/model.onnx_data': bytes(200_000, 11),
  'onnx/model_fp16.onnx': bytes(1000, 13),
}
const model: WantedFiles = {
  kind: 'hub',
  name: 'someone/tiny',
  revision: 'main',
  files: ['config.json', 'onnx/model.onnx'],
  roles: ['embedImage'],
}

let home = ''
let server: HubServer
let host: Host
let options: PullOptions
let progress: { path: string; done: number; total?: number }[]

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'pull-'))
  await use(await startHubServer(model.name, files))
})
afterEach(async () => {
  await server.close()
  await rm(home, { recursive: true, force: true })
})

async function use(next: HubServer, environment: Record<string, string> = {}): Promise<void> {
  await server?.close()
  server = next
  progress = []
  const where = { HF_HOME: join(home, 'hf'), HF_ENDPOINT: server.url, ...environment }
  host = { folder: home, environment: where, signal: new AbortController().signal, say() {} }
  options = { home, host, update: false, onProgress: entry => progress.push(entry), retrySeconds: 0.01 }
}

const pullNow = async () => pullModels(await planPull([model], options), options)
const repository = () => join(home, 'hf', 'hub', 'models--someone--tiny')
const snapshot = (path: string) => join(repository(), 'snapshots', commit, path)
const incomplete = () => readdirSync(join(repository(), 'blobs')).filter(name => name.endsWith('.incomplete'))
const fileRequests = () => server.asked.filter(entry => entry.path !== 'api')

test('where the choice was left to us, a file that the repository has not is replaced by the one that it has', async () => {
  const files = ['config.json', 'onnx/model_fp16.onnx', 'onnx/text_fp16.onnx']
  const wish = { ...model, files }
  await expect(planPull([wish], options)).rejects.toThrow('has no onnx/text_fp16.onnx')
  const [plan] = await planPull([{ ...wish, instead: { 'onnx/text_fp16.onnx': 'onnx/model.onnx' } }], options)
  expect(plan?.files.map(({ file }) => file.path)).toEqual([
    'config.json',
    'onnx/model_fp16.onnx',
    'onnx/model.onnx',
    'onnx/model.onnx_data',
  ])
})

test('files that were chosen for this machine can be replaced by those of fp32; files that were named cannot', async () => {
  const instead = async (choice: object) =>
    (await wantedModels({ embedImage: { backend: 'siglip', ...choice } }, host)).flatMap(found =>
      found.kind === 'hub' ? [found.instead] : [],
    )
  const halves = {
    'onnx/vision_model_fp16.onnx': 'onnx/vision_model.onnx',
    'onnx/text_model_fp16.onnx': 'onnx/text_model.onnx',
  }
  expect(await instead({ device: 'webgpu' })).toEqual([halves])
  expect(await instead({ device: 'webgpu', precision: 'fp16' })).toEqual([undefined])
  expect(await instead({ device: 'cpu' })).toEqual([undefined])
})

test('a plan says what is to come and how large it is, with the parts of large files, and fetches nothing', async () => {
  const [plan] = await planPull([model], options)
  expect(plan!.files.map(({ file }) => file.path)).toEqual(['config.json', 'onnx/model.onnx', 'onnx/model.onnx_data'])
  expect(plan!.bytes).toBe(500_002)
  expect(fileRequests()).toEqual([])
})

test('files land in the cache of the hub, where its other tools find them, and are pinned', async () => {
  await pullNow()
  expect(readFileSync(snapshot('onnx/model.onnx'))).toEqual(Buffer.from(files['onnx/model.onnx']))
  expect(readlinkSync(snapshot('onnx/model.onnx'))).toMatch(/^\.\.[\\/]\.\.[\\/]\.\.[\\/]blobs[\\/][0-9a-f]{64}$/)
  expect(readFileSync(join(repository(), 'refs', 'main'), 'utf8')).toBe(commit)
  expect(incomplete()).toEqual([])
  const pin = (await readPins(home))['someone/tiny@main']!
  expect(pin.commit).toBe(commit)
  expect(Object.keys(pin.files)).toHaveLength(3)
  expect(await inspectModel(model, host)).toMatchObject({ state: 'ready', bytes: 500_002, missing: [] })
})

test('a file that a model may have comes where it has it; data beside a model in ".data" comes too', async () => {
  await use(
    await startHubServer(model.name, {
      ...files,
      'onnx/model.onnx.data': bytes(50, 3),
      '1_Pooling/config.json': Buffer.from('{"a":1}'),
    }),
  )
  const optional = ['1_Pooling/config.json', 'sentence_bert_config.json']
  await pullModels(await planPull([{ ...model, optional }], options), options)
  expect(
    fileRequests()
      .map(entry => entry.path)
      .sort(),
  ).toEqual(['1_Pooling/config.json', 'config.json', 'onnx/model.onnx', 'onnx/model.onnx.data', 'onnx/model.onnx_data'])
  expect(await inspectModel({ ...model, optional }, host)).toMatchObject({
    state: 'ready',
    bytes: 500_059,
    missing: [],
  })
  expect((await verifyModel([{ ...model, optional }], home, host, () => {})).map(file => file.state)).toEqual(
    Array(5).fill('whole'),
  )
})

test('what is here is not fetched again', async () => {
  await pullNow()
  const before = fileRequests().length
  await pullNow()
  expect(fileRequests()).toHaveLength(before)
})

test('a connection that is cut goes on where it stopped, and progress never goes back', async () => {
  server.misbehave('well', { fault: 'cut', after: 70_000 }, { fault: 'cut', after: 50_000 })
  await pullNow()
  const ranges = fileRequests().map(entry => entry.range)
  expect(ranges[1]).toBeUndefined()
  expect(Number(/\d+/.exec(ranges[2] ?? '')?.[0])).toBeGreaterThan(0)
  expect(readFileSync(snapshot('onnx/model.onnx'))).toEqual(Buffer.from(files['onnx/model.onnx']))
  const steps = progress.filter(entry => entry.path === 'onnx/model.onnx').map(entry => entry.done)
  expect(steps).toEqual([...steps].sort((a, b) => a - b))
  expect(steps.at(-1)).toBe(300_000)
})

test('a pull that was stopped goes on with the next one', async () => {
  const stop = new AbortController()
  const stopping = { ...options, host: { ...host, signal: stop.signal } }
  server.misbehave('well', { fault: 'cut', after: 100_000 })
  stopping.onProgress = ({ path, done }) => {
    if (path === 'onnx/model.onnx' && done >= 60_000) stop.abort(new Error('stopped'))
  }
  await expect(pullModels(await planPull([model], options), stopping)).rejects.toThrow('stopped')
  const left = statSync(join(repository(), 'blobs', incomplete()[0]!)).size
  expect(left).toBeGreaterThanOrEqual(60_000)
  expect((await inspectModel(model, host)).state).not.toBe('ready')
  await pullNow()
  expect(fileRequests().find(entry => entry.range)?.range).toBe(`bytes=${left}-`)
  expect((await inspectModel(model, host)).state).toBe('ready')
})

test('a server that knows no ranges sends it all, and the file is right', async () => {
  server.misbehave('well', { fault: 'cut', after: 70_000 }, { fault: 'no-range' })
  await pullNow()
  expect(readFileSync(snapshot('onnx/model.onnx'))).toEqual(Buffer.from(files['onnx/model.onnx']))
})

test('a wrong checksum is an error that names both, nothing is linked, and the next pull brings it right', async () => {
  server.misbehave('well', { fault: 'other-bytes' })
  await expect(pullNow()).rejects.toThrow(/onnx\/model\.onnx has the checksum [0-9a-f]{64} instead of [0-9a-f]{64}/)
  expect((await inspectModel(model, host)).state).toBe('missing')
  await pullNow()
  expect((await inspectModel(model, host)).state).toBe('ready')
})

test('a small file is held to the name that git gives it', async () => {
  server.misbehave({ fault: 'other-bytes' })
  await expect(pullNow()).rejects.toThrow(/config\.json has the checksum [0-9a-f]{40} instead/)
})

test('a busy server is asked again; one that stays so is an error after some tries', async () => {
  server.misbehave({ fault: 'status', status: 503 }, { fault: 'status', status: 429, headers: { 'retry-after': '0' } })
  await pullNow()
  await rm(repository(), { recursive: true })
  server.misbehave(...Array(20).fill({ fault: 'status', status: 500 }))
  await expect(pullNow()).rejects.toThrow('answered 500')
})

test('a file that the repository does not have is named, with those that it has', async () => {
  const wrong = { ...model, files: ['onnx/model_q4.onnx'] }
  await expect(planPull([wrong], options)).rejects.toMatchObject({
    message: expect.stringContaining('has no onnx/model_q4.onnx'),
    hint: expect.stringContaining('onnx/model_fp16.onnx'),
  })
})

test('HF_HUB_OFFLINE forbids every request', async () => {
  await use(server, { HF_HUB_OFFLINE: '1' })
  server = await startHubServer(model.name, files)
  await expect(pullNow()).rejects.toThrow('HF_HUB_OFFLINE')
  expect(server.asked).toEqual([])
})

test('the token goes to the hub and not on to where it sends us', async () => {
  await use(await startHubServer(model.name, files, { token: 'hf_secret' }), { HF_TOKEN: 'hf_secret' })
  await pullNow()
  expect(fileRequests().map(entry => entry.authorization)).toEqual(fileRequests().map(() => undefined))
  await use(await startHubServer(model.name, files, { token: 'hf_secret' }))
  await expect(planPull([model], options)).rejects.toMatchObject({ hint: expect.stringContaining('HF_TOKEN') })
})

test('a branch that has moved on is left alone until somebody asks for it', async () => {
  await pullNow()
  const later = 'c0ffee0000000000000000000000000000000002'
  await use(await startHubServer(model.name, { ...files, 'config.json': Buffer.from('{"a":1}') }, { commit: later }))
  await expect(planPull([model], options)).rejects.toThrow('404')
  const updating = { ...options, update: true }
  await pullModels(await planPull([model], updating), updating)
  expect(readFileSync(join(repository(), 'refs', 'main'), 'utf8')).toBe(later)
})

test('verify reads everything again and takes away what is damaged', async () => {
  await pullNow()
  expect((await verifyModel([model], home, host, () => {})).map(file => file.state)).toEqual([
    'whole',
    'whole',
    'whole',
  ])
  const content = join(snapshot('onnx'), readlinkSync(snapshot('onnx/model.onnx')))
  writeFileSync(content, bytes(300_000, 8))
  const damaged = await verifyModel([model], home, host, () => {})
  expect(damaged.filter(file => file.state === 'damaged').map(file => file.path)).toEqual(['onnx/model.onnx'])
  expect((await inspectModel(model, host)).missing).toEqual(['onnx/model.onnx'])
  await pullNow()
  expect((await verifyModel([model], home, host, () => {})).every(file => file.state === 'whole')).toBe(true)
})

test('removing frees what nothing else shows, and forgets the pin', async () => {
  await pullNow()
  expect(await remove(model, home, host)).toBe(500_002)
  expect(await readPins(home)).toEqual({})
  expect((await inspectModel(model, host)).state).toBe('missing')
  await expect(remove(model, home, host)).rejects.toThrow('was not fetched by longtake')
})

test('files that another tool has fetched are found and checked, and never removed', async () => {
  await pullNow()
  await rm(join(home, 'models'), { recursive: true })
  expect((await inspectModel(model, host)).state).toBe('ready')
  expect((await verifyModel([model], home, host, () => {})).map(file => file.state)).toEqual([
    'whole',
    'whole',
    'whole',
  ])
  await expect(remove(model, home, host)).rejects.toThrow('was not fetched by longtake')
})

test('what was pulled opens as a model', async () => {
  const { modelFixture } = await import('../../../../tests/contracts/model-fixture.ts')
  const names = ['tokenizer.json', 'tokenizer_config.json']
  const real = Object.fromEntries(names.map(name => [name, readFileSync(join(modelFixture('sentence'), name))]))
  await use(await startHubServer(model.name, real))
  const plans = await planPull([{ ...model, files: names }], options)
  await pullModels(plans, options)
  const tokenizer = lazyTokenizer(new ModelFolder(join(repository(), 'snapshots', commit)), host)
  expect((await tokenizer.encode(['a car'], { maxTokens: 8 }, host.signal)).width).toBe(4)
  await tokenizer.close()
})

test('a hub that never answers is named within two seconds, and given up after its stall time', async () => {
  const sockets = new Set<{ destroy(): void }>()
  const silent = createServer(socket => sockets.add(socket))
  await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as { port: number }
  const said: { line: string; after: number }[] = []
  const began = performance.now()
  host.environment = { ...host.environment, HF_ENDPOINT: `http://127.0.0.1:${port}` }
  host.say = line => said.push({ line, after: (performance.now() - began) / 1000 })
  try {
    const asked = planPull([model], { ...options, stallSeconds: 3 })
    await expect(asked).rejects.toThrow(`http://127.0.0.1:${port} cannot be reached`)
    expect((performance.now() - began) / 1000).toBeLessThan(6)
    expect(said[0]?.line).toBe(`Waiting for 127.0.0.1:${port} (someone/tiny); after 3 s of silence it is given up.`)
    expect(said[0]?.after).toBeLessThan(2)
  } finally {
    for (const socket of sockets) socket.destroy()
    silent.close()
  }
})

test('a hub that cannot be reached says so at once, and that it is tried again', async () => {
  await server.close()
  const said: string[] = []
  host.say = line => said.push(line)
  await expect(planPull([model], options)).rejects.toThrow(/cannot be reached/)
  expect(said).toHaveLength(5)
  expect(said[0]).toMatch(/cannot be reached.* Trying again in 1 s\.$/)
})
