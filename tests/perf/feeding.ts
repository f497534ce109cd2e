import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { GpuMemory, type ModelRequest, type OpenModel, setGpuMemory } from '../../models/onnx/card/card.ts'
import type { Device } from '../../models/onnx/device.ts'
import { PictureConfig } from '../../models/prepare/picture-config.ts'
import { pictureValues } from '../../models/prepare/picture-values.ts'
import { replaceBlock } from '../../scripts/doc-block.ts'
import { resolveConfig } from '../../src/config/resolve.ts'
import type { Frame } from '../../src/core/video.ts'
import { decodeImage, encodeJpeg } from '../../src/media/image.ts'
import { createRuntime } from '../../src/runtime/runtime.ts'
import { modelFixture } from '../contracts/model-fixture.ts'
import { type Feeding, feedSleeping } from '../support/feeding.ts'

// How models are fed: overlap with a model that sleeps, pictures by ffmpeg against JavaScript, and the sessions of one ask.
// npx tsx tests/perf/feeding.ts [--write]
const rounds = 5
const folder = await mkdtemp(join(tmpdir(), 'longtake-feeding-'))
const [load = 0] = loadavg()

// Counts what is opened and closed. With `provider` "cpu" the processor stands for the card.
class CountingCard extends GpuMemory {
  readonly opened: string[] = []
  readonly closed: string[] = []

  override open<Model extends OpenModel>(wanted: ModelRequest, open: (device: Device) => Promise<Model>) {
    return super.open(wanted, async device => {
      const model = await open(device)
      this.opened.push(wanted.name)
      const close = async () => {
        this.closed.push(wanted.name)
        await model.close?.()
      }
      return { ...model, close }
    })
  }
}

