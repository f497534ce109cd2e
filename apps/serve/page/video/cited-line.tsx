import type { ReadonlySignal } from '@preact/signals'
import { formatTime } from '../../../../src/core/words/time-text.ts'
import { Text } from '../parts/text.tsx'
import type { ShownRow } from '../rows/row-source.ts'
import { tabOfTrack } from '../rows/tabs.ts'

// The row that was jumped to, below the picture: what an answer rests on stays in sight beside the answer.
export function CitedLine({ lit, open }: { lit: ReadonlySignal<ShownRow | undefined>; open(row: ShownRow): void }) {
  const row = lit.value
  if (!row) return null
  const { title } = tabOfTrack(row.track)
  return (
    <p class="cited-line" role="status">
      <span class="row-time">{formatTime(row.span.start)}</span> <Text of={row.text} class="cited-text" />{' '}
      <button type="button" class="small quiet" onClick={() => open(row)}>
        Show in “{title}”
      </button>
    </p>
  )
}
