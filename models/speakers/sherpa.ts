import { z } from 'zod'
import type { Backend, Host } from '../../src/core/backend.ts'
import type { SpeakerFinder, SpeakerTurn } from '../../src/core/services.ts'
import type { AudioSource } from '../../src/core/video.ts'
import { hubModel, hubSettings, modelNeeds, modelSetting, openModelFolder } from '../hub/hub-model.ts'
import type { Diarised } from '../sherpa/messages.ts'
import { sherpaPackage, sherpaSettings } from '../sherpa/package.ts'
import { type SherpaModel, sherpaModel } from '../sherpa/sherpa-process.ts'
import { quietest } from '../transcribe/splice-speech.ts'

// Short names for repositories of the hub with a model that finds turns.
const models = {
  'pyannote-3': 'csukuangfj/sherpa-onnx-pyannote-segmentation-3-0',
  'reverb-1': 'csukuangfj/sherpa-onnx-reverb-diarization-v1',
}
// Short names for files of one repository, models that tell voices apart.
const voiceModels = {
  campplus: '3dspeaker_speech_campplus_sv_zh_en_16k-common_advanced.onnx', // Chinese and English
  eres2net: '3dspeaker_speech_eres2net_sv_en_voxceleb_16k.onnx', // English
}
const voiceRepository = 'csukuangfj/speaker-embedding-models'

const Settings = z.strictObject({
  model: modelSetting(models, 'pyannote-3'),
  voiceModel: z
    .string()
    .min(1)
    .default('campplus')
    .describe(`${Object.keys(voiceModels).join(', ')}, or a file of ${voiceRepository}: tells voices apart`),
  revision: hubSettings.revision,
  folder: z
    .string()
    .min(1)
    .optional()
    .describe('a folder of your own with segmentation.onnx and embedding.onnx, instead of the hub'),
  count: z.number().int().positive().max(100).optional().describe('how many speak, where that is known'),
  threshold: z
    .number()
    .min(0)
    .max(2)
    .default(0.5)
    .describe('where it is not: how unlike (1 - cosine) two voices of one speaker may be; less gives more speakers'),
  minSpeech: z.number().min(0).default(0.3).describe('seconds: shorter turns are left out'),
  minPause: z.number().min(0).default(0.5).describe('seconds: shorter pauses do not end a turn'),
  ...sherpaSettings,
})
type Settings = z.infer<typeof Settings>

const block = 600 // seconds that are clustered together: the work grows with their square

const megabytes = 400 // 300 measured over a block with tiny models, and room for real ones

const sherpa: Backend<SpeakerFinder, Settings> = {
  summary: 'speaker diarisation by sherpa-onnx: a model of turns, one of voices, and clustering',
  version: '1',
  settings: Settings,
  needs: settings => [
    sherpaPackage.need(settings.packageFolder),
    ...[...new Set(speakerModels(settings))].flatMap(modelNeeds),
  ],
  memory: settings => ({ settings, megabytes }),
  async open(settings, host) {
    const model = await openModel(settings, host)
    return { turns: (audio, signal) => readSpeakerTurns(model, audio, settings, signal), close: model.close }
  },
}

export default sherpa

function speakerModels(settings: Settings) {
  const { folder, voiceModel: voice } = settings
  const chosen = { ...settings, precision: 'fp32' as const }
  if (folder) {
    const folderModel = hubModel(chosen, models, { files: ['segmentation.onnx', 'embedding.onnx'], parts: [] })
    return [folderModel, folderModel] as const
  }
  const file = (Object.hasOwn(voiceModels, voice) && voiceModels[voice as keyof typeof voiceModels]) || voice
  return [
    hubModel(chosen, models, { files: ['model.onnx'], parts: [] }),
    hubModel({ ...chosen, model: voiceRepository, revision: 'main' }, {}, { files: [file], parts: [] }),
  ] as const
}

async function openModel(settings: Settings, host: Host): Promise<SherpaModel> {
  const [turns, voices] = speakerModels(settings)
  const segmentation = (await openModelFolder(turns, host)).file(turns.files[0] ?? '')
  const embedding = {
    model: (await openModelFolder(voices, host)).file(voices.files.at(-1) ?? ''),
    numThreads: settings.threads,
  }
  const { threshold, minSpeech, minPause, threads: numThreads } = settings
  const config = {
    segmentation: { pyannote: { model: segmentation }, numThreads },
    embedding,
    clustering: { numClusters: -1, threshold },
    minDurationOn: minSpeech,
    minDurationOff: minPause,
  }
  return sherpaModel(
    'speakers/sherpa',
    { kind: 'open diarisation', package: sherpaPackage.path(settings.packageFolder), config, embedding },
    host,
  )
}

// Long sound is heard in blocks, and the voices of each are found again among those of the blocks before it.
async function* readSpeakerTurns(
  model: SherpaModel,
  audio: AudioSource,
  settings: Settings,
  signal: AbortSignal,
): AsyncGenerator<SpeakerTurn> {
  const knownVoices = new KnownVoices(settings.threshold, settings.count)
  for (let start = 0; start < audio.duration; ) {
    const isLast = audio.duration - start <= block * 1.2
    const end = isLast ? audio.duration : await quietest(audio, { start: start + block * 0.9, end: start + block })
    const samples = await audio.read({ start, end })
    const count = start === 0 && isLast ? settings.count : undefined // not everybody speaks in every block
    const diarised = await model.ask<Diarised>({ kind: 'diarise', samples, speakers: count }, signal)
    const speakers = knownVoices.name(diarised.voices)
    for (const { span, speaker } of diarised.turns) {
      const number = speakers.get(speaker)
      if (number === undefined) continue
      yield { span: { start: start + span.start, end: Math.min(end, start + span.end) }, speaker: number }
    }
    start = end
  }
}

type Voice = Diarised['voices'][number]

// The speakers of the blocks so far, each by the sum of its vectors. Speakers of one block were told apart and stay so, unless
// no more than `most` may be.
export class KnownVoices {
  readonly #threshold: number
  readonly #most: number
  readonly #sums: Float32Array[] = []

  constructor(threshold: number, most = Number.POSITIVE_INFINITY) {
    this.#threshold = threshold
    this.#most = most
  }

  // The number of each speaker of a block, over all blocks. Those who speak longest choose first.
  name(voices: readonly Voice[]): Map<number, number> {
    const named = new Map<number, number>()
    const before = this.#sums.length
    for (const { speaker, vector } of [...voices].sort((a, b) => b.seconds - a.seconds)) {
      const usedNumbers = new Set(named.values())
      const near = this.#sums
        .map((sum, number) => ({ number, likeness: cosine(sum, vector) }))
        .sort((a, b) => b.likeness - a.likeness)
      const free = near.find(({ number }) => number < before && !usedNumbers.has(number))
      const isFull = this.#sums.length >= this.#most
      const match = free && (isFull || free.likeness >= 1 - this.#threshold) ? free : isFull ? near[0] : undefined
      const number = match?.number ?? this.#sums.push(new Float32Array(vector.length)) - 1
      named.set(speaker, number)
      const sum = this.#sums[number]
      const length = Math.hypot(...vector) || 1
      vector.forEach((value, at) => {
        if (sum) sum[at] = (sum[at] ?? 0) + value / length
      })
    }
    return named
  }
}

function cosine(a: Float32Array, b: Float32Array): number {
  let [both, first, second] = [0, 0, 0]
  for (const [at, value] of a.entries()) {
    const other = b[at] ?? 0
    both += value * other
    first += value * value
    second += other * other
  }
  return both / (Math.sqrt(first * second) || 1)
}