try {
  const table = [
    `${availableParallelism()} cores, Node ${process.versions.node}, load ${load.toFixed(1)} at the start${load > 0.5 ? ' (not idle: wall clock means little)' : ''}; the calmest of ${rounds} rounds.`,
    '',
    ...(await overlap()),
    '',
    ...(await pictures()),
    '',
    ...(await sessions()),
  ]
  console.log(table.join('\n'))
  if (process.argv.includes('--write'))
    await replaceBlock(
      'performance.md',
      '<!-- measured: feeding -->',
      '<!-- end of measured feeding -->',
      ['', ...table, ''].join('\n'),
    )
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function overlap(): Promise<string[]> {
  const lines = [
    '| a model that sleeps, batches of 4 pictures of 640x360 | prepares a batch in | model works, of the wall clock | one after the other |',
    '| --- | --- | --- | --- |',
  ]
  const [frame] = noise(640, 360, 1)
  for (const share of [2, 1.5, 1]) {
    const runs: Feeding[] = []
    for (let i = 0; i < rounds; i++) runs.push(await feedSleeping(frame as Frame, { batches: 24, size: 4, share }))
    const [calmest] = runs.sort((a, b) => b.overlap - a.overlap)
    if (calmest)
      lines.push(
        `| ${share} times what it takes to prepare a batch | ${calmest.prepareMs.toFixed(0)} ms | ${calmest.overlap.toFixed(2)} | ${calmest.alone.toFixed(2)} |`,
      )
  }
  return lines
}

// Stills lie as JPEG in one file; a model sees 256x256. Processor time, as the wall clock of a machine that is not idle says little.
async function pictures(): Promise<string[]> {
  const { default: sharp } = await import('sharp')
  const config = PictureConfig.parse({ size: { width: 256, height: 256 } })
  const decoded = (jpegs: Uint8Array[]) => Promise.all(jpegs.map(jpeg => decodeImage(jpeg)))
  const scale = 'scale=256:256:flags=bilinear+accurate_rnd+full_chroma_int'
  const command = `TIMEFORMAT='%U %S'; time ffmpeg -v error -f image2pipe -c:v mjpeg -i - -vf ${scale} -f rawvideo -pix_fmt rgb24 -`
  let elsewhere = 0 // of other programs, seconds
  const ways: Record<string, (jpegs: Uint8Array[]) => Promise<(Uint8Array | Float32Array)[]>> = {
    'decoded by libvips, no more': async jpegs => (await decoded(jpegs)).map(({ rgb }) => rgb),
    'decoded by libvips, made smaller and normalised in JavaScript (what longtake does)': async jpegs =>
      (await decoded(jpegs)).map(frame => pictureValues(frame, config).data),
    'decoded and made smaller by ffmpeg, one process for all': async jpegs => {
      const { stdout, stderr } = spawnSync('bash', ['-c', command], { input: Buffer.concat(jpegs), maxBuffer: 1e9 })
      elsewhere = stderr
        .toString()
        .trim()
        .split(/\s+/)
        .slice(-2)
        .map(Number)
        .reduce((sum, part) => sum + part, 0)
      return jpegs.map((_, i) => stdout.subarray(i * 256 * 256 * 3, (i + 1) * 256 * 256 * 3))
    },
    'decoded and made smaller by libvips': jpegs =>
      Promise.all(
        jpegs.map(jpeg =>
          sharp(jpeg).resize(256, 256, { fit: 'fill', kernel: 'linear', fastShrinkOnLoad: false }).raw().toBuffer(),
        ),
      ),
  }
  const lines = [
    '| a still to 256x256, each of 32, processor time | 640x360 | 1280x720 | from what Pillow makes: mean, largest, of 255 |',
    '| --- | --- | --- | --- |',
  ]
  const sizes: Uint8Array[][] = []
  for (const [width, height] of [
    [640, 360],
    [1280, 720],
  ] as const)
    sizes.push(await Promise.all(noise(width, height, 32).map(frame => encodeJpeg(frame))))
  let exact: Uint8Array[] = []
  for (const [what, way] of Object.entries(ways)) {
    const cells: string[] = []
    let inputs: (Uint8Array | Float32Array)[] = []
    for (const jpegs of sizes) {
      const times: number[] = []
      for (let i = 0; i < rounds; i++) {
        elsewhere = 0
        const before = process.cpuUsage()
        inputs = await way(jpegs)
        const { user, system } = process.cpuUsage(before)
        times.push(((user + system) / 1e6 + elsewhere) / jpegs.length)
      }
      cells.push(`${(Math.min(...times) * 1000).toFixed(1)} ms`)
    }
    const pixels = inputs.map(one => (one instanceof Float32Array ? levels(one) : one))
    if (inputs[0] instanceof Float32Array) exact = pixels
    const far = pixels[0]?.length === exact[0]?.length ? difference(pixels, exact) : ''
    lines.push(`| ${what} | ${cells.join(' | ')} | ${far} |`)
  }
  return lines
}

function difference(made: readonly Uint8Array[], exact: readonly Uint8Array[]): string {
  let sum = 0
  let count = 0
  let most = 0
  for (const [i, picture] of made.entries())
    for (const [at, level] of picture.entries()) {
      const far = Math.abs(level - (exact[i]?.[at] ?? 0))
      sum += far
      count++
      most = Math.max(most, far)
    }
  return `${(sum / count).toFixed(2)}, ${most}`
}

// Channel after channel from -1 to 1, back to levels of pixels.
function levels(values: Float32Array): Uint8Array {
  const area = values.length / 3
  return Uint8Array.from({ length: values.length }, (_, i) =>
    Math.round(((values[(i % 3) * area + Math.floor(i / 3)] as number) * 0.5 + 0.5) * 255),
  )
}

// Moving detail with some noise.
function noise(width: number, height: number, count: number): Frame[] {
  const source = `testsrc2=s=${width}x${height}:r=1,noise=alls=5:allf=t`
  const args = ['-v', 'error', '-f', 'lavfi', '-i', source, '-frames:v', String(count), '-f', 'rawvideo']
  const raw = execFileSync('ffmpeg', [...args, '-pix_fmt', 'rgb24', '-'], { maxBuffer: 1e9 })
  const size = width * height * 3
  return Array.from({ length: count }, (_, time) => ({
    ...{ time, width, height },
    rgb: new Uint8Array(raw.subarray(time * size, (time + 1) * size)),
  }))
}

async function sessions(): Promise<string[]> {
  const video = join(folder, 'clip.mp4')
  const sources = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=10:d=20', '-f', 'lavfi', '-i', 'sine=f=700:d=20']
  execFileSync('ffmpeg', ['-v', 'error', ...sources, '-c:v', 'libx264', '-preset', 'ultrafast', '-shortest', video])
  const model = (role: string, backend: string, fixture: string) => [
    `models.${role}.backend=${backend}`,
    `models.${role}.folder=${modelFixture(fixture)}`,
  ]
  const set = [
    ...['profile=embedded', 'index.tracks.text=false', 'models.voice.backend=silero'],
    ...model('embedImage', 'siglip', 'siglip'),
    ...model('embedText', 'onnx', 'sentence'),
    ...model('hear', 'ast', 'ast'),
  ]
  const lines = [
    '| sessions in one ask (20 s; pictures, sounds, voices and two searches in ONNX) | opened while indexing | left open before the question | opened for the question | closed in all |',
    '| --- | --- | --- | --- | --- |',
  ]
  for (const onCard of [false, true]) {
    const card = new CountingCard(
      async () => 40_000,
      () => onCard,
      'cpu',
    )
    const before = setGpuMemory(card)
    const config = await resolveConfig({ cwd: folder, environment: {}, flags: { set } })
    const runtime = await createRuntime({ config, home: join(folder, `home-${onCard}`), environment: {} })
    const opened = await runtime.questions.openVideo(video)
    const indexed = card.opened.length
    const openSessions = indexed - card.closed.length
    await opened.ask({ text: 'When does a red square move?' })
    await opened.close()
    const askOpened = card.opened.length - indexed
    await runtime.close()
    setGpuMemory(before)
    lines.push(
      `| ${onCard ? 'on a card (the processor stands for it)' : 'on the processor'} | ${indexed} | ${openSessions} | ${askOpened} | ${card.closed.length} |`,
    )
  }
  return lines
}
