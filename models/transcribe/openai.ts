import { z } from 'zod'
import type { Backend } from '../../src/core/backend.ts'
import { inOrder } from '../../src/core/basics/in-order.ts'
import type { Transcriber } from '../../src/core/services.ts'
import type { Span } from '../../src/core/time.ts'
import type { AudioSource } from '../../src/core/video.ts'
import { wavBytes } from '../../src/media/audio.ts'
import { keyNeed, namingModels, openaiServer, openaiSettings, openOpenai } from '../http/openai.ts'
import { readReplyJson } from '../http/read-json.ts'
import type { RequestAttempt, Server } from '../http/server.ts'
import { ServerError } from '../http/server-error.ts'
import { hearEverySpan } from './hear-every-span.ts'
import { heardLines, Transcript } from './openai-transcript.ts'
import { withoutLoops } from './speech-lines.ts'
import { type Reel, reelBytes, reels } from './splice-speech.ts'

const settings = z.strictObject({
  ...openaiSettings,
  model: z.string({ error: 'name the model that the server runs' }).min(1),
  path: z
    .string()
    .default('audio/transcriptions')
    .describe('below the URL; "inference" for a plain whisper.cpp server'),
  language: z.string().optional().describe('as "en"; without it, of the audio track, or found by the model'),
  prompt: z.string().optional().describe('names and terms that occur, to spell them right'),
  windowSeconds: z.number().min(5).max(1200).default(120).describe('seconds of speech in one call'),
})
type Settings = z.infer<typeof settings>

const maxPiece = 30 // seconds: what Whisper hears at once

// The transcription endpoint: servers of faster-whisper and whisper.cpp, vLLM, hosted ones. Words or lines need times.
const openai: Backend<Transcriber, Settings> = {
  summary: 'speech to text behind any OpenAI-compatible server',
  version: '1',
  reaches: 'network',
  server: openaiServer,
  settings,
  needs: keyNeed,
  async open(chosen, host) {
    const server = openOpenai('transcribe/openai', chosen, host, chosen.path.startsWith('audio/') ? '/v1' : '')
    const form: Form = { kind: 'verbose_json', say: line => host.say(`${server.name}: ${line}`) }
    async function* lines(audio: AudioSource, spans: Span[], language: string | undefined, signal: AbortSignal) {
      const packed = reels(audio, spans, { length: chosen.windowSeconds, maxPiece })
      const heard = inOrder(packed, chosen.limits.concurrency, signal, async (reel, stop) =>
        heardLines(await listen(server, chosen, form, await wav(audio, reel), language, stop), reel, server.name),
      )
      for await (const finding of heard) yield* finding
    }
    return {
      transcribe: ({ audio, spans, language }, signal) =>
        withoutLoops(hearEverySpan(spans, parts => lines(audio, parts, chosen.language ?? language, signal))),
      close: () => server.close(),
    }
  },
}

export default openai

// The response format: with times, or without where the server does not support it.
interface Form {
  kind: 'verbose_json' | 'json'
  say(line: string): void
}

async function listen(
  server: Server,
  chosen: Settings,
  form: Form,
  wav: Uint8Array<ArrayBuffer>,
  language: string | undefined,
  signal: AbortSignal,
): Promise<Transcript> {
  const { kind } = form
  const { type, body } = await requestBody(chosen, kind, wav, language)
  const post = (asking: RequestAttempt) => asking.post(chosen.path, body, { 'content-type': type })
  try {
    return await server.call(signal, async asking =>
      readReplyJson(await namingModels(asking, chosen.model, () => post(asking)), Transcript),
    )
  } catch (error) {
    if (kind === 'json' || !refusesTimes(error)) throw error
    if (form.kind === kind)
      form.say(`The server gives no times (${error.details.said}); it is asked only for the text.`)
    form.kind = 'json'
    return listen(server, chosen, form, wav, language, signal)
  }
}

function refusesTimes(error: unknown): error is ServerError {
  if (!(error instanceof ServerError)) return false
  const { status = 0, said = '' } = error.details
  return (status === 400 || status === 422) && /verbose_json|response_format|timestamp_granularities/.test(said)
}

async function requestBody(
  chosen: Settings,
  kind: Form['kind'],
  wav: Uint8Array<ArrayBuffer>,
  language: string | undefined,
): Promise<{ type: string; body: Uint8Array }> {
  const form = new FormData()
  form.append('file', new Blob([wav], { type: 'audio/wav' }), 'speech.wav')
  form.append('model', chosen.model)
  form.append('response_format', kind)
  if (kind === 'verbose_json') {
    form.append('timestamp_granularities[]', 'word')
    form.append('timestamp_granularities[]', 'segment')
  }
  form.append('temperature', '0')
  if (language) form.append('language', twoLetters(language))
  if (chosen.prompt) form.append('prompt', chosen.prompt)
  const encoded = new Response(form)
  const type = encoded.headers.get('content-type') ?? ''
  return { type, body: new Uint8Array(await encoded.arrayBuffer()) }
}

async function wav(audio: AudioSource, reel: Reel): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await reelBytes(audio, reel)
  const samples = new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)
  return Uint8Array.from(wavBytes(Float32Array.from(samples, sample => sample / 32_768)))
}

// Tracks are tagged "eng", servers expect "en"; a language without a short form is sent as it is.
function twoLetters(language: string): string {
  try {
    return new Intl.Locale(language).language
  } catch {
    return language
  }
}
