import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findProgram } from '../../src/media/program/find-program.ts'
import { h264, mediaFolder, picture } from '../media-fixtures.ts'
import { longtake, longtakeHere } from './longtake.ts'

// A real yt-dlp against a site that lies on this machine.
const ytDlp = await findProgram('yt-dlp')

const media = mediaFolder()
const home = mkdtempSync(join(tmpdir(), 'longtake-fetch-'))
const requests: { path: string; range?: string }[] = []
let stallAt: number | undefined // bytes of a file after which nothing more comes
let site = ''

const pages: Record<string, string> = {
  '/talk.html':
    '<title>A talk</title><video src="/talk.mp4"><track kind="subtitles" src="/talk.vtt" srclang="en"></video>',
  '/two.html': '<title>Two talks</title><video src="/talk.mp4"></video><video src="/other.mp4"></video>',
  '/talk.vtt': 'WEBVTT\n\n00:02.000 --> 00:04.000\nThe carbon budget is forty tons.\n',
}

const server = createServer(async (request, response) => {
  const path = request.url ?? ''
  const { range } = request.headers
  requests.push({ path, range })
  const page = pages[path]
  if (page !== undefined) return response.end(page)
  const file = path === '/talk.mp4' || path === '/other.mp4' ? readFileSync(media.path(path.slice(1))) : undefined
  if (!file) return response.writeHead(404).end()
  const from = Number(/^bytes=(\d+)-/.exec(range ?? '')?.[1] ?? 0)
  const rest = file.subarray(from)
  response.writeHead(range ? 206 : 200, {
    'content-type': 'video/mp4',
    'content-length': rest.length,
    'accept-ranges': 'bytes',
    ...(range && { 'content-range': `bytes ${from}-${file.length - 1}/${file.length}` }),
  })
  if (request.method === 'HEAD') return response.end()
  if (stallAt === undefined) return response.end(rest)
  response.write(rest.subarray(0, stallAt))
})

beforeAll(async () => {
  media.ffmpeg('talk.mp4', picture(6, '320x180'), h264)
  media.ffmpeg('other.mp4', picture(3, '160x90'), h264)
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  media.remove()
  rmSync(home, { recursive: true, force: true })
})
beforeEach(() => {
  requests.length = 0
  stallAt = undefined
})

const cheap = ['--profile', 'embedded', '--set', 'index.tracks={"picture":false,"text":false,"sound":false}', '--json']
const run = (args: string[]) => longtakeHere([...args, ...cheap], { home })
const folders = () => readdirSync(join(home, 'fetched')).map(name => join(home, 'fetched', name))

describe.skipIf(!ytDlp)('a video by its address (skipped: yt-dlp is not installed)', () => {
  test('goes on after it was interrupted, comes with its subtitles, and is fetched once', async () => {
    stallAt = Math.floor(statSync(media.path('talk.mp4')).size / 2)
    const stopping = new AbortController()
    const words = ['ask', `${site}/talk.html`, 'How large is the carbon budget?', ...cheap]
    const stopped = longtake(words, { home, killOn: stopping.signal, signal: 'SIGINT' })
    await expect.poll(partBytes).toBeGreaterThan(0)
    stopping.abort()
    expect((await stopped).code).toBe(130)
    expect((await stopped).err).toContain('The same command resumes it.')

    stallAt = undefined
    requests.length = 0
    const asked = await run(['ask', `${site}/talk.html`, 'How large is the carbon budget?'])
    const { answer, evidence, video } = JSON.parse(asked.out)
    expect(answer.text).toContain('forty tons')
    expect(video.address).toBe(`${site}/talk.html`)
    expect(evidence[0].link).toBe(`${site}/talk.html#t=2`)
    expect(requests.find(({ path, range }) => path === '/talk.mp4' && range && range !== 'bytes=0-')).toBeDefined()

    requests.length = 0
    const again = await run(['ask', `${site}/talk.html`, 'How large is the carbon budget?'])
    expect(JSON.parse(again.out).answer).toEqual(answer)
    expect(requests).toEqual([])
    const searched = await run(['search', `${site}/talk.html`, 'carbon budget', '--track', 'speech'])
    expect(JSON.parse(searched.out).hits[0].evidence.link).toBe(`${site}/talk.html#t=2`)
    const shown = await longtakeHere(['search', `${site}/talk.html`, 'carbon', ...cheap.slice(0, -1)], { home })
    expect(shown.out).toContain(`\n  ${site}/talk.html#t=2\n`)
  })

  test('an address that nobody answers is a matter of the network, and one without its beginning is named', async () => {
    const refused = await run(['ask', 'http://127.0.0.1:9/talk.mp4', 'Who?'])
    expect([refused.code, refused.err]).toEqual([4, expect.stringContaining('the network, or a proxy')])
    const bare = await run(['ask', 'youtu.be/xyz', 'Who?'])
    expect([bare.code, bare.err]).toEqual([3, expect.stringContaining('https://youtu.be/xyz')])
  })

  test('a page of several is fetched with --playlist alone', async () => {
    const refused = await run(['index', `${site}/two.html`])
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('a playlist or page of 2 videos')])
    expect(requests.every(({ path }) => path === '/two.html')).toBe(true)
    const indexed = await run(['index', `${site}/two.html`, '--playlist'])
    const { videos } = JSON.parse(indexed.out)
    expect(videos.map((video: { duration: number }) => video.duration)).toEqual([6, 3])
    requests.length = 0
    await run(['index', `${site}/two.html`, '--playlist'])
    expect(requests.filter(({ path }) => path.endsWith('.mp4'))).toEqual([])
  })

  test('what is not there is said with its reason, and the next video is indexed', async () => {
    const failed = await run(['index', `${site}/none.mp4`, media.path('talk.mp4')])
    const { videos } = JSON.parse(failed.out)
    const [gone, there] = videos
    expect([failed.code, gone.error.message]).toEqual([6, expect.stringMatching(/none\.mp4: .*404/)])
    expect(there.duration).toBe(6)
  })

  test('an argument of yt-dlp can be set, and none can be smuggled in by an address', async () => {
    const set = ['--set', 'fetch.arguments=["--referer","http://example.org/page"]']
    expect((await run(['index', `${site}/other.mp4`, ...set])).code).toBe(0)
    const smuggled = await run(['index', `--exec=touch ${join(home, 'pwned')}`])
    expect(smuggled.code).toBe(2)
    expect(readdirSync(home)).not.toContain('pwned')
  })

  test('videos of a benchmark are fetched to where a run looks for them', async () => {
    const data = join(home, 'bench')
    mkdirSync(data)
    const question = { question_id: '1', task_type: 'x', question: 'What?', options: ['A. a', 'B. b'], answer: 'A' }
    const lines = [
      { video_id: '001', videoID: 'talk-one', url: `${site}/talk.mp4`, ...question },
      { video_id: '002', videoID: 'gone', url: `${site}/none.mp4`, ...question, question_id: '2' },
      { video_id: '003', videoID: 'nowhere', ...question, question_id: '3' },
    ]
    writeFileSync(join(data, 'videomme.jsonl'), lines.map(line => JSON.stringify(line)).join('\n'))
    const bench = (...more: string[]) =>
      longtakeHere(['bench', 'videos', 'video-mme', '--data', data, '--json', ...more], { home })
    const listed = JSON.parse((await bench()).out)
    expect(listed.videos.filter((video: { path?: string }) => video.path)).toEqual([])
    const fetched = await bench('--get')
    const [talk, gone, nowhere] = JSON.parse(fetched.out).videos
    expect(fetched.code).toBe(6)
    expect(talk.path).toBe(join(data, 'data', 'talk-one.mp4'))
    expect(gone.error).toContain('404')
    expect(nowhere).toEqual({ id: 'nowhere', video: 'data/nowhere.mp4', questions: 1 })
  })
})

