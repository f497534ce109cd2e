import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { resolveConfig } from '../src/config/resolve.ts'
import { pageAddress } from '../src/core/api/pages.ts'
import { contentHash } from '../src/core/json.ts'
import type { AskReport, Runtime } from '../src/core/runtime.ts'
import { formatSpan, formatTime, mergeSpans } from '../src/core/time.ts'
import { renderVideo } from '../src/media/render/render-video.ts'
import { createRuntime } from '../src/runtime/runtime.ts'
import { dataHome } from '../src/store/home/home.ts'
import { demoVideo } from './demo-video.ts'
import { live, runScript } from './script.ts'

const folder = join(import.meta.dirname, '..', 'demo')
const path = join(folder, 'demo.mp4')
const program = join(import.meta.dirname, '..', 'bin', 'longtake.mjs')
// What is asked, and what the script of the video holds, so that anybody can compare.
const questions = [
  {
    kind: 'text on a slide',
    ask: 'How much does the new bridge cost?',
    truth: '18 million, on the slide at 0:18-0:44',
  },
  {
    kind: 'said by a speaker',
    ask: 'Where does the market move to?',
    truth: 'to the old railway station, said at 1:52',
  },
  { kind: 'when', ask: 'When is the siren heard?', truth: 'at 1:24-1:30' },
  { kind: 'how many times', ask: 'How many times does the bell ring?', truth: '3 times, at 0:16, 0:52 and 2:12' },
  { kind: 'not in the video', ask: 'Who won the football match?', truth: 'the video does not say' },
]

await runScript(demo)

async function demo(signal: AbortSignal): Promise<void> {
  await makeVideo(signal)
  const environment = process.env
  const config = await resolveConfig({ cwd: folder, environment, flags: { set: ['profile=embedded'] } })
  let video = ''
  const runtime = await createRuntime({ config, home: dataHome(environment), environment })
  try {
    video = await index(runtime, signal)
    for (const { kind, ask, truth } of questions) {
      const began = performance.now()
      const report = await runtime.questions.ask(path, { text: ask }, { signal })
      say(`\nQ  ${ask}  (${kind})`)
      for (const line of answerLines(report)) say(`A  ${line}`)
      say(`   The script of the video says: ${truth}. Answered in ${seconds(began)}.`)
    }
  } finally {
    await runtime.close()
  }
  say('\nNow your own video:  npm run longtake -- ask YOUR_VIDEO.mp4 "Your question?"')
  await showPage(pageAddress('video', { video }), signal)
}

// The page of the video: served until Ctrl-C where somebody sits at a terminal, else only named.
async function showPage(address: string, signal: AbortSignal): Promise<void> {
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    return say(`The page of this video:  npm run longtake -- serve demo --open  (http://127.0.0.1:4747${address})`)
  const server = spawn(process.execPath, [program, 'serve', folder, '--json', '--set', 'profile=embedded'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(server, 'close')
  signal.addEventListener('abort', () => server.kill())
  createInterface({ input: server.stdout }).once('line', line => {
    const { url } = JSON.parse(line)
    say(`The page of this video, until Ctrl-C:  ${new URL(address, url)}${new URL(url).hash}`)
  })
  const [code] = await ended
  process.exitCode = signal.aborted ? 0 : code
}

// Made once; a changed script makes it anew.
async function makeVideo(signal: AbortSignal): Promise<void> {
  const script = demoVideo()
  const scriptHash = contentHash(script)
  const mark = join(folder, 'demo.script')
  await mkdir(folder, { recursive: true })
  if (existsSync(path) && existsSync(mark) && (await readFile(mark, 'utf8')) === scriptHash) {
    say('demo/demo.mp4 is there: three minutes of a made-up town meeting.')
    return
  }
  const began = performance.now()
  say('Making demo/demo.mp4: three minutes of a made-up town meeting with slides, two speakers, a bell and an alarm.')
  const temporary = join(folder, 'demo.part.mp4')
  await renderVideo(script, temporary, { signal, onProgress: (done, total) => progress('rendered', done, total) })
  await rename(temporary, path)
  await writeFile(mark, scriptHash)
  say(`Rendered in ${seconds(began)}.`)
}

async function index(runtime: Runtime, signal: AbortSignal): Promise<string> {
  say('Indexing it: shots, text on screen, speech, sounds.')
  const report = await runtime.videos.index(path, {
    signal,
    watch: event => {
      if (event.type === 'stage' && event.state === 'running' && event.total)
        progress(event.stage, event.done ?? 0, event.total)
    },
  })
  const { speech, sound, text } = report.coverage
  const findings = [
    `${report.overview.shots} shots`,
    `${speech.items} spoken lines`,
    `${text.items} texts on screen`,
    `${sound.items} sounds`,
  ]
  say(`Indexed in ${report.seconds.toFixed(1)} s with the profile "${report.profile}": ${findings.join(', ')}.`)
  return report.video.id
}

// Each sentence with the moments it rests on, unless it names them itself.
function answerLines({ answer, evidence }: AskReport): string[] {
  if (answer.sentences.length === 0) return [answer.text]
  return answer.sentences.map(({ text, cites }) => {
    if (/\[\d+:\d{2}/.test(text)) return text
    const spans = evidence.filter(row => cites.includes(row.id)).map(row => row.span)
    return [text, ...mergeSpans(spans, 1).map(formatSpan)].join(' ')
  })
}

function progress(what: string, done: number, total: number): void {
  live(`${what} ${formatTime(done)} of ${formatTime(total)}`)
}

function say(line: string): void {
  live('')
  console.log(line)
}

function seconds(began: number): string {
  return `${((performance.now() - began) / 1000).toFixed(1)} s`
}
