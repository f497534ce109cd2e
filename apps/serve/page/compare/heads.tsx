import { pageAddress } from '../../../../src/core/api/pages.ts'
import { Text } from '../../../../src/page/text.tsx'
import { formatCount, formatDate, formatSeconds } from '../parts/format.ts'
import { StateChip } from '../parts/state-chip.tsx'
import { shownRunState } from '../run/state.tsx'
import type { ComparedRuns } from './types.ts'

// What was asked in each, and what it took.
export function Heads({ of: { a, b } }: { of: ComparedRuns }) {
  return (
    <div class="heads">
      <Head side="A" run={a} />
      <Head side="B" run={b} />
    </div>
  )
}

function Head({ side, run }: { side: 'A' | 'B'; run: ComparedRuns['a'] }) {
  const { id, question, name, state, stop, video, started, usage } = run
  return (
    <section class="panel head" aria-label={`Run ${side}`}>
      <h2>
        <span class="side" aria-hidden="true">
          {side}
        </span>
        <a href={pageAddress('run', { run: id })}>
          <Text of={question?.text ?? name} />
        </a>
      </h2>
      <p class="facts">
        <StateChip of={shownRunState({ state, stop })} />
        {video && <Text of={video.name} />}
        <time dateTime={started}>{formatDate(started)}</time>
        {usage && <span>{formatSeconds(usage.seconds)}</span>}
        {usage && <span>{formatCount(usage.calls, 'call')}</span>}
        {usage && <span>{formatCount(usage.inputTokens + usage.outputTokens, 'token')}</span>}
      </p>
    </section>
  )
}
