import { formatCount } from '../parts/format.ts'
import { Lanes, type LanesProps } from './lanes.tsx'
import { closeness, windowOfCloseness } from './zoom.ts'

// The lanes with their names, the time and the zoom.
export function LanePanel(props: LanesProps) {
  const { control, folded } = props
  const lanes = control.lanes.value
  return (
    <section class="lanes panel" aria-label="Lanes">
      <div class="lanes-head">
        {folded.value && (
          <label class="small dim">
            Lane{' '}
            <select
              value={control.lane.value}
              onChange={event => {
                const name = event.currentTarget.value
                control.lane.value = lanes.find(lane => lane.name === name)?.name ?? 'speech'
              }}
            >
              {lanes.map(({ name, title }) => (
                <option key={name} value={name}>
                  {title}
                </option>
              ))}
            </select>
          </label>
        )}
        <Zoom {...props} />
      </div>
      <div class="lanes-body">
        {!folded.value && (
          <ul class="lane-names" aria-label="Rows of each lane">
            {lanes.map(({ name, title, column, state }) => (
              <li key={name} class={name === control.lane.value ? 'chosen' : ''}>
                <span class={`lane-mark ${name}`} aria-hidden="true" />
                {title}
                <span class="dim small">
                  {state ?? (column?.starts.length ? column.starts.length.toLocaleString('en-GB') : '')}
                </span>
                <span class="hidden-text">{formatCount(column?.starts.length ?? 0, 'row')}</span>
              </li>
            ))}
          </ul>
        )}
        <Lanes {...props} />
      </div>
    </section>
  )
}

function Zoom({ clock, control }: LanesProps) {
  const { duration } = clock
  return (
    <div class="zoom">
      <button type="button" class="quiet" aria-label="Zoom out" onClick={() => control.zoom(2)}>
        −
      </button>
      <input
        type="range"
        min={0}
        max={1}
        step={0.01}
        aria-label="Zoom of the lanes"
        value={closeness(control.window.value, duration)}
        onInput={event => {
          const close = Number(event.currentTarget.value)
          control.window.value = windowOfCloseness(close, clock.time.peek(), control.window.peek(), duration)
        }}
      />
      <button type="button" class="quiet" aria-label="Zoom in" onClick={() => control.zoom(0.5)}>
        +
      </button>
      <button type="button" class="quiet fit" onClick={() => control.fit()}>
        Fit
      </button>
    </div>
  )
}
