import { formatCount, formatSeconds } from '../parts/format.ts'
import { Notes } from '../parts/notes.tsx'
import { Text } from '../parts/text.tsx'
import { RecordedCall } from './call.tsx'
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
