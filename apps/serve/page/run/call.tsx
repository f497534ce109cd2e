import { useSignal } from '@preact/signals'
import type { ChatMessage, ContentPart } from '../../../../src/core/chat.ts'
import { safeJson } from '../../../../src/core/words/visible-text.ts'
import { api } from '../api.ts'
import { useLoad } from '../load.ts'
import { formatNumber, formatSeconds } from '../parts/format.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { Text } from '../parts/text.tsx'
import type { RecordedStep } from './types.ts'
import { ValueView } from './value.tsx'

type Head = RecordedStep['calls'][number]

// A call of a model or tool as it was recorded; it is read when it is opened.
export function RecordedCall({ run, head }: { run: string; head: Head }) {
  const open = useSignal(false)
  const { kind, by, purpose, seconds, inputTokens = 0, outputTokens = 0, failed } = head
  return (
    <details class="recorded" onToggle={event => (open.value = event.currentTarget.open)}>
      <summary>
        <span class="by">
          {purpose !== undefined && `${purpose}: `}
          <Text of={by} />
        </span>
        {failed !== undefined && <span class="outcome bad">✕ failed</span>}
        {kind === 'chat' && inputTokens + outputTokens > 0 && (
          <span class="number dim">
            {formatNumber(inputTokens)} → {formatNumber(outputTokens)} tokens
          </span>
        )}
        <span class="number dim">{formatSeconds(seconds)}</span>
      </summary>
      {failed !== undefined && (
        <p class="wrong">
          <Text of={failed} />
        </p>
      )}
      {open.value && <Recording run={run} call={head.call} />}
    </details>
  )
}

// As it lies in calls/HASH.json; what an older release wrote may lack some of it.
interface Recorded {
  request: { messages?: ChatMessage[]; input?: unknown; tools?: { name: string }[] }
  reply?: { text?: string; calls?: { name: string; arguments: unknown }[]; evidence?: unknown[] }
}

function Recording({ run, call }: { run: string; call: string }) {
  const { loaded, again } = useLoad(signal => api('GET /runs/:run/calls/:call', { params: { run, call }, signal }))
  const { value, error } = loaded.value
  if (error) return <ProblemNotice error={error} again={again} />
  if (!value) return <p class="dim small">Loading…</p>
  const { request, reply } = value as Recorded
  return (
    <div class="recording">
      {(request.messages ?? []).map((message, nr) => (
        <Message key={nr} by={message.role} parts={message.content} />
      ))}
      {request.input !== undefined && <ValueView of={request.input} />}
      {reply?.text ? <Message by="reply" parts={[{ type: 'text', text: reply.text }]} /> : null}
      {reply?.calls?.map(({ name, arguments: input }, nr) => (
        <div class="message reply" key={nr}>
          <h4>
            reply: <Text of={name} />
          </h4>
          <ValueView of={input} />
        </div>
      ))}
      <details>
        <summary>All of the record</summary>
        <pre class="raw">{safeJson(value, 1)}</pre>
      </details>
    </div>
  )
}

function Message({ by, parts }: { by: string; parts: readonly ContentPart[] }) {
  return (
    <div class={`message ${by}`}>
      <h4>{by}</h4>
      {parts.map((part, nr) => (
        <pre key={nr}>{part.type === 'text' ? <Text of={part.text} /> : `(${part.type})`}</pre>
      ))}
    </div>
  )
}
