import { signal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { pageAddress } from '../../../../src/core/api/pages.ts'
import type { VideoDetails } from '../../../../src/core/api/video.ts'
import { api } from '../api.ts'
import { questionToAsk } from '../ask-box.tsx'
import type { RowPlaces } from '../chat/answer.tsx'
import { AskForm } from '../chat/ask-form.tsx'
import { Turns } from '../chat/chat.tsx'
import { startConversation } from '../chat/conversation.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { textOfSpan } from '../player/clock.ts'
import { go } from '../router.ts'
import type { ShownRow } from '../rows/row-source.ts'
import type { ViewProps } from '../view.ts'

// The questions about all videos. Each answer names the films that it cites, and leads into them.
export default function AskAll(_: ViewProps) {
  const chat = useMemo(() => startConversation(), [])
  useEffect(() => chat.close, [chat])
  const films = useMemo(openFilms, [])
  useEffect(() => {
    const question = questionToAsk.peek()
    questionToAsk.value = ''
    if (question !== '') chat.ask({ question }).catch(() => {}) // said by `error`
  }, [questionToAsk.value])
  const places = useMemo(
    (): RowPlaces => ({
      ofOne: false,
      still: ({ video = '' }) => {
        const film = films.of(video)
        return film?.picture && film.media.still
      },
      film: row => ({ name: films.of(row.video ?? '')?.name ?? '…', address: buildAddress(row) }),
    }),
    [films],
  )
  return (
    <div class="video-view ask-all">
      <header class="video-head">
        <h1>Ask all videos</h1>
        <p class="small">
          <a href={pageAddress('runs')}>Earlier questions</a>
        </p>
      </header>
      <div class="side panel">
        <div class="side-body">
          <Turns chat={chat} places={places} jump={row => go(buildAddress(row))}>
            {chat.turns.value.length === 0 && (
              <p class="dim">
                One question over everything that is indexed: the videos that fit best are asked, and the answer names
                them. Nothing is indexed for it.
              </p>
            )}
          </Turns>
        </div>
        {chat.error.value && <ProblemNotice error={chat.error.value} />}
        <AskForm chat={chat} hint="Ask all videos…" asked={() => {}} />
      </div>
    </div>
  )
}

function buildAddress({ video = '', span, id }: ShownRow): string {
  return pageAddress('video', { video }, { t: textOfSpan(span), row: id })
}

// The videos that answers cite, by id: their names and the signed paths of their stills.
function openFilms(): { of(id: string): VideoDetails | undefined } {
  const films = signal<ReadonlyMap<string, VideoDetails>>(new Map())
  const requested = new Set<string>()
  return {
    of(id) {
      if (!requested.has(id)) {
        requested.add(id)
        api('GET /videos/:video', { params: { video: id } }).then(
          film => {
            films.value = new Map(films.peek()).set(id, film)
          },
          () => {}, // it was removed: its id stands for it
        )
      }
      return films.value.get(id)
    },
  }
}
