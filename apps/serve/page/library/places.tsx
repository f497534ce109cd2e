import { Text } from '../../../../src/page/text.tsx'
import { formatCount } from '../parts/format.ts'
import { currentRoute, setQuery } from '../router.ts'
import type { FolderEntry } from './folders.ts'
import { handing, stopHanding } from './queue.ts'

interface PlacesProps {
  places: readonly FolderEntry[]
  chosen: string | undefined
  all: number
  notIndexed: number // that are shown
  indexAll(): void
}

// The folders at the left, and what of them is not indexed.
export function Places({ places, chosen, all, notIndexed, indexAll }: PlacesProps) {
  return (
    <aside class="places">
      <nav aria-label="Folders">
        <PlaceLink id={undefined} title="All videos" count={all} depth={0} chosen={chosen} />
        {places.map(one => (
          <PlaceLink key={one.id} {...one} chosen={chosen} />
        ))}
      </nav>
      <div class="waiting-files" aria-live="polite">
        {handing.value ? (
          <Handing />
        ) : (
          notIndexed > 0 && (
            <>
              <p class="small dim">{formatCount(notIndexed, 'video')} not indexed</p>
              <button type="button" onClick={indexAll}>
                Index {notIndexed === 1 ? 'it' : 'all'}
              </button>
            </>
          )
        )}
      </div>
    </aside>
  )
}

function PlaceLink({
  id,
  title,
  depth,
  count,
  chosen,
}: Omit<FolderEntry, 'id'> & { id: string | undefined; chosen: string | undefined }) {
  const query = new URLSearchParams(currentRoute.value.query)
  if (id === undefined) query.delete('in')
  else query.set('in', id)
  return (
    <a
      href={`/${query.size > 0 ? `?${query}` : ''}`}
      class={`place depth-${Math.min(depth, 4)}`}
      aria-current={chosen === id ? 'true' : undefined}
      onClick={event => {
        event.preventDefault()
        setQuery({ in: id }, 'push')
      }}
    >
      <Text of={title} class="name" />
      <span class="number">{count.toLocaleString('en-GB')}</span>
    </a>
  )
}

function Handing() {
  const { done = 0, of = 0, failed = [] } = handing.value ?? {}
  const over = done === of
  return (
    <>
      <p class="small dim">
        {over ? `${of - failed.length} of ${of} indexed or queued` : `Queueing ${done + 1} of ${of}`}
      </p>
      {failed.map(({ name, why }) => (
        <p key={name} class="small wrong">
          <Text of={name} />: <Text of={why} />
        </p>
      ))}
      {over ? (
        <button
          type="button"
          class="small"
          onClick={() => {
            handing.value = undefined
          }}
        >
          Dismiss
        </button>
      ) : (
        <button type="button" class="small" onClick={stopHanding}>
          Stop
        </button>
      )}
    </>
  )
}
