import type { Forecast, Preflight } from '../../../eval/bench.ts'
import { formatTime } from '../../core/time.ts'
import { fileName, oneLine } from '../sanitise.ts'
import { columns, formatDuration } from '../show/format.ts'

const mostRows = 40

// A row for each video that something is wrong with.
export function preflightLines({ videos, samples, askable, faults }: Preflight): string[] {
  const wrong = videos.filter(video => video.state !== 'ready')
  const named = videos.filter(video => video.subtitles !== 'none')
  const found = named.filter(video => video.subtitles === 'found')
  const rows = wrong
    .slice(0, mostRows)
    .map(video => [
      fileName(video.video),
      video.state,
      String(video.questions),
      video.duration === undefined ? '-' : formatTime(video.duration),
      oneLine(video.faults.join(' ')),
    ])
  const ready = videos.length - wrong.length
  const packed = videos.filter(video => video.state === 'packed').length
  return [
    `${videos.length} videos, ${samples} questions; ${ready} videos are ready${askable < samples ? `, ${samples - askable} questions cannot be asked` : ''}.`,
    ...(packed > 0
      ? [`${packed} videos lie in archives: a run unpacks them, a dry run does not, so their lengths are not known.`]
      : []),
    ...(named.length > 0
      ? [`Subtitles are there for ${found.length} of the ${named.length} videos for which the data name some.`]
      : []),
    ...faults.map(fault => `Data: ${oneLine(fault)}`),
    ...(rows.length > 0 ? columns([['video', 'state', 'questions', 'length', 'what is wrong'], ...rows]) : []),
    ...(wrong.length > mostRows
      ? [`and ${wrong.length - mostRows} more videos (all of them in preflight.json or --json)`]
      : []),
  ]
}

export function forecastLines(forecast: Forecast): string[] {
  const { videos, hours, questions, judgments, stages, indexSeconds, askSeconds, modelCalls, tokens, money, from } =
    forecast
  const known = (text: string, value: number | undefined) => (value === undefined ? [] : [text])
  return [
    `To do: ${questions} questions about ${videos} videos of ${formatTime(hours * 3600)}${judgments > 0 ? `, ${judgments} judgments or more` : ''}.`,
    stages.length === 0
      ? 'Every video is indexed already.'
      : `To index: ${stages.map(stage => `${stage.stage} ${formatTime(stage.hours * 3600)}`).join(', ')}.`,
    ...known(
      `Indexing: about ${formatDuration(indexSeconds ?? 0)}, as measured here before.`,
      stages.length > 0 ? indexSeconds : undefined,
    ),
    ...known(
      `Questions: about ${formatDuration(askSeconds ?? 0)}, ${modelCalls} model calls, ${tokens} tokens, by ${from}.`,
      askSeconds,
    ),
    ...known(`Money: at most ${(money ?? 0).toFixed(2)}, in the currency of the prices.`, money),
    ...(askSeconds === undefined ? [`Questions: ${from}.`] : []),
  ]
}
