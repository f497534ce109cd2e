import { Text } from '../../../../src/page/text.tsx'
import { formatCount, formatShare } from '../parts/format.ts'
import { EvidenceLine } from '../run/row-line.tsx'
import type { ComparedRuns } from './types.ts'

// What each has answered, and the rows that it rests on.
export function ComparedAnswers({ of: { a, b, cited } }: { of: ComparedRuns }) {
  return (
    <section class="panel answers" aria-labelledby="answers-title">
      <h2 id="answers-title">Answers</h2>
      <div class="two">
        <Answer side="A" run={a} />
        <Answer side="B" run={b} />
      </div>
      <Cited title="Cited by both" rows={cited.both} run={a} />
      <Cited title="Only by A" rows={cited.onlyA} run={a} />
      <Cited title="Only by B" rows={cited.onlyB} run={b} />
    </section>
  )
}

function Answer({ side, run: { answer } }: { side: 'A' | 'B'; run: ComparedRuns['a'] }) {
  return (
    <div>
      <h3>
        <span class="side-name">{side}</span>
        {answer && <span class="dim">{answer.abstained ? 'does not answer' : formatShare(answer.confidence)}</span>}
      </h3>
      {answer ? (
        <p>
          <Text of={answer.text} />
        </p>
      ) : (
        <p class="dim">No answer yet.</p>
      )}
    </div>
  )
}

type Rows = ComparedRuns['cited']['both']

function Cited({ title, rows, run }: { title: string; rows: Rows; run: ComparedRuns['a'] }) {
  return (
    <div class="cited-rows">
      <h3>
        {title} <span class="dim">{formatCount(rows.length, 'row')}</span>
      </h3>
      {rows.length > 0 && (
        <ol class="row-list">
          {rows.map(row => (
            <EvidenceLine key={row.id} row={row} video={run.video?.id} run={run.id} />
          ))}
        </ol>
      )}
    </div>
  )
}
