import { api } from '../api.ts'
import type { ShownRow } from './row-source.ts'

// Brings the player to a row by its id. An index that was made again has other rows: then nothing happens.
export function goToRow(video: string, jump: (row: ShownRow) => void): (row: string) => void {
  return row => void api('GET /videos/:video/rows/:row', { params: { video, row } }).then(jump, () => {})
}

// The rows that bear something out, as buttons.
export function Citations({ of, rows, go }: { of: string; rows: readonly string[]; go(row: string): void }) {
  return rows.map((id, at) => (
    <button key={id} type="button" class="citation" aria-label={`Row ${at + 1} of "${of}"`} onClick={() => go(id)}>
      [{at + 1}]
    </button>
  ))
}
