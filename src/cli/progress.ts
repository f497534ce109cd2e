import type { Reference, RunEvent, Watch } from '../core/agent.ts'
import { formatSpan, formatTime } from '../core/time.ts'
import { visibleFileName, visibleLine } from '../core/words/visible-text.ts'
import { formatBytes, formatDuration } from './show/format.ts'
import { measureWidth, piecesOfWidth } from './show/width.ts'
import type { Terminal } from './terminal.ts'

const SHARE = 0.5 // of the time that has passed is looked back on: a change of speed that stays is believed, one that passes is not
const MIN_BACK = 8 // seconds

// How fast something gets on now, from how far it was when. In seconds, of media and of the clock.
export function speedometer(began: { done: number; at: number }) {
  let samples = [began]
  let last = began
  return {
    reached(done: number, at: number): void {
      if (done === last.done || at <= last.at) return
      last = { done, at }
      samples.push(last)
    },
    // Units of media a second; undefined if too little is known. Time since the last news counts once it is longer than all that is looked back on.
    speed(now: number): number | undefined {
      const back = Math.max(MIN_BACK, SHARE * (last.at - began.at))
      const from = samples.findLastIndex(({ at }) => at <= last.at - back)
      samples = samples.slice(Math.min(Math.max(0, from), Math.max(0, samples.length - 2)))
      const [first = began] = samples
      const seconds = (now - last.at > back ? now : last.at) - first.at
      const gained = last.done - first.done
      return seconds > 0.5 && gained > 0 ? gained / seconds : undefined
    },
  }
}

export interface ProgressDisplay {
  watch: Watch
  finish(): void
}

type FetchEvent = Extract<RunEvent, { type: 'fetch' }>
type StageEvent = Extract<RunEvent, { type: 'stage' }>
type Speedometer = ReturnType<typeof speedometer>
interface Running {
  event: StageEvent
  began: number
  reported: number // when a line was last written about it
  meter: Speedometer
  isFar: boolean
}

const EVERY = 10_000 // milliseconds between two lines about the same stage
const BRIEF = 150 // a stage that ends sooner gets one line, not two
const REDRAW = 100

// Progress of a run on stderr: on a terminal one live line per running stage, otherwise plain lines, at most one per stage in ten
// seconds.
export function showProgress(terminal: Terminal, style: 'auto' | 'lines' | 'off'): ProgressDisplay {
  if (style === 'off') return { watch: () => {}, finish: () => {} }
  const live = style === 'auto' && terminal.live
  const running = new Map<string, Running>()
  let fetching: { line: string; reported: number } | undefined
  let draft = '' // what the writer has written so far; the checked answer follows it
  let lastDrawn = Number.NEGATIVE_INFINITY
  let later: NodeJS.Timeout | undefined

  const redraw = () => {
    later = undefined
    lastDrawn = Date.now()
    terminal.draw([
      ...(fetching ? [`  ${fetching.line}`] : []),
      ...[...running.values()].map(stage => `  ${liveLine(stage, Date.now())}`),
      ...(draft === '' ? [] : lastLines(draft, terminal.columns() - 4).map(line => `  ${line}`)),
    ])
  }
  const redrawSoon = () => {
    if (!live || later) return
    const wait = lastDrawn + REDRAW - Date.now()
    if (wait <= 0) redraw()
    else later = setTimeout(redraw, wait).unref()
  }
  const say = (line: string) => {
    terminal.say(line)
    if (live) redraw()
  }

  const onStage = (event: StageEvent) => {
    const startedStage = running.get(event.stage)
    if (event.state === 'waiting') return say(`${event.stage}: waiting${reason(event)}`)
    if (event.state !== 'running') {
      running.delete(event.stage)
      return say(endLine(event, startedStage ? (Date.now() - startedStage.began) / 1000 : 0))
    }
    const began = startedStage?.began ?? Date.now()
    const secondsDone = event.done ?? 0
    // A large first step: work of an earlier run was resumed.
    const isFar = !startedStage?.isFar && secondsDone > 0.05 * (event.total ?? 0) && Date.now() - began < 2000
    const meter =
      startedStage && !isFar
        ? startedStage.meter
        : speedometer(isFar ? { done: secondsDone, at: Date.now() / 1000 } : { done: 0, at: began / 1000 })
    meter.reached(secondsDone, Date.now() / 1000)
    const reported = startedStage?.reported ?? Number.NEGATIVE_INFINITY
    const stage = { event, began, reported, meter, isFar: isFar || startedStage?.isFar === true }
    running.set(event.stage, stage)
    if (live) return redrawSoon()
    if (Date.now() - stage.began < BRIEF || Date.now() - stage.reported < EVERY) return
    const isFirst = stage.reported === Number.NEGATIVE_INFINITY
    stage.reported = Date.now()
    say(isFirst ? `${event.stage}: started${reason(event)}` : liveLine(stage, Date.now()))
  }

  const onFetch = ({ title, state, done, total }: FetchEvent) => {
    const name = visibleFileName(title)
    if (state === 'done') {
      fetching = undefined
      return say(`fetched ${name}${done > 0 ? `, ${formatBytes(done)}` : ''}`)
    }
    if (fetching?.line === undefined && !live) terminal.say(`fetching ${name}`)
    const line = `fetching ${name}: ${formatBytes(done)}${total ? ` of ${formatBytes(total)}` : ''}`
    const reported = fetching?.reported ?? Date.now()
    fetching = { line, reported }
    if (live) return redrawSoon()
    if (Date.now() - reported < EVERY) return
    fetching.reported = Date.now()
    terminal.say(line)
  }

  // A stage that sends nothing while it runs still shows that it does.
  const ticker = setInterval(() => {
    if (live && running.size > 0) redraw()
    if (!live) for (const stage of running.values()) onStage(stage.event)
  }, 1000).unref()

  return {
    watch(event) {
      if (event.type === 'stage') onStage(event)
      else if (event.type === 'fetch') onFetch(event)
      else if (event.type === 'reference') for (const reference of event.references) say(referenceLine(reference))
      else if (event.type === 'step') draft = ''
      else if (event.type === 'token') {
        draft += event.text
        redrawSoon()
      } else if (event.type === 'note') say(visibleLine(event.text))
      else if (event.type === 'tool-end') say(stepLine(event.step))
      else if (event.type === 'helper' && event.event.type === 'tool-end')
        say(`  helper: ${stepLine(event.event.step)}`)
    },
    finish() {
      clearTimeout(later)
      clearInterval(ticker)
      running.clear()
      fetching = undefined
      draft = ''
      terminal.draw([])
    },
  }
}

