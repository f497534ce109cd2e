import { chmod, mkdir, mkdtemp, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { StorageError } from '../../core/errors.ts'
import type { StageWriter } from '../../core/stage.ts'
import { sweepTemporary } from '../temporary.ts'
import { findOrMakeStage, findStage, readStage, type StageRequest, stageKey } from './stage.ts'
import { checkStage, listStageResults } from './stage-check.ts'

const identity = { video: 'v1', stage: 'speech', by: 'transcribe/a', settings: { beam: 5 }, inputs: {}, version: '1' }
const key = stageKey(identity)

let folder: string
let made: number
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longtake-stage-'))
  made = 0
})

function request(make: (writer: StageWriter) => Promise<void>, change: Partial<StageRequest> = {}): StageRequest {
  return {
    ...identity,
    folder,
    key,
    signal: new AbortController().signal,
    make: async writer => {
      made++
      await make(writer)
    },
    ...change,
  }
}

const megabyte = 1024 * 1024
const large = async (writer: StageWriter) => {
  const file = await writer.bytes('big.bin')
  for (let block = 0; block < 40; block++) await file.write(new Uint8Array(megabyte).fill(block))
  await file.close()
}

async function flip(file: string, at: number): Promise<void> {
  const handle = await open(file, 'r+')
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, at)
  buffer[0]! ^= 1
  await handle.write(buffer, 0, 1, at)
  await handle.close()
}

const oneLine = (writer: StageWriter) => writer.json('result.json', { said: 'hello' })

test('a stage that got another name finds the results that it stored under its first one, and stores there', async () => {
  const words = { ...identity, stage: 'words' }
  const renamed = { stage: 'full-text', key: stageKey(words) }
  expect(stageKey({ ...identity, stage: 'full-text' })).toBe(renamed.key)
  const before = await findOrMakeStage(request(oneLine, { ...words, key: renamed.key }))
  expect((await findStage(folder, 'full-text', renamed.key))?.folder).toBe(before.folder)
  await rm(before.folder, { recursive: true })
  const { folder: place, reused } = await findOrMakeStage(request(oneLine, renamed))
  expect({ place, reused }).toEqual({ place: join(folder, 'stages', 'words', renamed.key), reused: false })
  expect((await listStageResults(folder, 'full-text')).map(({ stage }) => stage)).toEqual(['words'])
})

describe('the key of a stage', () => {
  test('does not depend on the order in which settings are written', () => {
    const a = stageKey({ ...identity, settings: { beam: 5, words: true } })
    expect(stageKey({ ...identity, settings: { words: true, beam: 5 } })).toBe(a)
  })

  test('changes with the video, the backend, its version, the settings and the inputs', () => {
    const changed = [
      { video: 'v2' },
      { stage: 'text' },
      { by: 'transcribe/b' },
      { version: '2' },
      { settings: { beam: 4 } },
      { inputs: { decode: 'k' } },
    ].map(change => stageKey({ ...identity, ...change }))
    expect(new Set([key, ...changed]).size).toBe(7)
  })
})

