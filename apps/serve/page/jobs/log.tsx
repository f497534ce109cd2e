import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { RunEvent } from '../../../../src/core/agent.ts'
import { formatTime } from '../../../../src/core/words/time-text.ts'
import { visibleLine } from '../../../../src/core/words/visible-text.ts'
import { readEvents } from '../api.ts'
import { ProblemNotice } from '../parts/problem.tsx'

const maxLines = 1000

// What has happened in a job, from its first event on; followed while it is open.
export function Log({ job }: { job: string }) {
  const lines = useSignal<readonly string[]>([])
  const error = useSignal<Error | undefined>(undefined)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    const leave = new AbortController()
    readEvents('GET /jobs/:job/events', { params: { job }, signal: leave.signal }, ({ event, data }) => {
      if (event === 'job') return
      const happened = data as RunEvent & { at?: number }
      const text = eventLine(happened)
      const at = happened.at?.toFixed(1).padStart(8) ?? ''
      if (text !== undefined) lines.value = [...lines.value, visibleLine(`${at}  ${text}`)].slice(-maxLines)
    }).catch(reason => {
      if (!leave.signal.aborted) error.value = reason
    })
    return () => leave.abort()
  }, [job])
  const many = lines.value.length
  useEffect(() => {
    if (field.current) field.current.scrollTop = field.current.scrollHeight
  }, [many])
  if (error.value) return <ProblemNotice error={error.value} />
  return (
    <textarea
      ref={field}
      class="log"
      readOnly
      rows={Math.min(14, many + 1)}
      aria-label="Log: seconds since the job began, and what happened"
      value={many === 0 ? 'Nothing has happened yet.' : lines.value.join('\n')}
    />
  )
}

// One event of docs/events.md as a line of a log; nothing for those that say how far something is.
function eventLine(event: RunEvent): string | undefined {
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
