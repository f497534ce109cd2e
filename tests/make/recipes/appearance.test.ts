import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SourceRecord } from '../../../eval/recipes/item.ts'
import { decodeFrames } from '../../../src/media/frames.ts'
import { decodeImage, encodeJpeg } from '../../../src/media/image.ts'
import { probe } from '../../../src/media/probe/probe.ts'
import { modelFixture } from '../../contracts/model-fixture.ts'
import { type ChatBody, startChatServer } from '../../servers/chat-server.ts'
import type { FaultServer } from '../../servers/fault-server.ts'
import { type CommandLine, commandLine } from '../../support/command-line.ts'
import { bytesOf } from '../engine/talks.ts'
import { askedFor, quickly, serverSettings } from './own-video.ts'

// Ida stands on the left, in red, in blue, away for 16 seconds, in green; Omar on the right, in white, while she is in blue.
const clothes = ['red', 'blue', undefined, 'green'] as const
const phase = (time: number) => Math.floor(time / 16)
const [left, right] = [
  { x: 100, y: 100, width: 300, height: 800 },
  { x: 600, y: 200, width: 300, height: 700 },
]
const corners = ({ x, y, width, height }: typeof left) => [x, y, x + width, y + height]
const faceIn = ({ x, y }: typeof left) => corners({ x: x + 100, y: y + 20, width: 100, height: 100 })

let line: CommandLine
let server: FaultServer
const phases = new Map<string, number>() // of each frame, by its JPEG
const asked: string[] = []
const crops: string[][] = [] // of each look

const pictureOf = (part: object) => (part as { image_url?: { url: string } }).image_url?.url.split(',')[1]

function replyTo(body: ChatBody): object {
  const { schema, text } = askedFor(body)
  const contents = (body.messages as { content: string | object[] }[]).map(({ content }) => content)
  const pictures = contents.flatMap(content => (typeof content === 'string' ? [] : content.flatMap(pictureOf)))
  asked.push(schema)
  const sent = pictures.filter(picture => picture !== undefined)
  if (schema === 'outfits') {
    crops.push(sent)
    const worn = sent.length === 1 ? ['a white shirt'] : ['a red coat', 'a blue coat', 'a green coat']
    return { content: JSON.stringify({ outfits: worn.map((outfit, at) => ({ outfit, picture: at + 1 })) }) }
  }
  const now = phases.get(sent.at(-1) ?? '')
  if (now === undefined) throw new Error(`A picture for ${schema || text} is no frame of the film.`)
  const isThere = clothes[now] !== undefined
  if (schema === 'things') {
    const boxes = [[0, 0, 1000, 1000], ...(isThere ? [corners(left)] : []), ...(now === 1 ? [corners(right)] : [])]
    return { content: JSON.stringify({ things: boxes.map(box => ({ label: 'person', box })) }) }
  }
  const faces = [
    ...(isThere ? [{ box: faceIn(left), person: 'Ida' }] : []),
    ...(now === 1 ? [{ box: faceIn(right), person: 'Omar' }] : []),
  ]
  return { content: JSON.stringify({ faces }) }
}

function painted(path: string): void {
  const box = ({ x, y, width, height }: typeof left, colour: string, from: number) =>
    `drawbox=x=${1.6 * x}:y=${0.9 * y}:w=${1.6 * width}:h=${0.9 * height}:color=${colour}:t=fill:enable='between(t,${16 * from},${16 * from + 15.99})'`
  const boxes = clothes.flatMap((colour, at) => (colour ? [box(left, colour, at)] : []))
  const filters = [...boxes, box(right, 'white', 1)].join(',')
  // Larger than a whole frame is shown: people are cut out of the frame as it is.
  const input = ['-f', 'lavfi', '-i', 'color=c=gray:s=1600x900:r=2:d=64']
  execFileSync('ffmpeg', ['-v', 'error', ...input, '-vf', filters, '-c:v', 'libx264', '-preset', 'ultrafast', path])
}

const vlm = (role: string) => `models.${role}=${JSON.stringify({ backend: 'vlm', chat: chat() })}`
const chat = () => ({ backend: 'openai', url: server.url, model: 'scripted' })
const seeing = () => [
  ...['faces', 'detect'].flatMap(role => ['--set', vlm(role)]),
  ...serverSettings('look', server.url),
]
const json = (...path: string[]) => JSON.parse(readFileSync(join(line.cwd, ...path), 'utf8'))
const made = (out: string, ...more: string[]) =>
  line.run('bench', 'make', 'infinibench', '--from', 'films', '--out', out, ...quickly, ...more)

