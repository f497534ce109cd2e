import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { RowsChange, StageChanges } from '../../../src/app/index/stage-changes.ts'
import type { Sample } from '../../../src/core/benchmark.ts'
import { UsageError } from '../../../src/core/errors.ts'
import { type Evidence, type Finding, stamp } from '../../../src/core/evidence.ts'
import { contentHash } from '../../../src/core/hash.ts'
import { type Script, sceneStarts, voices } from '../../../src/core/scene.ts'
import { roundTime } from '../../../src/core/time.ts'
import type { Video } from '../../../src/core/video.ts'
import { decodeText } from '../../../src/media/encodings/decode-text.ts'
import { speak } from '../../../src/media/speak.ts'
import { parseSubtitles } from '../../../src/media/subtitles/parse-subtitles.ts'
import { exists } from '../../../src/store/read-file.ts'
import type { OracleName } from '../matrix/change.ts'

export interface GoldSource {
  benchmark: string
  samples: readonly Sample[]
  pathOf(video: string): string | undefined // where a video of the data lies
  subtitlesOf(sample: Sample): string | undefined
  signal: AbortSignal
}

const sampleRate = 16_000

// Says, before anything is spent, where the annotations lack what an oracle inserts; else how many questions it is for.
export async function checkOracle(oracle: OracleName, source: GoldSource): Promise<string> {
  const { benchmark, samples } = source
  if (oracle === 'span' || oracle === 'retrieval') {
    const withClues = samples.filter(sample => (sample.clues ?? []).length > 0).length
    if (withClues === 0)
      throw new UsageError(`The annotations of ${benchmark} say nowhere where an answer lies: no oracle "${oracle}".`, {
        hint: 'needle and cg-bench have gold intervals.',
      })
    return `oracle ${oracle}: ${withClues} of ${samples.length} questions have gold intervals; the others are asked as in the base`
  }
  const videos = [...new Map(samples.map(sample => [sample.video, sample])).values()]
  const lacking: string[] = []
  for (const sample of videos) if (!(await hasGold(oracle, sample, source))) lacking.push(sample.video)
  if (lacking.length > 0)
    throw new UsageError(
      `The annotations of ${benchmark} do not say what is ${oracle === 'ocr' ? 'written' : 'said'} in ${lacking.slice(0, 3).join(', ')}: no oracle "${oracle}".`,
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
    const found = byPath.get(video.path)
    if (!found) throw new UsageError(`There is no gold ${track} for ${video.name}.`)
    return found
      .map(one => ({ ...one, span: { start: one.span.start, end: Math.min(one.span.end, video.duration) } }))
      .filter(one => one.span.end > one.span.start)
      .map(one => stamp(one, video.id, by))
  }
  return { by, needs: 'nothing', settings: video => ({ gold: contentHash(rows(video)) }), rows }
}

async function hasGold(oracle: 'transcript' | 'ocr', sample: Sample, source: GoldSource): Promise<boolean> {
  if (source.benchmark !== 'needle')
    return oracle === 'transcript' && /\.(srt|vtt)$/i.test(source.subtitlesOf(sample) ?? '')
  const path = source.pathOf(sample.video)
  if (path === undefined) return true // a missing video fails for its own reason
  return exists(scriptPath(path))
}

async function saidIn(path: string, sample: Sample, source: GoldSource): Promise<Finding[]> {
  const subtitles = source.subtitlesOf(sample)
  if (source.benchmark !== 'needle' && subtitles !== undefined)
    return (await parseSubtitles(decodeText(await readFile(subtitles)).text, source.signal)).map(({ span, text }) => ({
      span,
      track: 'speech',
      text,
    }))
  const { fps, cues } = await scriptOf(path)
  const said: Finding[] = []
  for (const cue of cues) {
    if (cue.kind !== 'speech') continue
    const start = roundTime(cue.at / fps)
    const seconds = (await speak(cue.text, cue.voice, source.signal)).length / sampleRate
    said.push({ span: { start, end: roundTime(start + seconds) }, track: 'speech', text: cue.text })
  }
  return said
}

// Texts that are seen together and stand still are one row, from above to below; one that moves is a row of its own.
async function shownIn(path: string): Promise<Finding[]> {
  const script = await scriptOf(path)
  const starts = sceneStarts(script)
  return script.scenes.flatMap((scene, at) => {
    const groups = new Map<string, Script['scenes'][number]['texts']>()
    scene.texts.forEach((text, nth) => {
      const key = text.slide ? `moving ${nth}` : `${text.from ?? 0} ${text.to ?? scene.frames}`
      groups.set(key, [...(groups.get(key) ?? []), text])
    })
    return [...groups.values()].map((texts): Finding => {
      const seconds = (frame: number) => roundTime((starts[at] + frame) / script.fps)
      const span = {
        start: seconds(texts[0].from ?? 0),
        end: seconds(Math.min(texts[0].to ?? scene.frames, scene.frames)),
      }
      const lines = [...texts].sort((a, b) => a.at.y - b.at.y || a.at.x - b.at.x)
      return {
        span,
        track: 'text',
        text: lines.map(line => line.text).join('\n'),
        frame: roundTime((span.start + span.end) / 2),
      }
    })
  })
}

const ScriptFile = z.looseObject({
  fps: z.number().positive(),
  scenes: z.array(z.looseObject({ frames: z.number(), texts: z.array(z.looseObject({ text: z.string() })) })),
  cues: z.array(z.looseObject({ kind: z.string(), at: z.number(), voice: z.enum(voices).optional() })),
})

async function scriptOf(path: string): Promise<Script> {
  const file = scriptPath(path)
  const parsed = ScriptFile.safeParse(JSON.parse(await readFile(file, 'utf8')))
  if (!parsed.success) throw new UsageError(`${file} is no script of a needle video.`)
  return parsed.data as unknown as Script
}

function scriptPath(video: string): string {
  return video.replace(/\.[^./\\]+$/, '.script.json')
}
