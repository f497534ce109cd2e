import { currentRoute, setQuery } from '../router.ts'

const tracks = ['speech', 'text', 'picture', 'sound'] as const

// Where to look; the words are in the field of the top bar.
export function Filters() {
  const { query } = currentRoute.value
  const chosen = new Set((query.get('tracks') ?? '').split(',').filter(Boolean))
  const toggle = (track: string) => {
    const after = new Set(chosen)
    if (!after.delete(track)) after.add(track)
    setQuery({ tracks: after.size === 0 ? undefined : [...after].join(',') })
  }
  return (
    <div class="filters">
      <fieldset>
        <legend class="hidden-text">Only in</legend>
        {tracks.map(track => (
          <button
            key={track}
            type="button"
            class="small"
            aria-pressed={chosen.has(track)}
            onClick={() => toggle(track)}
          >
            {track}
          </button>
        ))}
      </fieldset>
      {query.get('video') && (
        <button type="button" class="small" onClick={() => setQuery({ video: undefined })}>
          In one video only: search all
        </button>
      )}
    </div>
  )
}
