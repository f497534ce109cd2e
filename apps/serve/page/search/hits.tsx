import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { pageAddress } from '../../../../src/core/api/pages.ts'
import { formatTime } from '../../../../src/core/words/time-text.ts'
import { Text } from '../../../../src/page/text.tsx'
import { api, type ReplyTo } from '../api.ts'
import { useLoad } from '../load.ts'
import { Marked } from '../parts/marked.tsx'
import { StillImage } from '../parts/still.tsx'

type SearchReply = ReplyTo<'GET /search'>
type Hit = SearchReply['hits'][number]
type Media = ReplyTo<'GET /videos/:video'>['media'] & { picture: boolean; plays: boolean }

// The hits by video, the video of the best one first.
export function HitList({ found, question }: { found: SearchReply; question: string }) {
  const groups = hitsByVideo(found.hits)
  const { loaded } = useLoad(signal => fetchMedia([...groups.keys()], signal))
  const media = loaded.value.value
  return [...groups].map(([id, hits]) => <VideoHits key={id} hits={hits} media={media?.get(id)} question={question} />)
}

// A summary repeats the rows that it was made of: it is shown only if none of them is.
function hitsByVideo(hits: readonly Hit[]): Map<string, Hit[]> {
  const groups = new Map<string, Hit[]>()
  for (const hit of hits) groups.set(hit.video.id, [...(groups.get(hit.video.id) ?? []), hit])
  for (const [id, group] of groups) {
    const rows = group.filter(({ evidence }) => evidence.track !== 'summary')
    if (rows.length > 0) groups.set(id, rows)
  }
  return groups
}

const shownAtFirst = 6

function VideoHits({ hits, media, question }: { hits: readonly Hit[]; media: Media | undefined; question: string }) {
  const all = useSignal(false)
  const video = hits[0]?.video
  if (!video) return null
  return (
    <section class="video-hits">
      <header>
        <h2>
          <a href={pageAddress('video', { video: video.id })}>
            <Text of={video.name} />
          </a>
        </h2>
        <a class="small" href={pageAddress('video', { video: video.id }, { ask: question })}>
          Ask this video
        </a>
      </header>
      <ol class="hits">
        {(all.value ? hits : hits.slice(0, shownAtFirst)).map(hit => (
          <HitRow key={hit.evidence.id} hit={hit} media={media} />
        ))}
      </ol>
      {!all.value && hits.length > shownAtFirst && (
        <button
          type="button"
          class="small quiet"
          onClick={() => {
            all.value = true
          }}
        >
          Show all {hits.length} moments
        </button>
      )}
    </section>
  )
}

// The signed paths are those of the videos.
async function fetchMedia(ids: readonly string[], signal: AbortSignal): Promise<Map<string, Media>> {
  const mediaById = new Map<string, Media>()
  for (const video of ids) {
    const entry = await api('GET /videos/:video', { params: { video }, signal })
    const picture = entry.picture !== undefined
    mediaById.set(video, {
      ...entry.media,
      picture,
      plays: picture && entry.state !== 'gone' && entry.playback === 'direct',
    })
  }
  return mediaById
}

function HitRow({ hit: { video, evidence, terms }, media }: { hit: Hit; media: Media | undefined }) {
  const plays = useSignal(false)
  const { span, track, text, id } = evidence
  const times = span.end > span.start ? `${seconds(span.start)}-${seconds(span.end)}` : seconds(span.start)
  const play = () => {
    plays.value = true
  }
  const stop = () => {
    plays.value = false
  }
  return (
    <li>
      <a
        class="hit"
        href={pageAddress('video', { video: video.id }, { t: times, row: id })}
        onPointerEnter={play}
        onPointerLeave={stop}
        onFocus={play}
        onBlur={stop}
      >
        <span class="picture">
          {media?.picture && (
            <StillImage
              base={media.still}
              second={track === 'speech' ? (span.start + span.end) / 2 : span.start + 0.5}
            />
          )}
          {media?.plays && plays.value && <Clip source={media.source} start={span.start} end={span.end} />}
        </span>
        <span class="about">
          <span class="where">
            <span class="time">{formatTime(span.start)}</span>
            <span class={`track-name ${track}`}>{track}</span>
          </span>
          <span class="text">
            <Marked text={text} terms={terms} />
          </span>
        </span>
      </a>
    </li>
  )
}

const pause = 250 // milliseconds: who only passes by loads nothing

// The moment without its sound, over the still, again and again.
function Clip({ source, start, end }: { source: string; start: number; end: number }) {
  const video = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    const timer = setTimeout(() => {
      const player = video.current
      if (!player) return
      player.muted = true
      player.src = `${source}#t=${start},${Math.max(end, start + 3)}`
      player.play().catch(() => {}) // the browser cannot play it: the still stays
    }, pause)
    return () => {
      clearTimeout(timer)
      video.current?.removeAttribute('src')
      video.current?.load() // gives the connection back
    }
  }, [source, start, end])
  const again = () => {
    if (video.current) video.current.currentTime = start
  }
  return (
    <video
      ref={video}
      muted
      playsInline
      preload="none"
      tabIndex={-1}
      aria-hidden="true"
      onPause={() => {
        const player = video.current
        if (player?.src && player.currentTime >= Math.max(end, start + 3) - 0.3) {
          again()
          player.play().catch(() => {})
        }
      }}
    />
  )
}

function seconds(time: number): string {
  return String(Math.round(time * 100) / 100)
}
