import { createRequire } from 'node:module'
import type { Diarised, SherpaJob, SherpaReply } from './messages.ts'

// A process of its own: native code that crashes ends this one and nothing else.

interface Wave {
  samples: Float32Array
  sampleRate: number
}
interface Stream {
  acceptWaveform(wave: Wave): void
  inputFinished(): void
}
interface Diarisation {
  setConfig(config: object): void
  process(samples: Float32Array): { start: number; end: number; speaker: number }[]
}
interface Extractor {
  createStream(): Stream
  compute(stream: Stream, external: boolean): Float32Array
}
interface Recogniser {
  createStream(): Stream
  decode(stream: Stream): void
  getResult(stream: Stream): unknown
}
interface Sherpa {
  OfflineSpeakerDiarization: new (config: object) => Diarisation
  SpeakerEmbeddingExtractor: new (config: object) => Extractor
  OfflineRecognizer: new (config: object) => Recogniser
}

const sampleRate = 16_000
const longest = 30 // seconds of a voice that its vector is made of

let diarisation: Diarisation | undefined
let clustering: object = {}
let extractor: Extractor | undefined
let recogniser: Recogniser | undefined

function runJob(job: SherpaJob): unknown {
  switch (job.kind) {
    case 'open diarisation': {
      const sherpa = load(job.package)
      clustering = job.config.clustering
      diarisation = new sherpa.OfflineSpeakerDiarization(job.config)
      extractor = new sherpa.SpeakerEmbeddingExtractor(job.embedding)
      return undefined
    }
    case 'diarise':
      opened(diarisation).setConfig({ clustering: { ...clustering, numClusters: job.speakers ?? -1 } })
      return diarise(opened(diarisation), opened(extractor), job.samples)
    case 'open recogniser':
      recogniser = new (load(job.package).OfflineRecognizer)(job.config)
      return undefined
    case 'recognise': {
      const stream = opened(recogniser).createStream()
      stream.acceptWaveform({ samples: job.samples, sampleRate })
      opened(recogniser).decode(stream)
      return opened(recogniser).getResult(stream)
    }
  }
}

function load(path: string): Sherpa {
  return createRequire(path)(path) as Sherpa
}

function opened<Thing>(thing: Thing | undefined): Thing {
  if (!thing) throw new Error('its models are not open')
  return thing
}

function diarise(open: Diarisation, voices: Extractor, samples: Float32Array): Diarised {
  const turns = open
    .process(samples)
    .map(({ start, end, speaker }) => ({ span: { start, end }, speaker }))
    .sort((a, b) => a.span.start - b.span.start)
  const vectors = [...new Set(turns.map(turn => turn.speaker))].map(speaker => {
    const ownTurns = turns.filter(turn => turn.speaker === speaker)
    const stream = voices.createStream()
    let seconds = 0
    for (const { span } of ownTurns) {
      const end = Math.min(span.end, span.start + Math.max(0, longest - seconds))
      if (end > span.start)
        stream.acceptWaveform({ samples: samples.slice(span.start * sampleRate, end * sampleRate), sampleRate })
      seconds += span.end - span.start
    }
    stream.inputFinished()
    return { speaker, seconds, vector: voices.compute(stream, false) }
  })
  return { turns, voices: vectors }
}

process.on('message', job => {
  let reply: SherpaReply
  try {
    reply = { result: runJob(job as SherpaJob) }
  } catch (error) {
    reply = { error: error instanceof Error ? error.message : String(error) }
  }
  process.send?.(reply)
})
process.on('disconnect', () => process.exit())
process.stdin.on('end', () => process.exit()).resume()
