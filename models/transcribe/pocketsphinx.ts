import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { Backend, Host } from '../../src/core/backend.ts'
import { inOrder } from '../../src/core/basics/in-order.ts'
import { BackendError } from '../../src/core/errors.ts'
import type { Word } from '../../src/core/evidence.ts'
import { countFitting } from '../../src/core/machine/memory.ts'
import type { Transcriber } from '../../src/core/services.ts'
import { type Span, spanLength } from '../../src/core/time.ts'
import type { AudioSource } from '../../src/core/video.ts'
import { findProgram } from '../../src/media/program/find-program.ts'
import { explainExit, killed, killedHint, runProgram } from '../../src/media/program/run-program.ts'
import { isFile } from '../is-file.ts'
import { refuseOtherThanEnglish } from './english-only.ts'
import { hearEverySpan } from './hear-every-span.ts'
import { speechLines } from './speech-lines.ts'
import { type Reel, reelBytes, reels, videoTime, withLeadIn } from './splice-speech.ts'

const program = 'pocketsphinx_continuous'

const Settings = z.strictObject({
  processes: z
    .number()
    .int()
    .positive()
    .default(Math.max(1, availableParallelism() - 1))
    .describe('among how many recognisers the speech is divided'),
  atOnce: z.number().int().positive().optional().describe('how many of them run side by side; without it, all'),
  model: z.string().optional().describe('folder of an acoustic model; without it, the installed English one'),
  dictionary: z.string().optional().describe('pronunciation dictionary that goes with the model'),
  languageModel: z.string().optional().describe('language model that goes with the model'),
})
type Settings = z.infer<typeof Settings>

const recogniserMegabytes = 115
const soundMegabytes = 45 // of the reels in work
const leadIn = 8 // seconds heard twice by each process
const maxPiece = 20 // seconds
const margin = 0.2 // seconds heard around each span
const reelLength = { min: 20, max: 120 } // seconds: one process each

const pocketsphinx: Backend<Transcriber, Settings> = {
  summary: 'English speech to text with the small recogniser of the operating system; weak in noise and on telephones',
  version: '1',
  selfContained: true,
  settings: Settings,
  needs: settings => [
    {
      name: `the program ${program}`,
      met: async host => (await findProgram(program, host.environment)) !== undefined,
      mend: 'apt-get install -y pocketsphinx pocketsphinx-en-us',
    },
    {
      name: settings.model ? `the acoustic model ${settings.model}` : 'the English model of pocketsphinx',
      met: () => hasModel(settings),
      mend: settings.model
        ? 'Set models.transcribe.model to a folder that holds a file "mdef".'
        : 'apt-get install -y pocketsphinx-en-us',
    },
  ],
  memory(settings, room) {
    const atOnce = countFitting(settings.atOnce ?? settings.processes, recogniserMegabytes, soundMegabytes, room)
    return { settings: { ...settings, atOnce }, megabytes: soundMegabytes + atOnce * recogniserMegabytes }
  },
  async open(settings, host) {
    async function* lines(audio: AudioSource, spans: Span[], signal: AbortSignal) {
      const seconds = spans.reduce((sum, span) => sum + spanLength(span), 0)
      const length = Math.min(reelLength.max, Math.max(reelLength.min, seconds / settings.processes))
      const packed = reels(audio, spans, { length, maxPiece, margin })
      const heard = inOrder(packed, settings.atOnce ?? settings.processes, signal, (reel, stop) =>
        listen(audio, reel, settings, host, stop),
      )
      for await (const words of heard) yield* speechLines(words.filter(word => isWithin(word, spans)))
    }
    return {
      async *transcribe({ audio, spans, language }, signal) {
        if (!settings.model) refuseOtherThanEnglish('pocketsphinx', language, otherLanguage)
        yield* hearEverySpan(spans, parts => lines(audio, parts, signal))
      },
    }
  },
}

export default pocketsphinx

const otherLanguage =
  'Choose another transcribe backend, or name a model of that language with models.transcribe.model.'

const usual = ['/usr/share', '/usr/local/share', '/opt/homebrew/share'].map(folder =>
  join(folder, 'pocketsphinx/model/en-us/en-us'),
)

async function hasModel({ model }: Settings): Promise<boolean> {
  for (const folder of model ? [model] : usual) if (await isFile(join(folder, 'mdef'))) return true
  return false
}

async function listen(
  audio: AudioSource,
  reel: Reel,
  settings: Settings,
  host: Host,
  signal: AbortSignal,
): Promise<Word[]> {
  const whole = withLeadIn(reel, leadIn)
  const path = (await findProgram(program, host.environment)) ?? program
  const { code, stdout, stderr } = await runProgram('sh', ['-c', pipe, path, ...options(settings)], {
    input: await reelBytes(audio, whole),
    signal,
    timeoutSeconds: 120 + whole.seconds * 20,
    failure: 'return',
  })
  if (code !== 0) {
    if (code === killed) throw new BackendError(`${program} ended: ${explainExit(code, stderr)}.`, { hint: killedHint })
    const reason = stderr.split('\n').findLast(line => /^(ERROR|FATAL)/.test(line)) ?? stderr.trim().split('\n').at(-1)
    throw new BackendError(`${program} stopped with code ${code}: ${reason}`)
  }
  return sphinxWords(stdout.toString('utf8'))
    .filter(word => word.start >= whole.from)
    .map(word => ({ ...word, ...timesIn(whole, word) }))
}

// The words in what "pocketsphinx_continuous -time yes" prints: lines of a word, its start, its end and its confidence.
// Markers of silence, noise and sentences are left out; "read(2)" is the second way to say "read".
export function sphinxWords(output: string): Word[] {
  const lines = output.matchAll(/^(\S+) (\d+\.\d{3}) (\d+\.\d{3}) (\d\.\d{6})$/gm)
  return [...lines].flatMap(([, word = '', start, end, confidence]) => {
    if (/^(<.*>|\[.*\]|\+\+.*\+\+)$/.test(word)) return []
    const text = word.replace(/\(\d+\)$/, '')
    return [{ text, start: Number(start), end: Number(end), confidence: Math.min(1, Number(confidence)) }]
  })
}

// The recogniser opens its input by name. Node's pipes are sockets, which cannot be opened so; those of the shell can.
const pipe = 'cat | "$0" -infile /dev/stdin "$@"'

// Noise removal of the recogniser costs accuracy on clean speech and brings none in noise.
function options({ model, dictionary, languageModel }: Settings): string[] {
  const chosen = { '-hmm': model, '-dict': dictionary, '-lm': languageModel }
  const programOptions = Object.entries(chosen).flatMap(([name, value]) => (value ? [name, value] : []))
  return ['-time', 'yes', '-remove_noise', 'no', ...programOptions]
}

function isWithin({ start, end }: Span, spans: readonly Span[]): boolean {
  const middle = (start + end) / 2
  return spans.some(span => middle >= span.start && middle <= span.end)
}

function timesIn(reel: Reel, word: Span): Span {
  const start = videoTime(reel, word.start)
  return { start, end: Math.max(start, videoTime(reel, word.end)) }
}
