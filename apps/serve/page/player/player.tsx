import { type ReadonlySignal, type Signal, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { VideoDetails } from '../../../../src/core/api/video.ts'
import type { Box } from '../../../../src/core/evidence.ts'
import type { Span } from '../../../../src/core/time.ts'
import { Text } from '../../../../src/page/text.tsx'
import { spokenLanguage } from '../parts/language.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { currentRoute } from '../router.ts'
import type { PlayerClock } from './clock.ts'
import { PlayerControls } from './controls.tsx'
import { boxIn } from './picture-in.ts'
import { firstWay, nextWay, type PlaybackSources, playPieces, type Way } from './playback.ts'

interface PlayerProps {
  video: VideoDetails
  clock: PlayerClock
  box: ReadonlySignal<Box | undefined> // to be shown on the picture now
  cited: ReadonlySignal<readonly Span[]>
}

export function Player(props: PlayerProps) {
  const element = useRef<HTMLVideoElement>(null)
  return (
    <div class={props.video.picture ? 'player' : 'player sound-only'}>
      {props.video.state === 'gone' ? <NoFile video={props.video} /> : <Playing {...props} element={element} />}
      <PlayerControls {...props} element={element} />
    </div>
  )
}

function NoFile({ video }: { video: VideoDetails }) {
  return (
    <div class="empty">
      <p class="empty-title">File missing</p>
      <p>
        <Text of={video.path} />
      </p>
      <p>Put it back to play it.{video.coverage && ' Its index can still be read and searched.'}</p>
    </div>
  )
}

function Playing({ video, clock, box, element }: PlayerProps & { element: RefObject<HTMLVideoElement | null> }) {
  const failure = useSignal<Error | undefined>(undefined)
  const round = useSignal(0)
  usePlayback(element, video, clock, failure, round.value)
  const again = () => {
    failure.value = undefined
    round.value++
  }
  return (
    <>
      <div class="screen" hidden={failure.value !== undefined}>
        <video
          ref={element}
          playsInline
          preload="metadata"
          aria-label={`Player of ${video.name}`}
          onClick={() => clock.toggle()}
        >
          <track
            kind="captions"
            label="Transcript"
            srclang={spokenLanguage(video)}
            src={video.coverage ? video.media.captions : undefined}
          />
        </video>
        <BoxOnPicture element={element} box={box} />
      </div>
      {failure.value && <ProblemNotice error={failure.value} again={again} />}
    </>
  )
}

// The box of a row where it lies on the picture, whatever bars the player leaves.
function BoxOnPicture({ element, box }: { element: RefObject<HTMLVideoElement | null>; box: PlayerProps['box'] }) {
  const size = useSignal({ width: 0, height: 0 })
  useEffect(() => {
    const player = element.current
    if (!player) return
    const measure = () => {
      size.value = { width: player.clientWidth, height: player.clientHeight }
    }
    const observer = new ResizeObserver(measure)
    observer.observe(player)
    return () => observer.disconnect()
  }, [element, size])
  const player = element.current
  if (!box.value || !player || player.videoWidth === 0) return null
  const at = boxIn(size.value, { width: player.videoWidth, height: player.videoHeight }, box.value)
  const style = { left: `${at.x}px`, top: `${at.y}px`, width: `${at.width}px`, height: `${at.height}px` }
  return <div class="cited-box" style={style} aria-hidden="true" />
}

function listSources({ playback, type, media }: VideoDetails): PlaybackSources {
  return { direct: media.source, hls: media.hls, says: playback, type }
}

const networkFailed = 2 // MediaError.MEDIA_ERR_NETWORK

function usePlayback(
  element: RefObject<HTMLVideoElement | null>,
  video: VideoDetails,
  clock: PlayerClock,
  failure: Signal<Error | undefined>,
  round: number,
): void {
  const hasPicture = video.picture !== undefined
  const { direct, hls } = listSources(video)
  useEffect(() => {
    const player = element.current
    if (!player) return
    const forced = currentRoute.value.query.get('hls')
    const sources = listSources(video)
    let way: Way =
      forced === null ? firstWay(sources, type => player.canPlayType(type)) : forced === 'js' ? 'script' : 'hls'
    let end = () => {}
    const start = () => {
      end()
      end = play(player, way, sources, fail)
    }
    const fail = () => {
      const next = nextWay[way]
      if (next !== undefined && player.error?.code !== networkFailed) {
        way = next
        start()
      } else failure.value = cannotPlay(video)
    }
    // Chromium plays the sound of what it cannot decode, without picture and without error.
    const looked = () => {
      if (hasPicture && player.videoWidth === 0) fail()
    }
    player.addEventListener('error', fail)
    player.addEventListener('loadeddata', looked)
    const leave = follow(player, clock)
    start()
    return () => {
      player.removeEventListener('error', fail)
      player.removeEventListener('loadeddata', looked)
      leave()
      end()
      player.removeAttribute('src')
      player.load() // lets go of the connection
    }
  }, [direct, hls, round])
}

function play(player: HTMLVideoElement, way: Way, sources: PlaybackSources, failed: () => void): () => void {
  if (way !== 'direct') return playPieces(player, sources.hls, { byScript: way === 'script', failed })
  player.src = sources.direct
  return () => {}
}

function cannotPlay({ name, picture, sound, why }: VideoDetails): Error {
  const codecs = [picture?.codec, sound?.codec].filter(codec => codec !== undefined).join(', ')
  return new Error(
    `${name} cannot be played here${why ? `: ${why}` : ` (${codecs})`}. Its index can be read and asked.`,
  )
}

// Player time = our seconds + what the player says before anything was sought: a file may begin at 100 s.
function follow(player: HTMLVideoElement, clock: PlayerClock): () => void {
  let offset: number | undefined
  let frame = 0
  const report = () => {
    if (offset !== undefined && !player.seeking) clock.report(player.currentTime - offset, !player.paused)
  }
  // Chromium's reader of pieces fails at the very end.
  const seek = (seconds: number) => {
    if (offset !== undefined) player.currentTime = Math.min(seconds + offset, Math.max(0, player.duration - 0.1))
  }
  const tick = () => {
    report()
    if (!player.paused) frame = requestAnimationFrame(tick)
  }
  const heard = (event: Event) => {
    if (event.type === 'loadedmetadata') {
      offset = player.currentTime
      if (clock.time.peek() > 0) seek(clock.time.peek())
    }
    cancelAnimationFrame(frame)
    tick()
  }
  const events = ['loadedmetadata', 'play', 'pause', 'seeked', 'timeupdate', 'ended']
  for (const name of events) player.addEventListener(name, heard)
  const emptied = () => {
    offset = undefined
  }
  player.addEventListener('emptied', emptied)
  const detach = clock.attach({
    seek,
    toggle() {
      if (player.paused)
        player.play().catch(() => {}) // the element says why
      else player.pause()
    },
  })
  return () => {
    cancelAnimationFrame(frame)
    for (const name of events) player.removeEventListener(name, heard)
    player.removeEventListener('emptied', emptied)
    detach()
  }
}
