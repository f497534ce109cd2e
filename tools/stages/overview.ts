import { z } from 'zod'
import { everyRow, type Stage } from '../../src/core/stage.ts'
import { Span } from '../../src/core/time.ts'
import { need, readSubtitleTracks, shotList, speechTrack, stillList } from './results.ts'
import subtitles from './subtitles.ts'

// Which part of the video each track rests on, and what can be said of the whole of it. Writes coverage.json, overview.json and, as rows
// that can be searched and cited, evidence.jsonl.
const overview: Stage = {
  name: 'overview',
  version: 7,
  by: 'overview/extract',
  rows: true,
  after: ['decode', everyRow, 'vectors'],
  partial: true,
  // Subtitles that gave no words may be subtitles that could not be read, which the coverage says.
  instead: given =>
    given.subtitled || subtitles.skip?.(given) ? undefined : { after: ['decode', everyRow, 'vectors', subtitles.name] },
  async make(context) {
    const { captionCoverage, computeCoverage, unkeptSpans, withSubtitleProblems } = await import(
      './overview/coverage.ts'
    )
    const { buildOverview, overviewRows } = await import('./overview/chapters.ts')
    const { readPassReport } = await import('./results.ts')
    const {
      video,
      out,
      results: { result },
    } = context
    const decode = need(result('decode'))
    const rows = await context.results.rows()
    const [shots, stills] = [await shotList(decode), await stillList(decode, context.keepsStill)]
    const outcome = (stage: string, items: number) => ({ ...context.results.outcome(stage), items })
    const outcomes = {
      picture: outcome('vectors', stills.length),
      text: outcome('text', rows.filter(row => row.track === 'text').length),
      speech: outcome('speech', rows.filter(row => row.track === 'speech').length),
      sound: outcome('sounds', rows.filter(row => row.track === 'sound').length),
    }
    const cues = result('subtitles')
    const cueTrack = cues && (await speechTrack(cues))
    const speech = result('speech')
    const lost = speech?.has('not-understood.json') ? await speech.json('not-understood.json', z.array(Span)) : []
    const read = cues && { cuesFrom: cueTrack?.source }
    const report = await readPassReport(context)
    const decoded = computeCoverage(video, report, outcomes, read, lost, unkeptSpans(shots, stills, report))
    const readable = withSubtitleProblems(decoded, cues ? await readSubtitleTracks(cues) : [])
    const { state, note } = context.results.outcome('speakers')
    const unnamed = state === 'failed' ? [`who speaks when could not be found out: ${note}`] : []
    const captioned = await captionCoverage(context.results.outcome('captions'), result('captions'), rows)
    const coverage = {
      ...readable,
      ...(captioned && { caption: captioned }),
      notes: [...readable.notes, ...unnamed],
    }
    const overview = await buildOverview(context, coverage, shots, rows)
    await out.json('coverage.json', coverage)
    await out.json('overview.json', overview)
    await out.lines('evidence.jsonl', overviewRows(video, overview))
  },
}
export default overview
