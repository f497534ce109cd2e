import { ownWording, type PromptTask, promptText, readWording } from '../benchmarks/cg-bench/prompt.ts'
import { cgBenchRecord } from '../benchmarks/cg-bench/record.ts'
import { framesOfClues, framesOverall, mostClueFrames } from '../benchmarks/cg-bench/sampling.ts'
import { parseCues, subtitleLines } from '../benchmarks/cg-bench/subtitles.ts'
import { type FrameProtocol, numberOption, shown } from './frame-request.ts'

// All pictures first, then one text: system text, subtitles at the frames, their times, question, options.
const cgBench: FrameProtocol = {
  request(sample, task, { framesPerSecond, lastFrame, subtitles }, options) {
    const record = cgBenchRecord(sample.record, sample.id)
    const count = numberOption(options, 'frames', 128)
    const indices =
      task === 'clue_acc'
        ? framesOfClues(record.clue_intervals, Math.min(count, mostClueFrames), framesPerSecond)
        : framesOverall(lastFrame, count)
    const markup = options.markup === 'as released' ? 'as released' : 'plain'
    const times = options.subtitles !== false && options.subtitleTimes !== false
    const lines =
      options.subtitles === false || subtitles === undefined
        ? undefined
        : subtitleLines(parseCues(subtitles), indices, framesPerSecond, { times, markup })
    const name = task as PromptTask
    const { wordingText } = options
    const wording = typeof wordingText === 'string' ? readWording(wordingText, 'the wording') : ownWording
    const text = promptText(
      name,
      record,
      {
        ...(lines && { subtitles: lines }),
        ...(options.frameTimes !== false && { frames: { indices, framesPerSecond } }),
      },
      wording,
    )
    return {
      turns: shown(
        indices.map(index => index / framesPerSecond),
        wording.system[name] + text,
      ),
      temperature: 0,
      maxTokens: 1024,
    }
  },
}
export default cgBench
