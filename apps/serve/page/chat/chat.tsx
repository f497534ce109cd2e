import { useComputed, useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { isOver } from '../../../../src/core/api/job-state.ts'
import { pageAddress } from '../../../../src/core/api/pages.ts'
import type { VideoDetails } from '../../../../src/core/api/video.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { Text } from '../parts/text.tsx'
import type { ShownRow } from '../rows/row-source.ts'
import { AskForm } from './ask-form.tsx'
import type { Conversation } from './conversation.ts'
import { StageList } from './stages.tsx'
import { TurnView } from './turn.tsx'
import { isUnderWay } from './turns.ts'

interface ChatProps {
  video: VideoDetails
  chat: Conversation
  jump(row: ShownRow): void
}

export function Chat({ video, chat, jump }: ChatProps) {
  const list = useRef<HTMLElement>(null)
  const turns = chat.turns.value
  const any = turns.length > 0
  useEffect(() => {
    if (any && list.current) showActive(list.current)
  }, [any])
  useSignalEffect(() => {
    // The end is in sight when something comes, unless somebody reads further up or the address names another question.
    const last = chat.turns.value.at(-1)
    const activeTurn = chat.active.value
    chat.film(last?.run).value
    const element = list.current
    if (!element || activeTurn?.key !== last?.key) return
    const near = element.scrollHeight - element.scrollTop - element.clientHeight < 160
    if (near) requestAnimationFrame(() => element.scrollTo({ top: element.scrollHeight }))
  })
  return (
    <section class="chat panel" aria-label="Ask">
      <ChatHead chat={chat} />
      <section class="turns" ref={list} aria-label="Conversation">
        {!video.coverage && <NoIndex video={video} chat={chat} />}
        {video.coverage && turns.length === 0 && (
          <p class="no-turns dim">Ask what is said, shown or heard. Each answer cites the moments that it rests on.</p>
        )}
        {turns.map(turn => (
          <TurnView
            key={turn.key}
            turn={turn}
            chat={chat}
            video={video}
            isActive={turn.key === chat.active.value?.key}
            jump={jump}
          />
        ))}
        {chat.error.value && <ProblemNotice error={chat.error.value} />}
      </section>
      <Status chat={chat} />
      <AskForm chat={chat} hint={video.coverage ? 'Ask about this video…' : 'Ask: the index is made first…'} />
    </section>
  )
}

// In the list alone: scrollIntoView would move the page as well.
function showActive(list: HTMLElement): void {
  const turn = list.querySelector('.turn.active')
  if (turn) list.scrollTop += turn.getBoundingClientRect().top - list.getBoundingClientRect().top - 12
}

const fresh = '\u0000new' // no name of a session

function ChatHead({ chat }: { chat: Conversation }) {
  const names = [...new Set([...chat.sessions.value.map(({ name }) => name), chat.session.value])].filter(Boolean)
  return (
    <div class="chat-head">
      <h2>Ask</h2>
      <label class="small dim">
        Session{' '}
        <select
          value={chat.session.value}
          onChange={event => {
            const { value } = event.currentTarget
            chat.openSession(value === fresh ? undefined : value)
          }}
        >
          {names.map(name => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
          <option value="">none: each question alone</option>
          <option value={fresh}>new…</option>
        </select>
      </label>
    </div>
  )
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
  gone: 'This video has no index, and its file is not where it was.',
}

// What indexing would make. The first question takes it along; it can be made alone as well.
function NoIndex({ video, chat }: { video: VideoDetails; chat: Conversation }) {
  const job = chat.indexing.value
  if (job && !isOver(job.state))
    return (
      <div class="no-index">
        <p>
          {job.state === 'waiting' ? 'Its indexing waits for its turn.' : 'The index is being made'}
          {job.state !== 'waiting' && (job.kind === 'ask' ? ' for a question of another conversation.' : '.')}
        </p>
        <StageList stages={chat.stages(job)} />
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
  const stages = video.missing.map(({ stage }) => stage)
  return (
    <div class="no-index">
      <p>
        {sayings[video.state] ?? 'This video has no index yet.'}
        {canIndex && ` A question makes it first${stages.length > 0 ? `: ${stages.join(', ')}` : ''}.`}
      </p>
      {job?.state === 'failed' && job.error && (
        <p class="wrong small">
          The last indexing failed: <Text of={job.error.message} />
        </p>
      )}
      {canIndex && (
        <button type="button" onClick={chat.index}>
          {job?.state === 'failed' || job?.state === 'cancelled' ? 'Go on with the index' : 'Index now'}
        </button>
      )}
    </div>
  )
}
