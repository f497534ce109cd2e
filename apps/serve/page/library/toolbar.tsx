import { formatTime } from '../../../../src/core/words/time-text.ts'
import { formatCount } from '../parts/format.ts'
import { states } from '../parts/state-chip.tsx'
import { currentRoute, setQuery } from '../router.ts'
import { type LibraryListing, readSort, type Sort, sorts } from './list-library.ts'
import { shownState, videoStates } from './state.tsx'

export function Toolbar({ shown, whole }: { shown: LibraryListing; whole: boolean }) {
  const { query } = currentRoute.value
  return (
    <div class="toolbar">
      <h1 id="library-title">Library</h1>
      <p class="dim small" role="status">
        {!whole && 'Loading…'}
        {whole &&
          shown.cards.length > 0 &&
          [formatCount(shown.cards.length, 'video'), ...(shown.seconds > 0 ? [formatTime(shown.seconds)] : [])].join(
            ', ',
          )}
      </p>
      <label>
        <span class="hidden-text">Name</span>
        <input
          type="search"
          placeholder="Name"
          value={query.get('name') ?? ''}
          onInput={({ currentTarget }) => setQuery({ name: currentTarget.value || undefined })}
        />
      </label>
      <label>
        <span>Sort</span>
        <select
          value={readSort(query)}
          onChange={({ currentTarget }) => setQuery({ sort: unless(currentTarget.value as Sort, 'name') })}
        >
          {Object.entries(sorts).map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>State</span>
        <select
          value={query.get('state') ?? ''}
          onChange={({ currentTarget }) => setQuery({ state: unless(currentTarget.value, '') })}
        >
          <option value="">all</option>
          {videoStates.map(value => (
            <option key={value} value={value}>
              {states[shownState(value)].word}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}

// What is usual is not in the address.
function unless<Value extends string>(value: Value, usual: Value): Value | undefined {
  return value === usual ? undefined : value
}
