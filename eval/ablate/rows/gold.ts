import { UsageError } from '../../../src/core/errors.ts'
import { type Evidence, type Finding, stamp } from '../../../src/core/evidence.ts'
import { contentHash } from '../../../src/core/json.ts'
import { readBounded } from '../../../src/core/machine/read-bounded.ts'
import type { Video } from '../../../src/core/video.ts'
import { decodeText } from '../../../src/media/encodings/decode-text.ts'
import { parseSubtitles } from '../../../src/media/subtitles/parse-subtitles.ts'
import type { RowsChange, StageChanges } from '../../../src/runtime/index/plan-stages.ts'
import type { Benchmark } from '../../benchmarks/benchmark.ts'
import type { Sample } from '../../data/sample.ts'
import type { OracleName } from '../../runner/changes/change.ts'

export interface GoldSource {
  benchmark: Pick<Benchmark, 'name' | 'making'>
  samples: readonly Sample[]
  pathOf(video: string): string | undefined // where a video of the data lies
  subtitlesOf(sample: Sample): string | undefined
  signal: AbortSignal
}

// Says, before anything is spent, where the annotations lack what an oracle inserts; else how many questions it is for.
export async function checkOracle(oracle: OracleName, source: GoldSource): Promise<string> {
  const { benchmark, samples } = source
  if (oracle === 'span' || oracle === 'retrieval') {
    const withClues = samples.filter(sample => (sample.clues ?? []).length > 0).length
    if (withClues === 0)
      throw new UsageError(
        `The annotations of ${benchmark.name} say nowhere where an answer lies: no oracle "${oracle}".`,
        {
          hint: 'needle and cg-bench have gold intervals.',
        },
      )
    return `oracle ${oracle}: ${withClues} of ${samples.length} questions have gold intervals; the others are asked as in the base`
  }
  const videos = [...new Map(samples.map(sample => [sample.video, sample])).values()]
  const lacking: string[] = []
  for (const sample of videos) if (!(await hasGold(oracle, sample, source))) lacking.push(sample.video)
  if (lacking.length > 0)
    throw new UsageError(
      `The annotations of ${benchmark.name} do not say what is ${oracle === 'ocr' ? 'written' : 'said'} in ${lacking.slice(0, 3).join(', ')}: no oracle "${oracle}".`,
      {
        hint:
          oracle === 'ocr'
            ? 'needle has it, in the .script.json beside each video.'
            : 'needle has it beside each video; other benchmarks where their subtitles are there as .srt or .vtt.',
      },
    )
  return `oracle ${oracle}: gold for all ${videos.length} videos`
}

// Rows of a track as the annotations have them, in place of what a backend would find.
export async function goldStages(oracles: readonly OracleName[], source: GoldSource): Promise<StageChanges> {
  const changes: StageChanges = {}
  if (oracles.includes('transcript')) changes.speech = await gold('speech', 'oracle/transcript', saidIn, source)
  if (oracles.includes('ocr')) changes.text = await gold('text', 'oracle/ocr', shownIn, source)
  return changes
}

type Truth = (path: string, sample: Sample, source: GoldSource) => Promise<Finding[]>

async function gold(track: string, by: string, truth: Truth, source: GoldSource): Promise<RowsChange> {
  const byPath = new Map<string, Finding[]>()
  for (const sample of new Map(source.samples.map(sample => [sample.video, sample])).values()) {
    const path = source.pathOf(sample.video)
    if (path !== undefined) byPath.set(path, await truth(path, sample, source))
  }
  const rows = (video: Video): Evidence[] => {
    const goldVideo = byPath.get(video.path)
    if (!goldVideo) throw new UsageError(`There is no gold ${track} for ${video.name}.`)
    return goldVideo
      .map(one => ({ ...one, span: { start: one.span.start, end: Math.min(one.span.end, video.duration) } }))
      .filter(one => one.span.end > one.span.start)
      .map(one => stamp(one, video.id, by))
  }
  return { by, needs: 'nothing', settings: video => ({ gold: contentHash(rows(video)) }), rows }
}

async function hasGold(oracle: 'transcript' | 'ocr', sample: Sample, source: GoldSource): Promise<boolean> {
  const gold = source.benchmark.making?.gold
  if (!gold) return oracle === 'transcript' && /\.(srt|vtt)$/i.test(source.subtitlesOf(sample) ?? '')
  const path = source.pathOf(sample.video)
  if (path === undefined) return true // a missing video fails for its own reason
  return gold.isThere(path)
}

async function saidIn(path: string, sample: Sample, source: GoldSource): Promise<Finding[]> {
  const { benchmark, signal } = source
  const gold = benchmark.making?.gold
  if (gold) return gold.said(path, signal)
  const subtitles = source.subtitlesOf(sample)
  if (subtitles === undefined) return []
  return (await parseSubtitles(decodeText(await readBounded(subtitles, 32e6)).text, signal)).map(({ span, text }) => ({
    span,
    track: 'speech',
    text,
  }))
}

async function shownIn(path: string, _: Sample, { benchmark }: GoldSource): Promise<Finding[]> {
  return (await benchmark.making?.gold?.shown(path)) ?? []
}
