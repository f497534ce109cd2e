import type { RunEvent } from '../core/agent.ts'
import { formatTime } from '../core/time.ts'
import { stageTitle } from '../core/words/stage-title.ts'
import { visibleFileName, visibleLine } from '../core/words/visible-text.ts'
import { lastLines, type ProgressDisplay, referenceLine, speedometer } from './progress.ts'
import { formatBytes, formatDuration } from './show/format.ts'
import type { Terminal } from './terminal.ts'

type StageEvent = Extract<RunEvent, { type: 'stage' }>

// Seconds of work that a stage takes of a minute of video, roughly: what the share of the whole goes by.
const usualWork: Readonly<Record<string, number>> = { decode: 2, vectors: 2, text: 4, voices: 1, sounds: 1, speech: 6 }
const otherWork = 0.3
const inCoverage = new Set(['decode', 'text', 'speech', 'subtitles', 'voices', 'sounds', 'captions'])
const every = 10_000 // milliseconds between two lines in a pipe
const redrawAfter = 100

// One line about the whole index and one about the question; each stage and step is for --verbose.
export function showBriefly(
  terminal: Terminal,
  style: 'auto' | 'lines' | 'off',
  title = '', // of the video, if it is one of several
  now = () => Date.now(),
): ProgressDisplay {
  if (style === 'off') return { watch: () => {}, finish: () => {} }
  const indexing = `Indexing ${title}`.trim()
  const live = style === 'auto' && terminal.live
  const shares = new Map(Object.keys(usualWork).map(stage => [stage, 0]))
  const running = new Set<string>()
  let began: number | undefined // when the first stage was
  let meter = speedometer({ done: 0, at: now() / 1000 })
  let line = ''
  let draft = ''
  let drawn = Number.NEGATIVE_INFINITY
  let reported = Number.NEGATIVE_INFINITY

  const draw = () => {
    drawn = now()
    terminal.draw([
      ...(line === '' ? [] : [`  ${line}`]),
      ...(draft === '' ? [] : lastLines(draft, terminal.columns() - 4).map(text => `  ${text}`)),
    ])
  }
  const show = (next: string) => {
    line = next
    if (live) {
      if (now() - drawn >= redrawAfter) draw()
    } else if (line !== '' && now() - reported >= every) {
      reported = now()
      terminal.say(line)
    }
  }
  const say = (text: string) => {
    terminal.say(text)
    if (live) draw()
  }

  const onStage = (event: StageEvent) => {
    const { stage, state, done = 0, total = 0 } = event
    const note = event.note ? ` (${visibleLine(event.note)})` : ''
    if (state === 'waiting' || state === 'failed') say(`${stageTitle(stage)}: ${state}${note}`)
    // What was done in another way than usual, if the coverage does not say so anyway.
    if (state === 'done' && event.note && !inCoverage.has(stage)) say(visibleLine(event.note))
    if (state === 'waiting') return
    if (state === 'running') {
      if (began === undefined) {
        began = now()
        meter = speedometer({ done: 0, at: began / 1000 })
        if (!live) {
          terminal.say(`${indexing} …`)
          reported = now()
        }
      }
      running.add(stage)
    } else running.delete(stage)
    shares.set(stage, state === 'running' ? (total > 0 ? Math.min(1, done / total) : 0) : 1)
    if (began === undefined) return
    if (running.size === 0) return show('')
    show(indexLine())
  }
  const indexLine = () => {
    const stageCosts = [...shares].map(([stage, share]) => ({ share, cost: usualWork[stage] ?? otherWork }))
    const total = stageCosts.reduce((sum, { cost }) => sum + cost, 0)
    const share = stageCosts.reduce((sum, { cost, share }) => sum + cost * share, 0) / total
    meter.reached(share, now() / 1000)
    const speed = meter.speed(now() / 1000)
    const secondsLeft = speed ? (1 - share) / speed : 0
    const timeLeft = secondsLeft >= 1 ? `, about ${formatTime(secondsLeft)} left` : ''
    const doings = [...new Set([...running].map(stageTitle))].join(', ')
    return `${indexing}: ${Math.floor(share * 100)} %${timeLeft} (${doings})`
  }
  const endIndexing = () => {
    if (began === undefined) return
    say(`Indexed in ${formatDuration((now() - began) / 1000)}.`)
    began = undefined
  }

  const ticker = setInterval(() => {
    if (running.size > 0) show(indexLine())
  }, 1000).unref()

  return {
    watch(event) {
      if (event.type === 'stage') onStage(event)
      else if (event.type === 'fetch') {
        const { title, state, done, total } = event
        const size = `${formatBytes(done)}${total ? ` of ${formatBytes(total)}` : ''}`
        if (state === 'done') say(`Fetched ${visibleFileName(title)}${done > 0 ? `, ${formatBytes(done)}` : ''}.`)
        show(state === 'done' ? '' : `Fetching ${visibleFileName(title)}: ${size}`)
      } else if (event.type === 'reference') for (const reference of event.references) say(referenceLine(reference))
      else if (event.type === 'note') say(visibleLine(event.text))
      else if (event.type === 'step') {
        endIndexing()
        draft = ''
        if (live) show('Searching …')
      } else if (event.type === 'token') {
        draft += event.text
        if (live && now() - drawn >= redrawAfter) draw()
      }
    },
    finish() {
      clearInterval(ticker)
      line = ''
      draft = ''
      terminal.draw([])
    },
  }
}
