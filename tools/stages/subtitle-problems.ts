import type { Coverage } from '../../src/core/video.ts'
import type { SubtitleTrack } from '../../src/media/subtitles.ts'

// Speech that lacks a subtitle track is not whole, whatever else was heard.
export function withSubtitleProblems(
  coverage: Coverage,
  tracks: readonly Pick<SubtitleTrack, 'source' | 'name' | 'problem'>[],
): Coverage {
  const problems = tracks.flatMap(({ source, name, problem }) =>
    problem ? [`the subtitle ${source === 'sidecar' ? 'file' : 'track'} ${name} was not read: ${problem}`] : [],
  )
  if (problems.length === 0) return coverage
  const { speech } = coverage
  const state = speech.state === 'indexed' || speech.state === 'partial' ? 'partial' : 'failed'
  return { ...coverage, speech: { ...speech, state, note: [...problems, speech.note].filter(Boolean).join('; ') } }
}
