import type { Call } from '../../src/cli/call.ts'
import { exitCodes } from '../../src/cli/fail.ts'
import { result } from '../../src/cli/output.ts'
import { alignColumns, formatDuration } from '../../src/cli/show/format.ts'
import { InterruptedError, UsageError } from '../../src/core/errors.ts'
import { formatTime } from '../../src/core/time.ts'
import { countPhrase } from '../../src/core/words/counted.ts'
import { visibleFileName, visibleLine } from '../../src/core/words/visible-text.ts'
import type { CardDifference } from '../report/export/reproduction.ts'
import type { Forecast } from '../runner/cost/forecast.ts'
import type { Preflight } from '../runner/preflight.ts'

interface Planned<Plan> {
  check(onVideo: (done: number, total: number) => void): Promise<Preflight>
  plan(checked: Preflight): Promise<Plan>
  document(plan: Plan): object
  lines(plan: Plan): string[]
  refuse?(plan: Plan): void // throws where the work may not begin
  hint: string // where no video can be read
}

// Looks at every video and says what the work would take. An exit code: there is nothing more to do.
export async function runPreflight<Plan>(call: Call, work: Planned<Plan>): Promise<Preflight | number> {
  const checked = await work.check((done, total) => call.terminal.draw([`checking ${done} of ${total} videos`]))
  call.terminal.draw([])
  const plan = await work.plan(checked)
  const [first, second] = [preflightLines(checked), work.lines(plan)]
  if (call.has('--dry-run')) {
    result(call, { preflight: checked, ...work.document(plan) }, [...first, '', ...second])
    return checked.askable === checked.samples ? exitCodes.ok : exitCodes.partial
  }
  for (const line of [...first, ...second]) call.remark(line)
  work.refuse?.(plan)
  if (checked.askable === 0) throw new UsageError('Not one of the videos can be read.', { hint: work.hint })
  return checked
}

// What ends work that --resume continues.
export function withResume(error: unknown, call: Call, command: string): unknown {
  if (error instanceof InterruptedError || call.signal.aborted)
    return new InterruptedError('Stopped; everything that was answered is kept.', {
      hint: `Resume with: ${command}`,
      cause: error,
    })
  call.remark(`What was answered is kept. Resume with: ${command}`)
  return error
}

const maxRows = 40

// A row for each video that something is wrong with.
function preflightLines({ videos, samples, askable, faults }: Preflight): string[] {
  const wrong = videos.filter(video => video.state !== 'ready')
  const named = videos.filter(video => video.subtitles !== 'none')
  const withSubtitles = named.filter(video => video.subtitles === 'found')
  const rows = wrong
    .slice(0, maxRows)
    .map(video => [
      visibleFileName(video.video),
      video.state,
      String(video.questions),
      video.duration === undefined ? '-' : formatTime(video.duration),
      visibleLine(video.faults.join(' ')),
    ])
  const ready = videos.length - wrong.length
  const packed = videos.filter(video => video.state === 'packed').length
  return [
    `${countPhrase(videos.length, 'video')}, ${countPhrase(samples, 'question')}; ${countPhrase(ready, 'video is', 'videos are')} ready${askable < samples ? `, ${countPhrase(samples - askable, 'question')} cannot be asked` : ''}.`,
    ...(packed > 0
      ? [`${packed} videos lie in archives: a run unpacks them, a dry run does not, so their lengths are not known.`]
      : []),
    ...(named.length > 0
      ? [`Subtitles are there for ${withSubtitles.length} of the ${named.length} videos for which the data name some.`]
      : []),
    ...faults.map(fault => `Data: ${visibleLine(fault)}`),
    ...(rows.length > 0 ? alignColumns([['video', 'state', 'questions', 'length', 'what is wrong'], ...rows]) : []),
    ...(wrong.length > maxRows
      ? [`and ${wrong.length - maxRows} more videos (all of them in preflight.json or --json)`]
      : []),
  ]
}

