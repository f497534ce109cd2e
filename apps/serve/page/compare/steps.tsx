import { useEffect, useRef } from 'preact/hooks'
import { pageAddress } from '../../../../src/core/api/pages.ts'
import { Text } from '../../../../src/page/text.tsx'
import { OutcomeMark } from '../run/outcome.tsx'
import { firstDifference } from './differences.tsx'
import type { ComparedLine, ComparedRuns } from './types.ts'

// The steps side by side, as they are aligned; the list opens where the two part.
export function ComparedSteps({ of: { a, b, steps, divergence } }: { of: ComparedRuns }) {
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    const line = document.getElementById(firstDifference)
    if (line && list.current) list.current.scrollTop = line.offsetTop - list.current.clientHeight / 3
  }, [a.id, b.id])
  return (
    <section class="panel aligned" aria-labelledby="aligned-title">
      <h2 id="aligned-title">Steps side by side</h2>
      <ol ref={list}>
        {steps.map((pair, at) => (
          <li
            key={at}
            id={divergence?.at === at ? firstDifference : undefined}
            tabIndex={divergence?.at === at ? -1 : undefined}
            class={divergence?.at === at ? 'first' : pair.same ? '' : 'differs'}
          >
            {divergence?.at === at && <p class="marker">First difference: {divergence.kind}</p>}
            <Side line={pair.a} run={a.id} />
            <span class="sign">
              <span aria-hidden="true">{pair.same ? '=' : '≠'}</span>
              <span class="hidden-text">{pair.same ? 'same' : 'differs'}</span>
            </span>
            <Side line={pair.b} run={b.id} />
          </li>
        ))}
      </ol>
    </section>
  )
}

function Side({ line, run }: { line: ComparedLine | undefined; run: string }) {
  if (!line) return <span class="side none">nothing here</span>
  const { step, node, tool, input, outcome, evidence } = line
  return (
    <a class="side" href={pageAddress('run', { run }, { step })}>
      <span class="what">
        <span class="nr">{step}</span> {tool ?? node}
        {outcome && <OutcomeMark of={outcome} rows={evidence.length} />}
      </span>
      {input !== undefined && <Text class="input" of={inputText(input)} />}
    </a>
  )
}

function inputText(input: unknown): string {
  if (typeof input !== 'object' || input === null) return JSON.stringify(input) ?? ''
  return Object.entries(input)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? `“${value}”` : JSON.stringify(value)}`)
    .join(', ')
}