describe('a stage', () => {
  test('reads back what was written, with sizes and hashes in its meta file', async () => {
    const result = await findOrMakeStage(
      request(async writer => {
        await writer.json('one.json', { a: 1 })
        expect(await writer.lines('rows.jsonl', [{ n: 1 }, { n: 2 }])).toBe(2)
        const sink = await writer.bytes('sound.pcm')
        const buffer = new Uint8Array(300_000).fill(7)
        await sink.write(buffer)
        buffer.fill(8) // the caller's own buffer, used again
        await sink.write(buffer)
        await sink.close()
        await writeFile(writer.path('index.bin'), 'made by a library')
        writer.note('a note')
      }),
    )
    const reader = readStage(result.folder)
    expect(await reader.json('one.json', z.object({ a: z.number() }))).toEqual({ a: 1 })
    expect(await reader.lines('rows.jsonl', z.object({ n: z.number() }))).toEqual([{ n: 1 }, { n: 2 }])
    const sound = await readFile(reader.path('sound.pcm'))
    expect([sound.length, sound[0], sound[299_999], sound[300_000]]).toEqual([600_000, 7, 7, 8])
    expect(reader.has('index.bin') && !reader.has('other.bin')).toBe(true)
    expect(Object.keys(result.meta.files).sort()).toEqual(['index.bin', 'one.json', 'rows.jsonl', 'sound.pcm'])
    expect(result.meta).toMatchObject({ by: 'transcribe/a', notes: ['a note'], settings: { beam: 5 } })
    expect(result.meta.files['index.bin']!.bytes).toBe(17)
  })

  test('is made once and then reused', async () => {
    const first = await findOrMakeStage(request(oneLine))
    const second = await findOrMakeStage(request(oneLine))
    expect([first.reused, second.reused, made]).toEqual([false, true, 1])
    expect(second.meta).toEqual(first.meta)
  })

  test('that fails leaves nothing behind and is made again next time', async () => {
    const failing = request(async writer => {
      await writer.json('half.json', 1)
      await writer.bytes('open.bin') // and never closed
      throw new Error('the recogniser broke')
    })
    await expect(findOrMakeStage(failing)).rejects.toThrow('the recogniser broke')
    expect(await readdir(join(folder, 'stages', 'speech'))).toEqual([])
    expect((await findOrMakeStage(request(oneLine))).reused).toBe(false)
  })

  test('that is stopped in its work leaves nothing behind', async () => {
    const stop = new AbortController()
    const stopped = request(
      async writer => {
        await oneLine(writer)
        stop.abort(new Error('Ctrl-C'))
      },
      { signal: stop.signal },
    )
    await expect(findOrMakeStage(stopped)).rejects.toThrow('Ctrl-C')
    expect(await readdir(join(folder, 'stages', 'speech'))).toEqual([])
  })

  test('cannot be found before it is whole', async () => {
    await findOrMakeStage(
      request(async writer => {
        await oneLine(writer)
        expect(await findStage(folder, 'speech', key)).toBeUndefined()
      }),
    )
    expect(await findStage(folder, 'speech', key)).toBeDefined()
  })

  test('made twice at the same time is one result', async () => {
    const results = await Promise.all([1, 2, 3].map(() => findOrMakeStage(request(oneLine))))
    expect(new Set(results.map(result => result.folder)).size).toBe(1)
    expect(await readdir(join(folder, 'stages', 'speech'))).toEqual([key])
    expect(new Set(results.map(result => result.meta.finished)).size).toBe(1)
  })

  test('refuses names that could leave its folder, files left open and files promised but never written', async () => {
    for (const name of ['../x', 'a/b', '.hidden', 'meta.json', ''])
      await expect(findOrMakeStage(request(writer => writer.json(name, 1)))).rejects.toThrow(
        'is not a valid name for a file',
      )
    await expect(findOrMakeStage(request(async writer => void (await writer.bytes('a.bin'))))).rejects.toThrow(
      '"a.bin" open',
    )
    await expect(findOrMakeStage(request(async writer => void writer.path('b.bin')))).rejects.toThrow(
      'never wrote its file',
    )
  })
})

