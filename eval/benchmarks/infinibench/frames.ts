import { cuesIn } from '../cues.ts'
import { type FrameMedia, type FrameProtocol, numberOption, shown } from '../frames.ts'
import { ownPrompt } from '../prompt-file.ts'
import { predictedIndex, promptText } from './prompt.ts'
import { choiceSkills } from './record.ts'

// Frames over the whole film, all of its subtitles or those at the frames, options numbered from 0.
export const frames: FrameProtocol = {
  request(sample, _, media, options) {
    const count = numberOption(options, 'frames', 128)
    const times = Array.from(
      { length: count },
      (_, i) => Math.round((i * media.lastFrame) / Math.max(1, count - 1)) / media.framesPerSecond,
    )
    const offered = choiceSkills.includes(sample.groups.skill) ? sample.question.options : undefined
    const record = { question: sample.question.text, options: offered }
    const subtitles = subtitlesOf(media, options.subtitles, times)
    const numbered = record.options?.map((option, i) => `${i}. ${option}`).join('\n')
    const filled = { question: record.question, options: numbered, subtitles }
    const text = ownPrompt(options, 'answer', filled) ?? promptText(record, subtitles)
    return { turns: shown(times, text), temperature: 0, maxTokens: 1024 }
  },
  read(reply, { question: { options = [] }, groups }) {
    return choiceSkills.includes(groups.skill) ? String(predictedIndex(reply, options) ?? '') : reply
  },
}
function subtitlesOf({ subtitles }: FrameMedia, which: unknown, times: readonly number[]): string | undefined {
  if (subtitles === undefined || which === 'none') return undefined
  const cues = cuesIn(subtitles)
  if (which !== 'at frames') return cues.map(cue => cue.text).join('\n')
  return times
    .flatMap(time => cues.filter(cue => cue.start <= time && time <= cue.end).slice(0, 1))
    .map(cue => cue.text)
    .join('\n')
}
