import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, extname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { transcribers } from '../../models/transcribe/index.ts'
import { voiceFinders } from '../../models/voice/index.ts'
import { runScript } from '../../scripts/script.ts'
import type { Finding } from '../../src/core/evidence.ts'
import { notUnderstood } from '../../src/core/not-understood.ts'
import { spanLength } from '../../src/core/time.ts'
import { runProgram } from '../../src/media/program/run-program.ts'
import { soundFrom } from '../contracts/sound.ts'
import { wordErrors } from '../support/word-errors.ts'

// Word error rates of a transcriber beside faster-whisper with the same weights. FOLDER has sound files, each with what is said in a
// text of the same name; where that is empty, every word is one too many.
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

await runScript(async signal => {
  const host = { folder: tmpdir(), environment: process.env, signal, say: console.error }
  const voices = await voiceFinders.open('silero', {}, host)
  const service = await transcribers.open(values.backend, JSON.parse(settings), host)
  const files = (await readdir(folder)).filter(file => extname(file) !== '.txt').sort()
  const sums = { words: 0, ours: 0, theirs: 0 }
  console.log('| file | words | longtake | faster-whisper | voiced without a line, s |\n|---|---|---|---|---|')
  for (const file of files) {
    const path = join(folder, file)
    const reference = await readFile(path.replace(/\.\w+$/, '.txt'), 'utf8')
    const args = ['-v', 'error', '-i', path, '-ac', '1', '-ar', '16000', '-f', 'f32le', '-']
    const { stdout } = await runProgram('ffmpeg', args, { signal })
    const audio = soundFrom(new Float32Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.length)))
    const spans = await voices.voices(audio, signal)
    const lines: Finding[] = []
    for await (const line of service.transcribe({ audio, spans }, signal)) lines.push(line)
    const ours = wordErrors(reference, lines.map(({ text }) => text).join(' '))
    const theirs = await besides(path, reference, signal)
    const lost = notUnderstood(
      spans,
      lines.map(({ span }) => span),
    ).reduce((sum, span) => sum + spanLength(span), 0)
    sums.words += ours.words
    sums.ours += ours.errors
    sums.theirs += theirs ?? 0
    console.log(
      `| ${basename(file)} | ${ours.words} | ${share(ours.errors, ours.words)} | ${share(theirs, ours.words)} | ${lost.toFixed(1)} |`,
    )
    if (!values.lines) continue
    for (const { span, text, confidence } of lines)
      console.log(`    ${span.start.toFixed(2)}-${span.end.toFixed(2)} ${confidence} ${text}`)
  }
  console.log(`| all | ${sums.words} | ${share(sums.ours, sums.words)} | ${share(sums.theirs, sums.words)} | |`)
  await service.close?.()
  await voices.close?.()
})

// Wrong words of faster-whisper, with a beam of 5 and its own voice detection.
async function besides(path: string, said: string, signal: AbortSignal): Promise<number | undefined> {
  const { python, ctranslate, language = '' } = values
  if (!python || !ctranslate) return undefined
  const program = `import sys, faster_whisper
model = faster_whisper.WhisperModel(sys.argv[1], device="cpu", compute_type="float32")
lines, _ = model.transcribe(sys.argv[2], language=sys.argv[3] or None, beam_size=5, vad_filter=True)
print(" ".join(line.text.strip() for line in lines))`
  const { stdout } = await runProgram(python, ['-c', program, ctranslate, path, language], {
    signal,
    timeoutSeconds: 600,
  })
  const text = stdout.toString('utf8')
  if (values.lines) console.log(`    faster-whisper: ${text.trim()}`)
  return wordErrors(said, text).errors
}

function share(errors: number | undefined, words: number): string {
  if (errors === undefined) return '-'
  return words > 0 ? `${((100 * errors) / words).toFixed(1)} %` : `${errors} words`
}
