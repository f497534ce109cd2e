import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { RunEvent } from '../../core/agent.ts'
import { oneLine } from '../../core/words/visible-text.ts'
import { readEvents } from '../api.ts'
import { Problem } from '../parts/problem.tsx'
import { eventLine } from './event-line.ts'

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
      if (text !== undefined) lines.value = [...lines.value, oneLine(`${at}  ${text}`)].slice(-maxLines)
    }).catch(reason => {
      if (!leave.signal.aborted) error.value = reason
    })
    return () => leave.abort()
  }, [job])
  const many = lines.value.length
  useEffect(() => {
    if (field.current) field.current.scrollTop = field.current.scrollHeight
  }, [many])
  if (error.value) return <Problem error={error.value} />
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
