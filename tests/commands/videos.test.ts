import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { InputError, UsageError } from '../../src/core/errors.ts'
import type { SearchQuery } from '../../src/core/video.ts'
import {
  commandLine,
  coverage,
  indexed,
  inMemoryRuntime,
  partialCoverage,
  row,
  rows,
  video,
} from '../support/command-line.ts'

describe('index', () => {
  test('says what it did, and --json has the timeline of the stages', async () => {
    const line = commandLine()
    expect((await line.run('index', 'talk.mp4')).stdout).toMatch(
      /^talk\.mp4: 30:00, indexed in 13 s, id v0123456789abcdef0123\n {2}Searched: /,
    )
    const document = JSON.parse((await line.run('index', 'talk.mp4', '--json')).stdout)
    expect(document).toMatchObject({
      schemaVersion: 1,
      profile: 'embedded',
      id: video.id,
      path: video.path,
      stages: indexed.stages,
      notes: [],
    })
  })

  test('a video of which a part is missing is partial', async () => {
    const { code, stdout } = await commandLine({
      index: async () => ({ ...indexed, coverage: partialCoverage, partial: true }),
    }).run('index', 'talk.mp4')
    expect(code).toBe(6)
    expect(stdout).toContain('15:00-30:00 could not be decoded')
  })

  test('one broken video of several does not stop the others', async () => {
    const line = commandLine({
      index: async path =>
        path === 'bad.mp4'
          ? Promise.reject(new InputError('bad.mp4 is no video.', { hint: 'Copy it again.' }))
          : indexed,
    })
    const { code, stdout } = await line.run('index', 'a.mp4', 'bad.mp4', 'b.mp4', '--json')
    expect(code).toBe(6)
    const { videos } = JSON.parse(stdout)
    expect(videos).toHaveLength(3)
    expect(videos[1]).toEqual({
      path: 'bad.mp4',
      error: { message: 'bad.mp4 is no video.', hint: 'Copy it again.', exitCode: 3 },
    })
    expect((await line.run('index', 'bad.mp4')).code).toBe(3)
    expect((await line.run('index', 'bad.mp4', 'bad.mp4')).code).toBe(3)
  })

  test('what is wrong with the settings stops at the first video', async () => {
    let calls = 0
    const index = async () => {
      calls++
      throw new UsageError('Unknown transcribe backend "wisper".', { hint: 'Did you mean "whisper"?' })
    }
    const { code, stderr } = await commandLine({ index }).run('index', 'a.mp4', 'b.mp4')
    expect([code, calls]).toEqual([2, 1])
    expect(stderr).toContain('hint: Did you mean "whisper"?')
  })
})

describe('a video argument', () => {
  test('may begin with a dash, after -- or where the file is there', async () => {
    const seen: string[] = []
    const line = commandLine({
      index: async path => {
        seen.push(path)
        return indexed
      },
    })
    writeFileSync(join(line.cwd, '-weird.mp4'), '')
    expect((await line.run('index', '--', '-gone.mp4')).code).toBe(0)
    expect((await line.run('index', '-weird.mp4')).code).toBe(0)
    expect((await line.run('index', '--', '-weird.mp4')).code).toBe(0)
    expect((await line.run('index', '-gone.mp4')).stderr).toContain('put -- before it')
    expect(seen).toEqual(['-gone.mp4', './-weird.mp4', '-weird.mp4'])
  })

  test.each([
    '--config=c.mp4',
    '--set=permissions.code=true',
    '--set',
    '--tool=x.mjs',
    '--debug',
    '-V',
    '--config=sub/c.mp4',
  ])('that is called as the option %j stops the command, which asks for -- or ./', async name => {
    const line = commandLine({ index: async () => indexed })
    mkdirSync(dirname(join(line.cwd, name)), { recursive: true })
    writeFileSync(join(line.cwd, name), '')
    writeFileSync(join(line.cwd, 'c.mp4'), '{"permissions":{"code":true}}')
    const { code, stderr } = await line.run('index', name, 'c.mp4')
    expect(code).toBe(2)
    expect(stderr).toContain(`"${name}" is an option, and there is a file of that name here.`)
    expect(stderr).toContain(`"./${name}"`)
    expect((await line.run('index', `./${name}`, 'c.mp4')).code).toBe(0)
    expect((await line.run('index', '--', name, 'c.mp4')).code).toBe(0)
    rmSync(join(line.cwd, name))
    symlinkSync('nowhere', join(line.cwd, name))
    expect((await line.run('index', name, 'c.mp4')).code, 'a link without a target').toBe(2)
  })

  test('may hold quotes, spaces and line breaks', async () => {
    const seen: string[] = []
    const line = commandLine({
      show: async path => {
        seen.push(path)
        return inMemoryRuntime().videos.show(path)
      },
    })
    for (const name of ['it\'s "fine".mp4', 'two\nlines.mp4', 'a|b%03d.mp4']) await line.run('show', name)
    expect(seen).toEqual(['it\'s "fine".mp4', 'two\nlines.mp4', 'a|b%03d.mp4'])
  })
})

