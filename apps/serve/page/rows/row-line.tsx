import { formatTime } from '../../../../src/core/words/time-text.ts'
import { Text } from '../../../../src/page/text.tsx'
import { formatShare } from '../parts/format.ts'
import { Marked } from '../parts/marked.tsx'
import type { ShownRow } from './row-source.ts'

interface RowLineProps {
  at: number
  row: ShownRow | undefined // absent until its page has come
  start: number
  isCurrent: boolean
  isLit: boolean
  canTab: boolean
  language?: string
  terms?: readonly string[]
  jump(row: ShownRow): void
  move(to: number): void
}

export function RowLine({ at, row, start, isCurrent, isLit, canTab, language, terms, jump, move }: RowLineProps) {
  const classes = ['row-line', isCurrent && 'current', isLit && 'lit'].filter(Boolean).join(' ')
  return (
    <button
      type="button"
      class={classes}
      data-row={at}
      data-time={start}
      tabIndex={canTab ? 0 : -1}
      aria-current={isCurrent ? 'time' : undefined}
      aria-disabled={row === undefined}
      onClick={() => row && jump(row)}
      onKeyDown={event => {
        const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
        if (step === 0) return
        event.preventDefault()
        move(at + step)
      }}
    >
      <span class="row-time">{formatTime(start)}</span>
      <span class="row-text" lang={language}>
        {isLit && <span class="chip bad">cited</span>}
        {row?.speaker !== undefined && <Text class="row-speaker" of={row.speaker} />}
        {row ? <Marked text={row.text} terms={terms ?? []} doubtful={row.doubtful} /> : <span class="dim">…</span>}
      </span>
      {row?.confidence !== undefined && (
        <span class="row-score" title="confidence">
          {formatShare(row.confidence)}
        </span>
      )}
    </button>
  )
}
