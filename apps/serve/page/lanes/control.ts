import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { PlayerClock } from '../player/clock.ts'
import { type Column, type LaneName, rowAt, rowBeside } from './columns.ts'
import type { Window } from './cover.ts'
import type { TimelineLane } from './lane-list.ts'
import { keepInSight, panBy, wholeWindow, zoomAround } from './zoom.ts'

// What keys, buttons and the pointer do to the lanes.
export interface LaneControl {
  lanes: ReadonlySignal<readonly TimelineLane[]>
  window: Signal<Window>
  lane: Signal<LaneName> // that [ and ] go along
  here: ReadonlySignal<number | undefined> // the row of that lane at this time
  zoom(factor: number, at?: number): void
  pan(seconds: number): void
  fit(): void
  goLane(step: 1 | -1): void
  goRow(direction: 1 | -1): void
  follow(): () => void // keeps what plays in sight
}

export function laneControl(clock: PlayerClock, lanes: ReadonlySignal<readonly TimelineLane[]>): LaneControl {
  const { duration } = clock
  const window = signal(wholeWindow(duration))
  const lane = signal<LaneName>('speech')
  const column = (): Column | undefined => lanes.value.find(({ name }) => name === lane.value)?.column
  const milliseconds = (seconds: number) => Math.round(seconds * 1000)
  return {
    ...{ lanes, window, lane },
    here: computed(() => {
      const rows = column()
      return rows && rowAt(rows, milliseconds(clock.time.value))
    }),
    zoom(factor, at = clock.time.value) {
      window.value = zoomAround(window.value, at, factor, duration)
    },
    pan(seconds) {
      window.value = panBy(window.value, seconds, duration)
    },
    fit() {
      window.value = wholeWindow(duration)
    },
    goLane(step) {
      const names = lanes.value.map(({ name }) => name)
      const at = Math.min(Math.max(0, names.indexOf(lane.value) + step), names.length - 1)
      lane.value = names[at] ?? lane.value
    },
    goRow(direction) {
      const rows = column()
      const row = rows && rowBeside(rows, milliseconds(clock.time.value), direction)
      if (rows && row !== undefined)
        clock.seek({ start: (rows.starts[row] ?? 0) / 1000, end: (rows.ends[row] ?? 0) / 1000 })
    },
    follow() {
      let before = -1
      return effect(() => {
        const sought = clock.sought.value
        if (!clock.playing.value && sought === before) return
        before = sought
        window.value = keepInSight(window.peek(), clock.time.value, duration)
      })
    },
  }
}