test('a user, a password and a token of an address are kept and shown nowhere', async () => {
  const before = process.env.LONGTAKE_YT_DLP
  const program = join(home, 'yt-dlp')
  const secrets = ['maryjane', 'opensesame', 's1gned', 'fr4gment']
  const address = 'http://maryjane:opensesame@files.example:8080/talks/a.mp4?policy=s1gned&v=s1gned#fr4gment'
  writeFileSync(
    program,
    `#!${process.execPath}
const args = process.argv.slice(2)
const address = args.at(-1)
if (address.includes('gone')) { console.error('ERROR: [generic] gone: Unsupported URL: ' + address); process.exit(1) }
if (args.includes('--dump-single-json')) console.log(JSON.stringify({ id: 'a', title: 'a', webpage_url: address }))
else {
  const file = args[args.indexOf('--paths') + 1] + '/a.mp4'
  require('node:fs').mkdirSync(require('node:path').dirname(file), { recursive: true })
  require('node:fs').copyFileSync(${JSON.stringify(media.path('talk.mp4'))}, file)
  console.log(JSON.stringify({ title: 'a', webpage_url: address, filepath: file }))
}
`,
    { mode: 0o755 },
  )
  process.env.LONGTAKE_YT_DLP = program
  try {
    const asked = await run(['ask', address, 'What is shown?'])
    const shown = 'http://files.example:8080/talks/a.mp4?policy=redacted&v=redacted'
    expect(JSON.parse(asked.out).video.address).toBe(shown)
    const again = await run(['search', address, 'anything'])
    const exported = await longtakeHere(['export', JSON.parse(asked.out).video.path, '--format', 'json'], { home })
    const gone = await run(['index', address.replace('a.mp4', 'gone'), media.path('other.mp4')])
    expect([again.code, exported.code, gone.code]).toEqual([expect.any(Number), 0, 6])
    const said = [asked, again, exported, gone].map(({ out, err }) => out + err).join('\n')
    const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter(one => one.isFile())
    const kept = files.map(one => readFileSync(join(one.parentPath, one.name), 'latin1')).join('\n')
    for (const secret of secrets)
      expect.soft([said.includes(secret), kept.includes(secret)], secret).toEqual([false, false])
  } finally {
    process.env.LONGTAKE_YT_DLP = before
    if (before === undefined) delete process.env.LONGTAKE_YT_DLP
  }
})

test('without yt-dlp an address is refused with its name, and nothing but ask, chat and index ever fetches', async () => {
  const before = process.env.LONGTAKE_YT_DLP
  process.env.LONGTAKE_YT_DLP = '/nowhere/yt-dlp'
  try {
    const indexed = await run(['index', `${site}/other-talk.mp4`])
    expect([indexed.code, indexed.err]).toEqual([2, expect.stringContaining('yt-dlp must be installed')])
    const searched = await run(['search', `${site}/other-talk.mp4`, 'carbon'])
    expect([searched.code, searched.err]).toEqual([3, expect.stringContaining('has not been fetched')])
    expect(requests).toEqual([])
  } finally {
    process.env.LONGTAKE_YT_DLP = before
    if (before === undefined) delete process.env.LONGTAKE_YT_DLP
  }
})

function partBytes(): number {
  try {
    const parts = folders().flatMap(folder => readdirSync(folder).map(name => join(folder, name)))
    return parts.filter(path => path.endsWith('.part')).reduce((sum, path) => sum + statSync(path).size, 0)
  } catch {
    return 0
  }
}
