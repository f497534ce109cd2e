import type { RunEvent } from '../../core/agent.ts'
import { formatTime } from '../../core/words/time-text.ts'

// One event of docs/events.md as a line of a log; nothing for those that say how far something is.
export function eventLine(event: RunEvent): string | undefined {
  switch (event.type) {
    case 'stage':
      if (event.state === 'running' && event.done) return undefined
      return [`stage ${event.stage} ${event.state}`, event.note].filter(Boolean).join(': ')
    case 'run':
      return `run ${event.run}${event.resumed ? `, goes on after ${event.resumed} calls` : ''}`
    case 'step':
      return `step ${event.step} ${event.name}`
    case 'plan':
      return `plan ${event.text}`
    case 'tool-start':
      return `${event.tool} ${JSON.stringify(event.input)}`
    case 'tool-end':
      return `${event.step.tool} ${event.step.outcome}, ${event.step.evidence.length} rows, ${event.step.seconds.toFixed(2)} s`
    case 'evidence': {
      const { span, track, text } = event.evidence
      return `row ${formatTime(span.start)} ${track} ${text}`
    }
    case 'verdict':
      return `${event.verdict}: ${event.sentence}`
    case 'answer':
      return `answer ${event.answer.text}`
    case 'note':
      return `note ${event.text}`
    default:
      return undefined
  }
}
