import { useSignal } from '@preact/signals'
import { Text } from '../../../../src/page/text.tsx'
import { api } from '../api.ts'
import { useLoad } from '../load.ts'
import { ProblemNotice } from '../parts/problem.tsx'

// Every setting with where it comes from. They are changed by `longtake config set` or at the start, never by a request.
export function SettingsTable() {
  const { loaded, again } = useLoad(signal => api('GET /settings', { signal }))
  const filter = useSignal('')
  const { value, error } = loaded.value
  const words = filter.value.toLowerCase()
  const all = value ? leaves(value.settings, value.origins) : []
  const matches = all.filter(({ name, text, origin }) => `${name} ${text} ${origin}`.toLowerCase().includes(words))
  return (
    <section class="settings" aria-labelledby="settings-title">
      <div class="section-head">
        <h2 id="settings-title">All settings</h2>
        {value?.file !== undefined && <Text of={value.file} class="path dim" />}
        <label>
          <span class="hidden-text">Filter settings</span>
          <input
            type="search"
            placeholder="Filter"
            value={filter.value}
            onInput={({ currentTarget }) => {
              filter.value = currentTarget.value
            }}
          />
        </label>
      </div>
      {error && <ProblemNotice error={error} again={again} />}
      {value && (
        <div class="panel table-box">
          <table>
            <thead>
              <tr>
                <th>Setting</th>
                <th>Value</th>
                <th>From</th>
              </tr>
            </thead>
            <tbody>
              {matches.map(({ name, text, origin }) => (
                <tr key={name}>
                  <td class="path">{name}</td>
                  <td>
                    <Text of={text} class="path" />
                  </td>
                  <td class={origin === 'default' ? 'dim small' : 'small'}>
                    <Text of={origin} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {matches.length === 0 && <p class="loading">No setting matches.</p>}
        </div>
      )}
    </section>
  )
}

interface Leaf {
  name: string
  text: string
  origin: string
}

// "index.tracks.speech": the origin is that of the setting or of what holds it.
function leaves(value: unknown, origins: Readonly<Record<string, string>>, name = '', from = 'default'): Leaf[] {
  const origin = origins[name] ?? from
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [{ name, text: JSON.stringify(value) ?? '', origin }]
  return Object.entries(value).flatMap(([key, part]) =>
    leaves(part, origins, name === '' ? key : `${name}.${key}`, origin),
  )
}
