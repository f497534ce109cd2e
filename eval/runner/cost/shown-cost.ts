import { groupBy } from '../../../src/core/basics/group-by.ts'
import { tokensOfSize } from '../../../src/media/picture-tokens.ts'
import type { Benchmark } from '../../benchmarks/benchmark.ts'
import type { Sample } from '../../data/sample.ts'
import { withBeside } from '../../protocols/beside.ts'
import type { FrameMedia, FrameRequest } from '../../protocols/frames.ts'
import { shownWidth } from '../../protocols/picture-size.ts'
import { readNative } from '../../protocols/show.ts'
import { subtitleText } from '../../protocols/subtitles.ts'
import { buildAsks } from '../ask/asks-of-sample.ts'

// What a model alone is sent in all questions, by the options: what dry runs show before anything is paid.
export interface ShownCost {
  requests: number
  pictures: number
  tokens: number // of pictures, by the rule of the model's family, and of texts, four characters each
  videoSeconds?: number // sent as they are: what they cost only the server knows
  soundSeconds?: number
  unknown: number // questions whose video has no known length: not counted
  from?: number // questions that were counted, where not all were
}

export interface VideoLook {
  seconds?: number
  width?: number
  height?: number
  framesPerSecond?: number
}

interface CostWork {
  benchmark: Benchmark & { shares?(task: string): string }
  options: Record<string, unknown>
  tasks: ReadonlySet<string>
  samples: readonly Sample[]
  model: string
  lookOf(video: string): VideoLook
  subtitlesOf(name: string): string | undefined // a file
}

const most = 400 // questions that are counted; of more, so many evenly

export async function shownCost(work: CostWork): Promise<ShownCost> {
  const { samples } = work
  const step = Math.max(1, samples.length / most)
  const counted = Array.from(
    { length: Math.min(most, samples.length) },
    (_, i) => samples[Math.floor(i * step)],
  ).filter(sample => sample !== undefined)
  const texts = new Map<string, Promise<string>>()
  const sums = { requests: 0, pictures: 0, tokens: 0, videoSeconds: 0, soundSeconds: 0, unknown: 0 }
  for (const of of groupBy(counted, sample => sample.video).values()) {
    const [first] = of
    const look = work.lookOf(first?.video ?? '')
    const media = first && (await describeMedia(first, look, work, texts))
    if (!media) sums.unknown += of.length
    else add(sums, buildRequests(of, media, work), media, look, work)
  }
  const scaled = (value: number) => Math.round((value * samples.length) / Math.max(1, counted.length))
  const { video, audio } = work.options
  return {
    requests: scaled(sums.requests),
    pictures: scaled(sums.pictures),
    tokens: scaled(sums.tokens),
    ...(video !== undefined && video !== 'off' && { videoSeconds: scaled(sums.videoSeconds) }),
    ...(audio === 'whole' && { soundSeconds: scaled(sums.soundSeconds) }),
    unknown: scaled(sums.unknown),
    ...(counted.length < samples.length && { from: counted.length }),
  }
}

async function describeMedia(
  sample: Sample,
  { seconds, framesPerSecond = 25 }: VideoLook,
  { options, subtitlesOf }: CostWork,
  texts: Map<string, Promise<string>>,
): Promise<FrameMedia | undefined> {
  const duration = seconds ?? sample.stated
  const native = readNative(options)
  if (duration === undefined && (options.frames !== 0 || native)) return undefined
  const file = sample.subtitles === undefined ? undefined : subtitlesOf(sample.subtitles)
  if (file !== undefined && !texts.has(file)) texts.set(file, subtitleText(file))
  return {
    duration: duration ?? 0,
    framesPerSecond,
    lastFrame: Math.max(0, Math.round((duration ?? 0) * framesPerSecond) - 1),
    subtitles: file === undefined ? undefined : await texts.get(file),
    ...(sample.cut && { isClip: true }),
    ...(native && { native }),
  }
}

function buildRequests(samples: readonly Sample[], media: FrameMedia, work: CostWork): FrameRequest[] {
  const { benchmark, options, tasks } = work
  const { batch, request } = benchmark.frames
  const size = batch?.wanted(options)
  if (batch && size !== undefined) {
    const chunk = Math.min(size, samples.length)
    const starts = Array.from({ length: Math.ceil(samples.length / chunk) }, (_, i) => i * chunk)
    return starts.map(start => batch.request(samples.slice(start, start + chunk), media, options))
  }
  return samples.flatMap(sample =>
    buildAsks(benchmark, sample, tasks, 'alone').map(ask =>
      withBeside(request(sample, ask.name, media, options), sample, options),
    ),
  )
}

type Sums = Required<Omit<ShownCost, 'from'>>

function add(sums: Sums, requests: FrameRequest[], media: FrameMedia, look: VideoLook, { model, options }: CostWork) {
  const { width: own = 1920, height = 1080 } = look
  const width = shownWidth({ width: own, height }, options.picture === 'high' ? 'high' : 'low')
  const each = tokensOfSize(model, { width, height: Math.round((width * height) / own) })
  for (const { turns, system = '', about } of requests) {
    const parts = turns.flatMap(turn => turn.parts)
    const pictures = parts.filter(part => 'frame' in part).length
    const letters = parts.reduce((sum, part) => sum + ('text' in part ? part.text.length : 0), system.length)
    const seconds = about ? about.reduce((sum, { start, end }) => sum + end - start, 0) : media.duration
    sums.requests++
    sums.pictures += pictures
    sums.tokens += pictures * each + Math.ceil(letters / 4)
    sums.videoSeconds += seconds
    sums.soundSeconds += seconds
  }
}
