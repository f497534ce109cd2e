import { execFileSync, spawn } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasFlite } from '../contracts/sound.ts'

const bin = join(import.meta.dirname, '..', '..', 'bin', 'longtake.mjs')
const linux = process.platform === 'linux'
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longtake-short-'))
  const speech = hasFlite ? join(folder, 'said.wav') : undefined
  if (speech) execFileSync('flite', ['-voice', 'rms', '-t', 'The museum has seven hundred paintings.', '-o', speech])
  execFileSync('ffmpeg', [
    ...[
      '-nostdin',
      '-v',
      'error',
      '-f',
      'lavfi',
      '-i',
      'color=white:s=320x180:r=10:d=3,drawtext=text=MUSEUM:fontsize=40:x=40:y=70',
    ],
    ...(speech ? ['-i', speech] : ['-f', 'lavfi', '-i', 'sine=f=440:r=16000:d=3']),
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', join(folder, 'clip.mp4')],
  ])
})
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Ended {
  code: number | null
  out: string
  err: string
}

// A line of the shell that may set limits before it runs "$@": the command line of longtake.
function limited(
  line: string,
  args: string[],
  { home, environment = {} }: { home: string; environment?: Record<string, string> },
): Promise<Ended> {
  const child = spawn('bash', ['-c', line, 'bash', process.execPath, bin, ...args], {
    cwd: folder,
    env: { ...process.env, LONGTAKE_CONFIG: undefined, CI: 'true', LONGTAKE_HOME: join(folder, home), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', piece => {
    out += piece
  })
  child.stderr.setEncoding('utf8').on('data', piece => {
    err += piece
  })
  return new Promise(resolve => child.on('close', code => resolve({ code, out, err })))
}

const index = ['index', 'clip.mp4', '--json']
const withoutSpeech = ['--set', 'index.tracks.speech=false']
const byTesseract = ['--set', 'models.readText.backend=tesseract']

// A program of this name that runs the real one and then dies as by the system's hand.
async function killedAfterwards(program: string): Promise<string> {
  const real = execFileSync('which', [program], { encoding: 'utf8' }).trim()
  const path = join(folder, `killed-${program}`)
  await writeFile(path, `#!/bin/bash\n"${real}" "$@"\nkill -9 $$\n`)
  await chmod(path, 0o755)
  return path
}

async function finished(home: string, stage: string): Promise<string[]> {
  const names = await readdir(join(folder, home), { recursive: true })
  return names.filter(name => name.includes(`stages/${stage}/`) && name.endsWith('meta.json'))
}

// Node 24 needs less of both: WebAssembly fits into the address space that Node 20 lacks here, and files are closed sooner.
const needsMore = Number(process.versions.node.split('.')[0]) < 22

describe.skipIf(!linux)('a machine without enough memory', () => {
  test.skipIf(!needsMore)(
    'fault 27: where one backend gets no memory its track is left out with the reason, and the next run makes it (Node 20: newer ones fit)',
    async () => {
      const home = 'address-space'
      const short = await limited('ulimit -v 4000000; "$@"', [...index, ...withoutSpeech, ...byTesseract], { home })
      expect(short.code, short.err).toBe(6)
      expect(short.err).not.toContain('fault of longtake')
      const { coverage } = JSON.parse(short.out)
      expect(coverage.text).toMatchObject({ state: 'failed', spans: [] })
      expect(coverage.text.note).toMatch(/no memory left.*Tesseract.*disable-wasm-trap-handler/)
      expect([coverage.picture.state, coverage.sound.state]).toEqual(['indexed', 'indexed'])

      const enough = await limited('"$@"', [...index, ...withoutSpeech, ...byTesseract], { home })
      expect(enough.code, enough.err).toBe(0)
      const { stages, coverage: now } = JSON.parse(enough.out)
      expect(now.text.state).toBe('indexed')
      const states = Object.fromEntries(stages.map((one: { stage: string; state: string }) => [one.stage, one.state]))
      expect(states).toMatchObject({ decode: 'reused', vectors: 'reused', sounds: 'reused', text: 'done' })
    },
  )

  test('fault 27: a decoder that the system kills ends the command in a sentence, and half a decoding is never kept', async () => {
    const home = 'killed-decoder'
    const environment = { LONGTAKE_FFMPEG: await killedAfterwards('ffmpeg') }
    const { code, err } = await limited('"$@"', [...index, ...withoutSpeech], { home, environment })
    expect(code, err).toBe(4)
    expect(err).toMatch(/error: ffmpeg ended: the system killed it \(signal 9\).*memory.*\nhint: .*--max-memory/)
    expect(await finished(home, 'decode')).toEqual([])
  })

  test.skipIf(!hasFlite)('fault 27: a recogniser that the system kills costs the speech and nothing else', async () => {
    const environment = { LONGTAKE_POCKETSPHINX_CONTINUOUS: await killedAfterwards('pocketsphinx_continuous') }
    const { code, out, err } = await limited('"$@"', index, { home: 'killed-recogniser', environment })
    expect(code, err).toBe(6)
    const { coverage } = JSON.parse(out)
    expect(coverage.speech.note).toMatch(/pocketsphinx_continuous ended: the system killed it/)
    expect(coverage.text.state).toBe('indexed')
  })

  test('a bound that cannot be kept is refused before anything is made, with one that can', async () => {
    const home = 'refused'
    const { code, err } = await limited('"$@"', [...index, '--max-memory', '160MB'], { home })
    expect(code, err).toBe(2)
    const needed = /needs (\d+) MB in all.*\nhint: Set --max-memory (\d+)MB or more/.exec(err)
    expect(needed?.[1]).toBe(needed?.[2])
    expect(await finished(home, 'decode')).toEqual([])
  })

  test('a bound that can be kept is kept by the whole tree of processes, and changes nothing of the result', async () => {
    const refused = await limited('"$@"', [...index, '--max-memory', '160MB'], { home: 'bound' })
    const megabytes = Number(/needs (\d+) MB/.exec(refused.err)?.[1])
    const tree = watchTree()
    const bound = await limited('"$@"', [...index, '--max-memory', `${megabytes}MB`], { home: 'bound' })
    const most = tree.stop()
    expect(bound.code, bound.err).toBe(0)
    expect(most).toBeGreaterThan(60)
    expect(most).toBeLessThan(megabytes)
    const free = await limited('"$@"', index, { home: 'unbound' })
    const keys = ({ out }: Ended) => JSON.parse(out).stages.map((one: { stage: string; key: string }) => one.key)
    expect(keys(bound).sort()).toEqual(keys(free).sort())
  })
})

describe.skipIf(!linux)('a machine without enough files', () => {
  test.each(needsMore ? [24, 30, 36] : [24])(
    'fault 33: EMFILE with %i files is a sentence that names the limit to raise',
    async files => {
      const { code, err } = await limited(`ulimit -n ${files}; "$@"`, index, { home: 'few-files' })
      expect(code, err).toBe(7)
      expect(err).toMatch(/^error: Too many files are open.*EMFILE.*\nhint: Raise the limit, as "ulimit -n 1024"/m)
      expect(err).not.toMatch(/\n\s+at /)
    },
  )
})

// The most memory of all processes below this one, MB: pages that several share are divided among them (PSS).
function watchTree() {
  let most = 0
  const branch = async (id: string | number): Promise<number> => {
    const threads = await readdir(`/proc/${id}/task`).catch(() => [])
    const lists = await Promise.all(
      threads.map(thread => readFile(`/proc/${id}/task/${thread}/children`, 'utf8').catch(() => '')),
    )
    const below = await Promise.all(lists.join(' ').split(' ').filter(Boolean).map(branch))
    const text = id === process.pid ? '' : await readFile(`/proc/${id}/smaps_rollup`, 'utf8').catch(() => '')
    return below.reduce((sum, one) => sum + one, Number(/^Pss: +(\d+)/m.exec(text)?.[1] ?? 0))
  }
  const timer = setInterval(async () => {
    most = Math.max(most, ((await branch(process.pid)) * 1024) / 1e6)
  }, 50)
  return {
    stop() {
      clearInterval(timer)
      return most
    },
  }
}
