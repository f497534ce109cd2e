import { cp, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stageNamed } from '../../src/core/words/stage-names.ts'
import { longtakeHere } from './longtake.ts'
import { indexedTown } from './town-video.ts'

let folder: string
let video: string
let whole: string
let answer: string

const question = 'How many paintings does the museum have?'

async function ask(home: string) {
  const ran = await longtakeHere(['ask', video, question, '--json'], { home })
  const text = ran.code === 0 ? JSON.parse(ran.out).answer.text : ran.err
  return { ...ran, text }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longtake-damage-'))
  ;({ video, home: whole } = await indexedTown(join(folder, 'town')))
  const { code, err, text } = await ask(whole)
  expect(code, err).toBe(0)
  answer = text
})
afterAll(() => rm(folder, { recursive: true, force: true }))

// The files of the video's folder in a copy of the library, with what each is called below it.
async function copy(name: string): Promise<{ home: string; files: Map<string, string> }> {
  const home = join(folder, name)
  await cp(whole, home, { recursive: true, preserveTimestamps: true })
  const [id] = await readdir(join(home, 'library'))
  const root = join(home, 'library', id!)
  const files = new Map<string, string>()
  for (const name of await readdir(root, { recursive: true })) {
    const path = join(root, name)
    if ((await stat(path)).isFile()) files.set(name.replace(/\/[0-9a-f]{32}\//, '/'), path)
  }
  return { home, files }
}

async function flipIn(path: string, at: number): Promise<void> {
  const bytes = await readFile(path)
  bytes[Math.min(bytes.length - 1, at)]! ^= 1
  await writeFile(path, bytes)
}

describe('fault 30: a library with damage', () => {
  test.each([
    ['results', (name: string) => /^stages\/.*(?<!meta\.json)$/.test(name), 9],
    ['records of results', (name: string) => /^stages\/.*meta\.json$/.test(name), 9],
    ['record of the video', (name: string) => name === 'video.json', 1],
    ['record of its content', (name: string) => name === 'content.json', 1],
  ])(
    'a changed byte in each of the %s is noticed by the next question, which gets the right answer',
    async (kind, isOne, least) => {
      const { home, files } = await copy(`flip-${kind}`)
      const chosen = [...files].filter(([name]) => isOne(name))
      expect(chosen.length).toBeGreaterThanOrEqual(least)
      for (const [, path] of chosen) await flipIn(path, Math.floor((await stat(path)).size / 2))
      const { code, err, text } = await ask(home)
      expect(code, err).toBe(0)
      expect(text).toBe(answer)
      for (const [name] of chosen)
        expect(err).toMatch(
          name.startsWith('stages') ? `stage "${stageNamed(name.split('/')[1] ?? '')}" is damaged` : /damaged/,
        )
      expect((await ask(home)).err).not.toMatch(/damaged/) // said once
    },
  )

  test('a changed word in the text of the screen is not believed', async () => {
    const { home, files } = await copy('word')
    const path = files.get('stages/text/evidence.jsonl') as string
    await writeFile(path, (await readFile(path, 'utf8')).replace('Room 204', 'Room 777'))
    const { out, err, code } = await longtakeHere(['ask', video, 'What is the room number?', '--json'], { home })
    expect(code, err).toBe(0)
    expect(JSON.parse(out).answer.text).toContain('204')
    expect(err).toContain('The stored result of stage "text" is damaged')
  })

  test('a vector index overwritten with other bytes is made again and crashes nothing', async () => {
    const { home, files } = await copy('vectors')
    const handle = await open(files.get('stages/nearest/vectors.index') as string, 'r+')
    await handle.write(Buffer.alloc(4096, 0x5a), 0, 4096, 64)
    await handle.close()
    const { code, err, text } = await ask(home)
    expect(code, err).toBe(0)
    expect(text).toBe(answer)
    expect(err).toContain('The stored result of stage "vector-index" is damaged')
  })

  test.each([
    ['show', ['show']],
    ['export', ['export', '--format', 'srt']],
    ['search', ['search']],
    ['index', ['index']],
  ])('%s repairs a damaged overview and says so', async (name, [command, ...options]) => {
    const { home, files } = await copy(`overview-${name}`)
    await flipIn(files.get('stages/overview/coverage.json') as string, 40)
    await flipIn(files.get('stages/overview/overview.json') as string, 4)
    const words = command === 'search' ? ['paintings'] : []
    const { code, err } = await longtakeHere([command!, video, ...words, ...options], { home })
    expect(code, err).toBe(0)
    expect(err).toContain('The stored result of stage "overview" is damaged')
  })

  test('a search of the whole library names what is damaged and leaves it to the next index', async () => {
    const { home, files } = await copy('all')
    await flipIn(files.get('stages/text/evidence.jsonl') as string, 40)
    const { code, out, err } = await longtakeHere(['search', 'paintings', '--all'], { home })
    expect(code, err).toBe(6)
    expect(out + err).toContain('its index is damaged (text: evidence.jsonl has other content than was written)')
  })

  test('a lock file with other bytes in it is used as if it were empty', async () => {
    const { home, files } = await copy('lock')
    await writeFile(files.get('lock.sqlite') as string, Buffer.alloc(5000, 0x5a))
    await flipIn(files.get('stages/text/evidence.jsonl') as string, 40)
    const { code, err, text } = await ask(home)
    expect(code, err).toBe(0)
    expect(text).toBe(answer)
  })
})