describe('search', () => {
  test('lists the moments with the lists that found them', async () => {
    const { code, stdout } = await commandLine().run('search', 'talk.mp4', 'train')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^\[12:04-12:31\] speech: "I have to catch my train" by words\n/)
    const { hits } = JSON.parse((await commandLine().run('search', 'talk.mp4', 'train', '--json')).stdout)
    expect(hits).toEqual([
      { score: 0.5, evidence: expect.objectContaining({ id: rows[0]!.id }), terms: ['train'], lists: ['words'] },
    ])
  })

  test('options become the query, times in any form', async () => {
    let query: SearchQuery | undefined
    const line = commandLine({
      search: async (_, asked) => {
        query = asked
        return { video, hits: [], coverage }
      },
    })
    const flags = [
      '--track',
      'speech',
      '--track',
      'text',
      '--after',
      '0:02:03',
      '--before',
      '62s',
      '--k',
      '4',
      '--nth',
      '2',
    ]
    const { stdout } = await line.run('search', 'talk.mp4', 'x', ...flags)
    expect(query).toEqual({
      query: 'x',
      tracks: ['speech', 'text'],
      after: 123,
      before: 62,
      k: 4,
      nth: 2,
      onlyFitting: true,
      frame: undefined,
    })
    expect(stdout).toContain('Nothing was found for "x".')
    await line.run('search', 'talk.mp4', 'x', '--track', 'sound,text')
    expect(query?.tracks).toEqual(['sound', 'text'])
    await line.run('search', 'talk.mp4', '--frame', '12:04')
    expect(query).toMatchObject({ query: '', frame: 724 })
  })

  test('a wrong time, a wrong number, a wrong track or no query at all is refused', async () => {
    const line = commandLine()
    const said = async (...argv: string[]) => (await line.run('search', 'talk.mp4', ...argv)).stderr
    expect(await said('x', '--after', 'noon')).toContain('--after must be a time, not "noon".')
    expect(await said('x', '--after', '99:99')).toContain('--after must be a time, not "99:99".')
    const asked = await line.run('ask', 'talk.mp4', 'Who speaks?', '--until', '1:99')
    expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining('--until must be a time, not "1:99".') })
    expect(await said('x', '--after', '1:00:00')).toContain('is after the end of the video, which is 30:00 long.')
    expect(await said('--frame', '1801')).toContain('--frame 1801 is after the end of the video')
    expect(await said('x', '--k', '0')).toContain('--k must be a positive integer, not "0".')
    expect(await said('x', '--track', 'spech')).toContain('hint: Did you mean "speech"?')
    expect(await said()).toContain('There is nothing to look for.')
    expect((await line.run('search', '--all')).stderr).toContain('There is nothing to look for.')
  })

  test('without a video, or with --all, every video is searched, and each hit names its own', async () => {
    const asked: SearchQuery[] = []
    const line = commandLine({
      searchAll: async query => {
        asked.push(query)
        return {
          hits: [{ video, evidence: rows[0]!, score: 0.5, lists: ['words'], terms: ['train'] }],
          searched: [{ video, coverage }],
          notSearched: [{ id: 'v1', video: { ...video, name: 'tour.mp4' }, why: 'it has no index', mend: 'Index it.' }],
        }
      },
    })
    const { code, stdout } = await line.run('search', 'the train', '--k', '3')
    expect(code).toBe(6)
    expect(stdout).toMatch(/^talk\.mp4 \[12:04-12:31\] speech: "I have to catch my train" by words\n/)
    expect(stdout).toContain('Searched: 1 of 2 known videos\nNot searched: tour.mp4: it has no index. Index it.')
    const document = JSON.parse((await line.run('search', 'train', '--all', '--json')).stdout)
    expect(document).toMatchObject({
      schemaVersion: 1,
      hits: [{ video: { id: video.id, path: video.path, name: 'talk.mp4' }, evidence: { id: rows[0]!.id } }],
      searched: [{ id: video.id, coverage: { duration: 1800 } }],
      notSearched: [{ id: 'v1', name: 'tour.mp4', why: 'it has no index' }],
    })
    expect(asked).toMatchObject([{ query: 'the train', k: 3 }, { query: 'train' }])
    expect((await line.run('search', 'talk.mp4', 'train', '--all')).stderr).toContain('no video can be named with it')
  })
})

