import { useSignal } from '@preact/signals'
import { pageAddress } from '../../../../src/core/api/pages.ts'
import type { VideoEntry } from '../../../../src/core/api/video.ts'
import { formatTime } from '../../../../src/core/words/time-text.ts'
import { Text } from '../../../../src/page/text.tsx'
import { formatDate, formatSize } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { StillImage } from '../parts/still.tsx'
import type { NewFile } from './folders.ts'
import { findIndexJob, StateLine } from './state.tsx'

export interface CardActs {
  index(video: VideoEntry): void
  remove(video: VideoEntry): void
  locate(video: VideoEntry): void
}

const previews = 8 // stills that a mouse runs through

export function VideoCard({ video, acts }: { video: VideoEntry; acts: CardActs }) {
  const { id, name, duration, picture, looked, state, media } = video
  const pointed = useSignal<number | undefined>(undefined) // where along the picture, of so many previews
  return (
    <li class="card">
      <a class="face" href={pageAddress('video', { video: id })}>
        <span
          class="picture"
          onPointerMove={({ pointerType, clientX, currentTarget }) => {
            const { left, width } = currentTarget.getBoundingClientRect()
            if (pointerType === 'mouse') pointed.value = Math.floor((previews * (clientX - left)) / width)
          }}
          onPointerLeave={() => {
            pointed.value = undefined
          }}
        >
          {picture && state !== 'changed' && (looked || state !== 'gone') ? (
            <StillImage
              base={media.still}
              second={duration * (pointed.value === undefined ? 0.1 : (pointed.value + 0.5) / previews)}
            />
          ) : (
            <Icon name={picture ? 'film' : 'note'} />
          )}
          <span class="length">{formatTime(duration)}</span>
        </span>
        <Text of={name} class="name" />
      </a>
      <div class="below">
        <StateLine video={video} />
        <Acts video={video} acts={acts} />
      </div>
    </li>
  )
}

function Acts({ video, acts }: { video: VideoEntry; acts: CardActs }) {
  const open = useSignal(false)
  const busy = findIndexJob(video.id) !== undefined
  const close = () => {
    open.value = false
  }
  const act = (what: keyof CardActs) => () => {
    close()
    acts[what](video)
  }
  return (
    <div class="acts">
      {video.state === 'gone' && (
        <button type="button" class="small" onClick={act('locate')}>
          How to fix
        </button>
      )}
      {(video.state === 'waiting' || video.state === 'changed') && !busy && (
        <button type="button" class="small" onClick={act('index')}>
          {video.state === 'changed' ? 'Index again' : 'Index'}
        </button>
      )}
      <details
        class="menu"
        open={open.value}
        onToggle={event => {
          open.value = event.currentTarget.open
        }}
        onFocusOut={event => {
          if (!event.currentTarget.contains(event.relatedTarget as Node | null)) close()
        }}
        onKeyDown={event => {
          if (event.key === 'Escape') close()
        }}
      >
        <summary aria-label={`More for ${video.name}`}>
          <Icon name="more" />
        </summary>
        <div class="menu-list">
          <p class="dim small">
            {formatSize(video.bytes)}
            {video.picture && `, ${video.picture.width}×${video.picture.height}`}
            {video.added !== undefined && (
              <>
                <br />
                added <time dateTime={video.added}>{formatDate(video.added)}</time>
              </>
            )}
          </p>
          <button type="button" class="quiet" disabled={busy} onClick={act('remove')}>
            Remove…
          </button>
        </div>
      </details>
    </div>
  )
}

export interface FileActs {
  open(file: NewFile): Promise<void>
  index(file: NewFile): void
}

// A file of the folders that is not in the library yet: it is added when it is opened.
export function FileCard({ file, acts }: { file: NewFile; acts: FileActs }) {
  const why = useSignal<string | undefined>(undefined)
  const opening = useSignal(false)
  const open = async () => {
    opening.value = true
    why.value = await acts.open(file).then(
      () => undefined,
      error => error.message,
    )
    opening.value = false
  }
  return (
    <li class="card">
      <button type="button" class="face" disabled={opening.value} onClick={open}>
        <span class="picture">
          <Icon name="film" />
          <span class="length">{formatSize(file.bytes)}</span>
        </span>
        <Text of={file.name} class="name" />
      </button>
      <div class="below">
        <p class="state">
          <span class="chip">
            <span aria-hidden="true">+</span> {opening.value ? 'opening…' : 'not added'}
          </span>
        </p>
        {why.value !== undefined && (
          <p class="small wrong" role="alert">
            <Text of={why.value} />
          </p>
        )}
        <div class="acts">
          <button type="button" class="small" aria-label={`Index ${file.name}`} onClick={() => acts.index(file)}>
            Index
          </button>
        </div>
      </div>
    </li>
  )
}