beforeAll(async () => {
  line = commandLine()
  server = await startChatServer(['scripted'], replyTo)
  const folder = join(line.cwd, 'films')
  mkdirSync(join(folder, 'cast'), { recursive: true })
  const film = join(folder, 'film.mp4')
  painted(film)
  const times = Array.from({ length: 32 }, (_, at) => 2 * at + 1)
  const frames = await decodeFrames(await probe(film), times, { width: 960 })
  for (const [at, frame] of frames.entries()) {
    const jpeg = Buffer.from(await encodeJpeg(frame, 90)).toString('base64')
    phases.set(jpeg, phase(times[at] ?? 0))
  }
  for (const name of ['ida', 'omar']) writeFileSync(join(folder, 'cast', `${name}.jpg`), await encodeJpeg(frames[0]!))
  const people = ['Ida', 'Omar'].map(name => ({ name, pictures: [`cast/${name.toLowerCase()}.jpg`] }))
  writeFileSync(join(folder, 'film.about.json'), JSON.stringify({ title: 'The Crossing', people }))
})
afterAll(() => server.close())

describe('questions on global appearance', () => {
  test('one a person: what is worn in which order, where the person appears, and from when', async () => {
    const { code, stderr } = await made('set', ...seeing())
    expect([0, 6], stderr).toContain(code)
    const { sightings } = json('set', 'made', 'source', 'film.json') as SourceRecord
    const by = { faces: 'faces/vlm', detect: 'detect/vlm', embedImage: 'embedImage/colour-layout' }
    expect(sightings?.by).toEqual(by)
    expect(sightings?.people.map(({ name, appears, looks }) => [name, appears, looks.map(({ time }) => time)])).toEqual(
      [
        [
          'Ida',
          [
            [0, 32],
            [48, 64],
          ],
          [1, 17, 49],
        ],
        ['Omar', [[16, 32]], [17]],
      ],
    )
    expect(sightings?.people[1]?.looks[0]?.box).toMatchObject({ x: expect.closeTo(0.6), width: expect.closeTo(0.3) })
    const rows = json('set', 'made', 'skills_json', 'global_appearance.json')
    expect(rows.map((row: Record<string, unknown>) => row.temporal_grounding)).toEqual([
      [
        [0, 32],
        [48, 64],
      ],
      [[16, 32]],
    ])
    const [ida, omar] = rows
    expect(ida.options[ida.answer_idx]).toEqual(['a red coat', 'a blue coat', 'a green coat'])
    expect([omar.options[omar.answer_idx], omar.options.length]).toEqual(['a white shirt', 3])
    expect(json('set', 'made', 'kept.json').items[0].extra.from).toEqual([
      ...[
        ['a red coat', 1],
        ['a blue coat', 17],
        ['a green coat', 49],
      ],
    ])
    const { roles, notRun } = json('set', 'benchmark.json')
    expect(roles).toMatchObject(by)
    expect(notRun.filter((why: string) => why.startsWith('outfits'))).toEqual([])
    const card = readFileSync(join(line.cwd, 'set', 'README.md'), 'utf8')
    expect(card).toContain('| faces | faces/vlm | InsightFace |')
  })

  test('the model is shown the people alone, in order, and not told who they are', async () => {
    const shown = await Promise.all(crops[0]!.map(crop => decodeImage(Buffer.from(crop, 'base64'))))
    expect(shown.map(({ width, height }) => [width, height])).toEqual(Array(3).fill([480, 720]))
    const middles = shown.map(({ rgb, width, height }) =>
      [...rgb.subarray(3 * (width * (height >> 1) + (width >> 1)))].slice(0, 3),
    )
    expect(middles.map(rgb => rgb.indexOf(Math.max(...rgb)))).toEqual([0, 2, 1])
    expect(crops.map(({ length }) => length)).toEqual([3, 1])
    expect(asked.filter(name => name === 'faces')).toHaveLength(32)
    expect(asked.filter(name => name === 'things')).toHaveLength(24) // none of the frames that show nobody who is known
  })

  test('what was seen is not looked at again by a resume, nor by a replay, which gives the same bytes', async () => {
    const before = asked.length
    const resumed = await line.run('bench', 'make', '--resume', 'set', ...quickly, ...seeing())
    expect([0, 6], resumed.stderr).toContain(resumed.code)
    const replayed = await line.run('bench', 'make', '--replay', 'set', '--out', 'again')
    expect([0, 6], replayed.stderr).toContain(replayed.code)
    expect(asked.length).toBe(before)
    expect(bytesOf(join(line.cwd, 'again'))).toEqual(bytesOf(join(line.cwd, 'set')))
  })

  test('a dry run looks at nothing and says how many frames and calls it would take', async () => {
    const before = asked.length
    const { code, stdout, stderr } = await made('dry', ...seeing(), '--dry-run')
    expect(code, stderr).toBe(0)
    expect(asked.length).toBe(before)
    expect(`${stdout}${stderr}`).toContain('32 frames for faces/vlm')
    expect(`${stdout}${stderr}`).toContain('outfits: at most 2 calls of make.look')
  })

  test.each([
    ['models.detect is off', () => ['--set', vlm('faces'), ...serverSettings('look', server.url)]],
    ['make.look is off', () => ['--set', vlm('faces'), '--set', vlm('detect')]],
  ])('without a role there are none, and the card says which: %s', async (why, roles) => {
    const before = crops.length
    const out = why.split(' ')[0]!
    const { code, stderr } = await made(out, ...roles())
    expect([0, 6], stderr).toContain(code)
    expect(crops.length).toBe(before)
    expect(json(out, 'benchmark.json').notRun).toContain(`outfits: ${why}`)
    expect(readFileSync(join(line.cwd, out, 'README.md'), 'utf8')).toContain(`- outfits: ${why}`)
    expect(existsSync(join(line.cwd, out, 'made', 'skills_json', 'global_appearance.json'))).toBe(false)
  })

  test('a picture that is not there is named before anything is asked', async () => {
    const about = join(line.cwd, 'films', 'film.about.json')
    const was = readFileSync(about, 'utf8')
    writeFileSync(about, was.replace('omar.jpg', 'nobody.jpg'))
    const before = asked.length
    const { code, stderr } = await made('lost', ...seeing())
    writeFileSync(about, was)
    expect(code).toBe(3)
    expect(stderr).toContain('cast/nobody.jpg is not there')
    expect(asked.length).toBe(before)
  })
})