describe('show', () => {
  test('shows chapters, shots, transcript, texts, sounds and coverage', async () => {
    const { stdout } = await commandLine().run('show', 'talk.mp4')
    const titles = ['Chapters', 'Shots (1)', 'Transcript', 'Text on screen', 'Sounds', 'Coverage']
    expect(titles.map(title => stdout.indexOf(`\n${title}\n`)).every((at, i, all) => at > (all[i - 1] ?? 0))).toBe(true)
    expect(stdout).toContain('[10:00-30:00] The train')
  })

  test('one track is only its rows, as text and as JSON', async () => {
    const line = commandLine()
    expect((await line.run('show', 'talk.mp4', '--track', 'sound')).stdout).toBe('[0:02-0:03] sound: door slam\n')
    const document = JSON.parse((await line.run('show', 'talk.mp4', '--track', 'text', '--json')).stdout)
    expect(document.evidence.map((found: { text: string }) => found.text)).toEqual(['DEPARTURES'])
    expect(document).toMatchObject({ schemaVersion: 1, video: { id: video.id, name: 'talk.mp4' }, profile: 'embedded' })
  })
})

describe('export', () => {
  const nasty = [
    row(0, 1.5, 'one --> two\n\n<b>&'),
    row(3661.0006, 3661.0006, '=cmd()', 'text'),
    row(5, 6, '  @x "q",\u001b[0m', 'sound'),
  ]
  const line = commandLine({
    show: async path => ({ ...(await inMemoryRuntime().videos.show(path)), evidence: nasty }),
  })
  const exported = async (...argv: string[]) => (await line.run('export', 'talk.mp4', '--quiet', ...argv)).stdout

  test('srt: numbered cues of what is said, which cannot break out of their cue', async () => {
    expect(await exported('--format', 'srt')).toBe('1\n00:00:00,000 --> 00:00:01,500\none -> two\n<b>&\n')
  })

  test('vtt: escaped, and other tracks where they are named', async () => {
    expect(await exported('--format', 'vtt', '--track', 'speech', '--track', 'text')).toBe(
      'WEBVTT\n\n00:00:00.000 --> 00:00:01.500\none -&gt; two\n&lt;b&gt;&amp;\n\n01:01:01.001 --> 01:01:01.501\n=cmd()\n',
    )
  })

  test('csv: no cell is a formula', async () => {
    const lines = (await exported('--format', 'csv', '--track', 'text', '--track', 'sound')).split('\n')
    expect(lines[0]).toBe('id,start,end,track,text,by,confidence,speaker')
    expect(lines[1]).toContain(',text,"\'=cmd()",')
    expect(lines[2]).toContain(',sound,"\'  @x ""q"",␛[0m",')
  })

  test('json: every row; chapters: a line each', async () => {
    expect(JSON.parse(await exported('--format', 'json'))).toMatchObject({
      schemaVersion: 1,
      evidence: nasty.map(({ id }) => ({ id })),
    })
    expect(await exported('--format', 'chapters')).toBe('0:00 Arrival\n10:00 The train\n')
  })

  test('--out writes the file, and --json then says where', async () => {
    const { code, stdout } = await line.run('export', 'talk.mp4', '--format', 'srt', '--out', 'talk.srt', '--json')
    expect(code).toBe(0)
    const file = join(line.cwd, 'talk.srt')
    expect(JSON.parse(stdout)).toMatchObject({ format: 'srt', bytes: readFileSync(file).length })
    expect(readFileSync(file, 'utf8')).toContain('one -> two')
  })

  test('--out is never the video itself, a device, or in a folder that is not there', async () => {
    const own = join(line.cwd, 'own.mp4')
    writeFileSync(own, 'video')
    symlinkSync(own, join(line.cwd, 'link.srt'))
    const itself = commandLine({
      show: async path => ({ ...(await inMemoryRuntime().videos.show(path)), video: { ...video, path: own } }),
    })
    expect((await itself.run('export', 'x', '--format', 'srt', '--out', join(line.cwd, 'link.srt'))).stderr).toContain(
      'is the video itself',
    )
    expect(readFileSync(own, 'utf8')).toBe('video')
    expect((await line.run('export', 'x', '--format', 'srt', '--out', '/dev/null')).stderr).toContain(
      'is not a regular file',
    )
    expect((await line.run('export', 'x', '--format', 'srt', '--out', 'no/where.srt')).stderr).toContain(
      'does not exist',
    )
    expect((await line.run('export', 'x')).stderr).toContain('--format is missing')
  })
})
