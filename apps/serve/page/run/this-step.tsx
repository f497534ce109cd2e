import { useSignal } from '@preact/signals'
import type { ChatMessage, ContentPart } from '../../../../src/core/chat.ts'
import { safeJson } from '../../../../src/core/words/visible-text.ts'
import { Text } from '../../../../src/page/text.tsx'
import { api } from '../api.ts'
import { useLoad } from '../load.ts'
import { formatCount, formatNumber, formatSeconds } from '../parts/format.ts'
import { Notes } from '../parts/notes.tsx'
import { ProblemNotice } from '../parts/problem.tsx'
import { OutcomeMark } from './outcome.tsx'
import type { RecordedStep, RunTool } from './types.ts'
import { ValueView } from './value.tsx'

// One step: what the planner said, the calls of tools with what came back, the calls as they were recorded.
export function ThisStep({ run, step }: { run: string; step: RecordedStep }) {
  const { node, said, tools, calls, run: other } = step
  return (
    <section class="panel this-step" aria-labelledby="this-step-title">
      <h2 id="this-step-title">This step: {node}</h2>
      {other !== undefined && <p class="dim small">From the run that this one was forked from.</p>}
      {said !== undefined && said.trim() !== 'READY' && (
        <>
          <h3>The planner said</h3>
          <pre class="said">
            <Text of={said} />
          </pre>
        </>
      )}
      {tools.map((tool, nr) => (
        <ToolCall key={nr} {...tool} />
      ))}
      {step.fresh.length > 0 && tools.length === 0 && <p>It added {formatCount(step.fresh.length, 'new row')}.</p>}
      {(said === undefined || said.trim() === 'READY') && tools.length + calls.length === 0 && (
        <p class="dim">Nothing was called in this step.</p>
      )}
      {calls.length > 0 && <h3>{formatCount(calls.length, 'recorded call')}</h3>}
      {calls.map(call => (
        <RecordedCall key={call.call} run={other ?? run} head={call} />
      ))}
    </section>
  )
}

function ToolCall({ tool, input, outcome, evidence, fresh, notes, text, seconds, helper }: RunTool) {
  return (
    <article class="tool-call">
      <header>
        <h3 class="tool">{tool}</h3>
        <OutcomeMark of={outcome} rows={evidence.length} />
        {fresh.length > 0 && <span class="chip good">+{fresh.length} new</span>}
        <span class="took dim">{formatSeconds(seconds)}</span>
      </header>
      <ValueView of={input} />
      {text !== undefined && (
        <p class="reply">
          <Text of={text} />
        </p>
      )}
      <Notes notes={notes} />
      {helper && <HelperCalls of={helper} />}
    </article>
  )
}

// What the helper did that the call had sent out; its rounds are its own.
function HelperCalls({ of: steps }: { of: NonNullable<RunTool['helper']> }) {
  return (
    <details class="helper">
      <summary>{formatCount(steps.length, 'call')} of the helper</summary>
      <ol>
        {steps.map(({ round, tool, input, outcome, evidence, seconds }, nr) => (
          <li key={nr}>
            <span class="line call">
              <span class="dim">Round {round + 1}</span>
              <span class="node">{tool}</span>
              <OutcomeMark of={outcome} rows={evidence.length} />
              <span class="took dim">{formatSeconds(seconds)}</span>
            </span>
            <ValueView of={input} />
          </li>
        ))}
      </ol>
    </details>
  )
}

type Head = RecordedStep['calls'][number]

// A call of a model or tool as it was recorded; it is read when it is opened.
function RecordedCall({ run, head }: { run: string; head: Head }) {
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
