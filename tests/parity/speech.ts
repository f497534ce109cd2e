import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, extname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { transcribers } from '../../models/transcribe/index.ts'
import { voiceFinders } from '../../models/voice/index.ts'
import { runScript } from '../../scripts/script.ts'
import type { Finding } from '../../src/core/evidence.ts'
import { spanLength } from '../../src/core/time.ts'
import { notUnderstood } from '../../src/core/words/not-understood.ts'
import { runProgram } from '../../src/media/program/run-program.ts'
import { soundFrom } from '../contracts/sound.ts'
import { wordErrors } from '../support/word-errors.ts'

// Word error rates and processor time of a transcriber beside faster-whisper with the same weights, each on one thread. FOLDER has sound files,
// each with what is said in a text of the same name; where that is empty, every word is one too many.
//   npx tsx tests/parity/speech.ts FOLDER '{"folder": "models/whisper-base", "language": "fr"}' [--backend whisper]
//     [--python venv/bin/python --ctranslate models/whisper-base-ct2 --language fr] [--lines]
// The Python has faster-whisper 1.2.1; the folder of --ctranslate has the weights as it reads them.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    backend: { type: 'string', default: 'whisper' },
    python: { type: 'string' },
    ctranslate: { type: 'string' },
    language: { type: 'string' },
    lines: { type: 'boolean', default: false },
  },
})
const [folder = '.', settings = '{}'] = positionals

// A beam of 5 and its own voice detection; all files in one process, so that the model is loaded once.
const fasterWhisper = `import json, sys, time, faster_whisper
folder, language = sys.argv[1:3]
model = faster_whisper.WhisperModel(folder, device="cpu", compute_type="float32", cpu_threads=1)
for path in sys.argv[3:]:
    begin = time.process_time()
    lines, _ = model.transcribe(path, language=language or None, beam_size=5, vad_filter=True)
    text = " ".join(line.text.strip() for line in lines)
    print(json.dumps({"text": text, "seconds": time.process_time() - begin}), flush=True)`

interface Heard {
  text: string
  seconds: number // of the processor
}

await runScript(async signal => {
  const host = { folder: tmpdir(), environment: process.env, signal, say: console.error }
  const voices = await voiceFinders.open('silero', {}, host)
  const options = values.backend === 'whisper' ? { threads: 1, ...JSON.parse(settings) } : JSON.parse(settings)
  const service = await transcribers.open(values.backend, options, host)
  const paths = (await readdir(folder))
    .filter(file => extname(file) !== '.txt')
    .sort()
    .map(file => join(folder, file))
  const otherTexts = await hearOtherwise(paths, signal)
  const sums = { words: 0, ours: 0, theirs: 0, seconds: 0, work: 0, otherWork: 0 }
  console.log(
    '| file | words | longtake | faster-whisper | ms a second of sound | of faster-whisper | voiced without a line, s |\n|---|---|---|---|---|---|---|',
  )
  for (const [i, path] of paths.entries()) {
    const reference = await readFile(path.replace(/\.\w+$/, '.txt'), 'utf8')
    const args = ['-v', 'error', '-i', path, '-ac', '1', '-ar', '16000', '-f', 'f32le', '-']
    const { stdout } = await runProgram('ffmpeg', args, { signal })
    const audio = soundFrom(new Float32Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.length)))
    const begin = process.cpuUsage()
    const spans = await voices.voices(audio, signal)
    const lines: Finding[] = []
    for await (const line of service.transcribe({ audio, spans }, signal)) lines.push(line)
    const { user, system } = process.cpuUsage(begin)
    const ownSeconds = (user + system) / 1e6
    const { errors, words } = wordErrors(reference, lines.map(({ text }) => text).join(' '))
    const other = otherTexts?.[i]
    const theirs = other && wordErrors(reference, other.text).errors
    const lost = notUnderstood(
      spans,
      lines.map(({ span }) => span),
    ).reduce((sum, span) => sum + spanLength(span), 0)
    sums.words += words
    sums.ours += errors
    sums.theirs += theirs ?? 0
    sums.seconds += audio.duration
    sums.work += ownSeconds
    sums.otherWork += other?.seconds ?? 0
    console.log(
      `| ${basename(path)} | ${words} | ${share(errors, words)} | ${share(theirs, words)} | ${pace(ownSeconds, audio.duration)} | ${pace(other?.seconds, audio.duration)} | ${lost.toFixed(1)} |`,
    )
    if (!values.lines) continue
    if (other) console.log(`    faster-whisper: ${other.text}`)
    for (const { span, text, confidence } of lines)
      console.log(`    ${span.start.toFixed(2)}-${span.end.toFixed(2)} ${confidence} ${text}`)
  }
  const { words, ours, theirs, seconds, work, otherWork } = sums
  console.log(
    `| all | ${words} | ${share(ours, words)} | ${share(otherTexts && theirs, words)} | ${pace(work, seconds)} | ${pace(otherTexts && otherWork, seconds)} | |`,
  )
  await service.close?.()
  await voices.close?.()
})

async function hearOtherwise(paths: readonly string[], signal: AbortSignal): Promise<Heard[] | undefined> {
  const { python, ctranslate, language = '' } = values
  if (!python || !ctranslate) return undefined
  const { stdout } = await runProgram(python, ['-c', fasterWhisper, ctranslate, language, ...paths], { signal })
  return stdout
    .toString('utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Heard)
}

function share(errors: number | undefined, words: number): string {
  if (errors === undefined) return '-'
  return words > 0 ? `${((100 * errors) / words).toFixed(1)} %` : `${errors} words`
}

function pace(work: number | undefined, seconds: number): string {
  return work === undefined ? '-' : ((1000 * work) / seconds).toFixed(0)
}
