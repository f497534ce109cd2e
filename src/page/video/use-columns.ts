import { type ReadonlySignal, useComputed, useSignal, useSignalEffect } from '@preact/signals'
import { decodeLanes } from '../../core/api/lanes-format.ts'
import type { VideoDetails } from '../../core/api/video.ts'
import { api } from '../api.ts'
import { type Column, columnOf, type LaneName } from '../lanes/columns.ts'

type Columns = ReadonlyMap<LaneName, Column>

// The spans of every track, read when there is an index, and again when it was made again.
export function useColumns(
  video: ReadonlySignal<VideoDetails>,
): ReadonlySignal<{ columns: Columns; busy: boolean; signal: ReadonlySignal<Columns> }> {
  const columns = useSignal<Columns>(new Map())
  const busy = useSignal(true)
  const id = useComputed(() => video.value.id)
  const isIndexed = useComputed(() => video.value.coverage !== undefined)
  useSignalEffect(() => {
    busy.value = isIndexed.value
    if (!isIndexed.value) return
    const leave = new AbortController()
    api('GET /videos/:video/lanes', { params: { video: id.value }, signal: leave.signal }).then(
      bytes => {
        columns.value = new Map(decodeLanes(bytes).columns.map(column => [column.lane, columnOf(column)]))
        busy.value = false
      },
      () => {
        if (!leave.signal.aborted) busy.value = false // a file that has changed: the state of the video says so
      },
    )
    return () => leave.abort()
  })
  return useComputed(() => ({ columns: columns.value, busy: busy.value, signal: columns }))
}
