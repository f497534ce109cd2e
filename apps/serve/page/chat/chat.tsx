import { useComputed, useSignal, useSignalEffect } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { isOver } from '../../../../src/core/api/job-state.ts'
import { pageAddress } from '../../../../src/core/api/pages.ts'
import type { VideoDetails } from '../../../../src/core/api/video.ts'
import { Text } from '../../../../src/page/text.tsx'
import type { PlayerClock } from '../player/clock.ts'
import type { ShownRow } from '../rows/row-source.ts'
import type { Conversation } from './conversation.ts'
import { FirstLook } from './first-look.tsx'
import { IndexProgress } from './index-progress.tsx'
import { TurnView, type TurnViewProps } from './turn.tsx'
import { isUnderWay } from './turns.ts'

interface ChatProps {
  video: VideoDetails
  chat: Conversation
  clock: PlayerClock
  jump(row: ShownRow): void
}

// The conversation about a video.
export function Chat({ video, chat, clock, jump }: ChatProps) {
  const ask = (question: string) => {
    const session = chat.session.peek()
    chat.ask({ question, ...(session !== '' && { session }) }).catch(() => {}) // said by `error`
  }
  const places = {
    ofOne: true,
    still: () => (video.picture ? video.media.still : undefined),
    film: () => undefined,
  }
  return (
    <Turns {...{ chat, video, places, jump }}>
      {!video.coverage && <NoIndex video={video} chat={chat} />}
      {video.coverage && chat.turns.value.length === 0 && (
        <FirstLook video={video} clock={clock} jump={jump} ask={ask} />
      )}
    </Turns>
  )
}

interface TurnsProps extends Pick<TurnViewProps, 'chat' | 'video' | 'places' | 'jump'> {
  children: ComponentChildren // above the first turn
}

// The newest turn is in sight, a new question at the top.
export function Turns({ children, ...shown }: TurnsProps) {
  const list = useRef<HTMLElement>(null)
  const turns = shown.chat.turns.value
  const active = shown.chat.active.value?.key
  const newest = turns.at(-1)?.key
  useEffect(() => {
    if (active !== undefined && list.current) showActive(list.current)
  }, [active, newest])
  return (
    <section class="chat" aria-label="Ask">
      <section class="turns" ref={list} aria-label="Conversation" tabIndex={-1}>
        {children}
        {turns.map(turn => (
          <TurnView key={turn.key} turn={turn} isActive={turn.key === active} {...shown} />
        ))}
      </section>
      <Status chat={shown.chat} />
    </section>
  )
}

// In the list only: scrollIntoView would move the page as well.
function showActive(list: HTMLElement): void {
  const turn = list.querySelector('.turn.active')
  if (turn) list.scrollTop += turn.getBoundingClientRect().top - list.getBoundingClientRect().top - 12
}

// Said to screen readers: that a question is being answered, and the answer. Not each step.
function Status({ chat }: { chat: Conversation }) {
  const announcement = useSignal('')
  const under = useComputed(() => chat.turns.value.findLast(isUnderWay)?.key)
  const waited = useRef<string | undefined>(undefined)
  useSignalEffect(() => {
    if (under.value !== undefined) {
      waited.current = under.value
      announcement.value = 'The question is being answered.'
      return
    }
    const turn = chat.turns.value.find(({ key }) => key === waited.current)
    if (!turn) return
    const answer = turn.answer ?? chat.film(turn.run).value.answer
    if (answer) announcement.value = `Answer: ${answer.text}`
    else if (turn.job && isOver(turn.job.state) && turn.job.state !== 'done')
      announcement.value = turn.job.error?.message ?? 'Stopped.'
  })
  return (
    <p class="hidden-text" role="status">
      {announcement.value}
    </p>
  )
}

const sayings: Partial<Record<VideoDetails['state'], string>> = {
  changed: 'The file has changed since it was indexed.',
  gone: 'Not indexed, and the file is missing.',
}

// What indexing would make. The first question takes it along; it can be made alone as well.
function NoIndex({ video, chat }: { video: VideoDetails; chat: Conversation }) {
  const job = chat.indexing.value
  if (job && !isOver(job.state))
    return (
      <div class="no-index">
        <p>
          {job.state === 'waiting' ? 'Indexing is waiting for its turn.' : 'Indexing'}
          {job.state !== 'waiting' && (job.kind === 'ask' ? ' for a question in another conversation.' : '…')}
        </p>
        <IndexProgress stages={chat.stages(job)} />
        {job.kind === 'index' ? (
          <button type="button" class="stop" onClick={() => chat.stop(job)}>
            Stop
          </button>
        ) : (
          <a href={pageAddress('jobs')}>All jobs</a>
        )}
      </div>
    )
  if (chat.turns.value.some(isUnderWay)) return null // its stages are those of the question
  const canIndex = video.state !== 'gone'
  return (
    <div class="no-index">
      <p>
        {sayings[video.state] ?? 'Not indexed yet.'}
        {canIndex && ' Asking starts indexing.'}
      </p>
      {job?.state === 'failed' && job.error && (
        <p class="wrong small">
          The last indexing failed: <Text of={job.error.message} />
        </p>
      )}
      {canIndex && (
        <button type="button" onClick={chat.index}>
          {job?.state === 'failed' || job?.state === 'cancelled' ? 'Resume indexing' : 'Index now'}
        </button>
      )}
    </div>
  )
}