type ShownTokens = NonNullable<Forecast['shown']>

// What a model alone is sent.
function shownLine({ requests, pictures, tokens, videoSeconds, soundSeconds, unknown, from }: ShownTokens): string {
  const media = [
    ...(videoSeconds === undefined ? [] : [`${formatTime(videoSeconds)} of video`]),
    ...(soundSeconds === undefined ? [] : [`${formatTime(soundSeconds)} of sound`]),
  ]
  return [
    `Shown: ${countPhrase(requests, 'request')} with ${countPhrase(pictures, 'picture')}, about ${tokens} tokens of pictures and text`,
    ...(media.length > 0 ? [`, and ${media.join(' and ')}, whose tokens only the server knows`] : []),
    ...(from === undefined ? [] : [`; by ${from} of the questions`]),
    ...(unknown > 0 ? [`; ${unknown} questions about videos of unknown length are not counted`] : []),
    '.',
  ].join('')
}

// How a run that repeats another differs from its card.
export function differenceLines(differences: readonly CardDifference[]): string[] {
  if (differences.length === 0) return ['Nothing differs from the card.']
  const rows = differences
    .slice(0, maxRows)
    .map(({ what, detail, changesResults }) => [
      what,
      visibleLine(detail.slice(0, 300)),
      changesResults ? '' : '(of the machine)',
    ])
  return [
    `Differs from the card in ${countPhrase(differences.length, 'point')}:`,
    ...alignColumns(rows),
    ...(differences.length > maxRows ? [`and ${differences.length - maxRows} more (all of them in --json)`] : []),
  ]
}

// Those that change results stop the run.
export function refuseDifferences(differences: readonly CardDifference[]): void {
  const wrong = differences.filter(one => one.changesResults)
  if (wrong.length === 0) return
  throw new UsageError(`${countPhrase(wrong.length, 'difference')} from the card can change the result.`, {
    hint: 'Make them equal (--set, --model, --videos, ...), or add --anyway.',
  })
}

export function benchForecastLines(forecast: Forecast): string[] {
  const {
    videos,
    hours,
    questions,
    judgments,
    stages,
    indexSeconds,
    askSeconds,
    modelCalls,
    tokens,
    money,
    from,
    shown,
  } = forecast
  const ifKnown = (text: string, value: number | undefined) => (value === undefined ? [] : [text])
  return [
    `To do: ${countPhrase(questions, 'question')} about ${countPhrase(videos, 'video')} of ${formatTime(hours * 3600)}${judgments > 0 ? `, ${countPhrase(judgments, 'judgment')} or more` : ''}.`,
    ...(stages.length > 0
      ? [`To index: ${stages.map(stage => `${stage.stage} ${formatTime(stage.hours * 3600)}`).join(', ')}.`]
      : shown === undefined && videos > 0
        ? ['Every video is indexed already.']
        : []),
    ...ifKnown(
      `Indexing: about ${formatDuration(indexSeconds ?? 0)}, as measured here before.`,
      stages.length > 0 ? indexSeconds : undefined,
    ),
    ...ifKnown(
      `Questions: about ${formatDuration(askSeconds ?? 0)}, ${modelCalls} model calls, ${tokens} tokens, by ${from}.`,
      askSeconds,
    ),
    ...(shown ? [shownLine(shown)] : []),
    ...ifKnown(`Money: at most ${(money ?? 0).toFixed(2)}, in the currency of the prices.`, money),
    ...(askSeconds === undefined ? [`Questions: ${from}.`] : []),
    ...(forecast.more ?? []).map(({ part, calls, what }) => {
      const most = calls === undefined ? '' : `at most ${calls} model calls for `
      return `With ${part}: ${most}${what}.`
    }),
    ...(forecast.ceiling
      ? [
          `In no case more than ${forecast.ceiling.tokens} tokens and ${forecast.ceiling.frames} frames, by the budget of a question, but for its last call.`,
        ]
      : []),
  ]
}