function liveLine({ event, began, meter }: Running, now: number): string {
  const { stage, done = 0, total = 0 } = event
  const elapsed = (now - began) / 1000
  if (total <= 0 || done <= 0)
    return `${stage}: ${elapsed < 2 ? 'started' : `for ${formatDuration(elapsed)}`}${reason(event)}`
  const speed = meter.speed(now / 1000)
  const timeLeft = speed ? `, ${speed.toFixed(1)}x real time, about ${formatTime((total - done) / speed)} left` : ''
  return `${stage}: ${formatTime(done)} of ${formatTime(total)}${timeLeft}`
}

function endLine(event: StageEvent, measured: number): string {
  const seconds = event.seconds ?? measured
  if (event.state === 'done') {
    const speed = event.total && seconds > 0.5 ? `, ${(event.total / seconds).toFixed(1)}x real time` : ''
    return `${event.stage}: done in ${formatDuration(seconds)}${speed}${reason(event)}`
  }
  return `${event.stage}: ${event.state}${reason(event)}`
}

function reason(event: StageEvent): string {
  return event.note ? ` (${visibleLine(event.note)})` : ''
}

export function referenceLine({ words, means, span }: Reference): string {
  return `"${visibleLine(words)}": ${span ? `${formatSpan(span)} ` : ''}${visibleLine(means)}`
}

// The end of a text that is being written, in as many lines as fit under the steps.
export function lastLines(text: string, width: number, max = 4): string[] {
  const lines: string[] = []
  // Only the end is shown, so the rest need not be measured.
  const end = visibleLine(text.slice(-width * max * 4))
  for (const word of end.split(' ').flatMap(one => (one === '' ? [''] : piecesOfWidth(one, width)))) {
    const last = lines.at(-1)
    if (last !== undefined && measureWidth(last) + measureWidth(word) < width)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines.slice(-max)
}

function stepLine(step: Extract<RunEvent, { type: 'tool-end' }>['step']): string {
  const what = step.outcome === 'found' ? `${step.evidence.length} found` : step.outcome
  return `step ${step.round}: ${step.tool}: ${what} (${formatDuration(step.seconds)})`
}