const shared = fileURLToPath(new URL('../../../../shared/assets/', import.meta.url))
const detector = join(shared, 'models/yunet_n_640.onnx')
const scene = join(shared, 'video/mdn-friday.mp4')
const isThere = existsSync(detector) && existsSync(scene)

describe.skipIf(!isThere)(`real models${isThere ? '' : ' (skipped: the shared files are not here)'}`, () => {
  test('a face found and compared on this machine is followed through the film', async () => {
    const folder = join(line.cwd, 'scenes')
    mkdirSync(folder)
    copyFileSync(scene, join(folder, 'friday.mp4'))
    const [frame] = await decodeFrames(await probe(scene), [3])
    writeFileSync(join(folder, 'hildy.jpg'), await encodeJpeg(frame!, 95))
    const people = [{ name: 'Hildy', pictures: ['hildy.jpg'] }]
    writeFileSync(join(folder, 'friday.about.json'), JSON.stringify({ people }))
    const recognizer = join(modelFixture('face'), 'recognizer.onnx')
    const seenWith = async (out: string, likeness: object) => {
      const faces = { backend: 'yunet', detector, recognizer, ...likeness }
      const owl = { backend: 'owl', folder: modelFixture('owlvit'), threshold: 0 }
      const roles = ['--set', `models.faces=${JSON.stringify(faces)}`, '--set', `models.detect=${JSON.stringify(owl)}`]
      const mute = ['--set', 'index.tracks.speech=false']
      const more = ['--from', 'scenes', '--out', out, ...quickly, ...mute, ...roles]
      const { code, stderr } = await line.run('bench', 'make', 'infinibench', ...more)
      expect([0, 6], stderr).toContain(code)
      return (json(out, 'made', 'source', 'friday.json') as SourceRecord).sightings?.people ?? []
    }
    const [hildy] = await seenWith('friday', {})
    expect(hildy).toMatchObject({ name: 'Hildy', appears: [[0, expect.any(Number)]] })
    expect(await seenWith('strict', { likeness: 1 })).toEqual([])
  })
})