describe('a damaged result', () => {
  const damages: [string, (result: string) => Promise<void>][] = [
    ['a file cut short', result => truncate(join(result, 'result.json'), 3)],
    ['a file grown longer', result => writeFile(join(result, 'result.json'), '{"said":"hello, hello"}\n')],
    ['a meta file cut short', result => truncate(join(result, 'meta.json'), 40)],
    ['an empty meta file', result => truncate(join(result, 'meta.json'), 0)],
    ['the meta file of another result', result => writeFile(join(result, 'meta.json'), '{"format":1}')],
  ]

  test.each(damages)('with %s is moved to quarantine and made again', async (_, damage) => {
    const first = await findOrMakeStage(request(oneLine))
    await damage(first.folder)
    const second = await findOrMakeStage(request(oneLine))
    expect([second.reused, made]).toEqual([false, 2])
    expect(second.meta.files).toEqual(first.meta.files)
    expect((await readdir(join(folder, 'quarantine')))[0]).toContain(`speech-${key}`)
  })

  test('fault 30: any changed byte of a result or of its record is noticed by the next use, and the result is made again', async () => {
    let noticed = 0
    for (const name of ['result.json', 'meta.json']) {
      for (let at = 0; ; at += name === 'meta.json' ? 3 : 1) {
        const first = await findOrMakeStage(request(oneLine))
        const file = join(first.folder, name)
        const bytes = await readFile(file)
        if (at >= bytes.length) break
        bytes[at]! ^= 1
        await writeFile(file, bytes)
        const said: string[] = []
        const { meta, reused } = await findOrMakeStage(request(oneLine, { onDamage: line => said.push(line) }))
        const { finished: _, seconds: __, ...content } = meta
        expect(first.meta, `${name} byte ${at}`).toMatchObject(content)
        expect(await readFile(join(first.folder, 'result.json'), 'utf8')).toBe('{"said":"hello"}\n')
        if (!reused) expect(said).toEqual([expect.stringMatching(/^The stored result of stage "speech" is damaged: /)])
        noticed += reused ? 0 : 1
        await rm(join(folder, 'stages'), { recursive: true })
      }
    }
    expect(noticed).toBeGreaterThan(100) // all but blanks and the name of the check
  })

  test('fault 30: a change in a large file is found by its first or last block, and by a full check anywhere', async () => {
    const { folder: result, meta } = await findOrMakeStage(request(large))
    expect(meta.files['big.bin']!.blocks?.sha256).toHaveLength(40)
    for (const at of [0, 40 * megabyte - 1]) {
      await flip(join(result, 'big.bin'), at)
      expect(await findStage(folder, 'speech', key)).toBeUndefined()
      await findOrMakeStage(request(large))
    }
    await flip(join(result, 'big.bin'), 20 * megabyte)
    expect(await checkStage(folder, 'speech', key, 'hashes')).toMatchObject({ state: 'damaged' })
  })

  test('of one stage does not touch the others', async () => {
    const other = await findOrMakeStage(request(oneLine, { stage: 'text' }))
    const first = await findOrMakeStage(request(oneLine))
    await truncate(join(first.folder, 'result.json'), 1)
    await findOrMakeStage(request(oneLine))
    expect((await findStage(folder, 'text', key))?.meta).toEqual(other.meta)
  })

  test('that slips past the sizes is told with its place, not misread', async () => {
    const { folder: result } = await findOrMakeStage(
      request(writer => writer.lines('rows.jsonl', [{ n: 1 }, { n: 2 }]).then()),
    )
    const file = join(result, 'rows.jsonl')
    await writeFile(file, (await readFile(file, 'utf8')).replace('2', 'x'))
    const reading = readStage(result).lines('rows.jsonl', z.object({ n: z.number() }))
    await expect(reading).rejects.toThrow(/rows\.jsonl \(line 2\) of stage "speech" cannot be read/)
  })

  test('fault 31: is told from one of a newer longtake, which is refused and left as it is', async () => {
    const { folder: result } = await findOrMakeStage(request(oneLine))
    await writeFile(join(result, 'meta.json'), '{"format":7}')
    await expect(findOrMakeStage(request(oneLine))).rejects.toThrow(/newer longtake \(format 7/)
    expect(await readFile(join(result, 'meta.json'), 'utf8')).toBe('{"format":7}')
    expect(made).toBe(1)
  })
})

describe('leftovers of killed runs', () => {
  test('are swept, while what this process works on stays', async () => {
    const stages = join(folder, 'stages', 'speech')
    await mkdir(join(stages, '.tmp-dead', 'x'), { recursive: true })
    await findOrMakeStage(
      request(async writer => {
        expect(await sweepTemporary(folder)).toEqual([join(stages, '.tmp-dead')])
        await oneLine(writer)
      }),
    )
    expect(await readdir(stages)).toEqual([key])
  })
})

// Root may write anywhere, so the mode of a folder refuses nothing.
test.skipIf(process.getuid?.() === 0)(
  'a folder that may not be written is told in a sentence [not as root]',
  async () => {
    await mkdir(join(folder, 'stages'))
    await chmod(join(folder, 'stages'), 0o500)
    const error = await findOrMakeStage(request(oneLine)).catch(error => error)
    expect(error).toBeInstanceOf(StorageError)
    expect(error.message).toMatch(/this user may not write there/)
  },
)

test('a file in the place of the stages folder is told in a sentence', async () => {
  await writeFile(join(folder, 'stages'), '')
  const error = await findOrMakeStage(request(oneLine)).catch(error => error)
  expect(error).toBeInstanceOf(StorageError)
  expect(error.message).toMatch(/^Could not write stage "speech" in .*: a file lies where a folder is needed/)
  expect((await stat(join(folder, 'stages'))).size).toBe(0)
})
