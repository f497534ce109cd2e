import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { type PageName, pageAddress } from '../../../src/core/api/pages.ts'
import { type KeyGroup, KeyList } from '../../../src/page/key-list.tsx'
import { AskBox } from './ask-box.tsx'
import { liveConnection, retryAt, retryNow, runningJobs } from './live.ts'

const tabs: [page: PageName, title: string, also: PageName[]][] = [
  ['library', 'Library', ['video', 'search', 'ask']],
  ['runs', 'Activity', ['run', 'compare', 'jobs']],
  ['reports', 'Reports', ['report']],
  ['settings', 'Settings', []],
  ['health', 'Health', []],
]

export function TopBar({ page }: { page: PageName | undefined }) {
  const isLost = liveConnection.value === 'lost'
  const busy = isLost ? 0 : runningJobs().length // what a dead server is at, nobody knows
  return (
    <header class="top-bar">
      <a class="brand" href="/" aria-label="longtake: library">
        longtake
      </a>
      <nav aria-label="Views">
        {tabs.map(([name, title, also]) => (
          <a
            key={name}
            href={pageAddress(name)}
            aria-current={page !== undefined && (page === name || also.includes(page)) ? 'page' : undefined}
          >
            {title}
            {name === 'runs' && busy > 0 && (
              <span class="count">
                {busy}
                <span class="hidden-text"> running</span>
              </span>
            )}
          </a>
        ))}
      </nav>
      <p class="lost" role="status">
        {isLost && (
          <>
            The server does not answer <RetryCountdown />
          </>
        )}
      </p>
      <AskBoxAndKeys />
    </header>
  )
}

// Not read out each second.
function RetryCountdown() {
  const now = useSignal(Date.now())
  useEffect(() => {
    const timer = setInterval(() => {
      now.value = Date.now()
    }, 500)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.ceil((retryAt.value - now.value) / 1000))
  return (
    <>
      <span class="number" aria-hidden="true">
        {seconds > 0 ? `· retrying in ${seconds} s` : '· retrying…'}
      </span>{' '}
      <button type="button" class="link" onClick={retryNow}>
        Retry now
      </button>
    </>
  )
}

function AskBoxAndKeys() {
  const field = useRef<HTMLInputElement>(null)
  const keys = useSignal(false)
  // As soon as the bar is seen, its keys work.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isCommand = (event.ctrlKey || event.metaKey) && event.key === 'k'
      if (!isCommand && (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))) return
      if (event.key === '/' || isCommand) {
        event.preventDefault()
        field.current?.focus()
        field.current?.select()
      } else if (event.key === '?') keys.value = true
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  return (
    <>
      <AskBox field={field} />
      <button
        type="button"
        class="quiet keys-button"
        aria-label="All keys"
        aria-keyshortcuts="?"
        onClick={() => {
          keys.value = true
        }}
      >
        ?
      </button>
      {keys.value && (
        <KeyList
          groups={keyGroups}
          close={() => {
            keys.value = false
          }}
        />
      )}
    </>
  )
}

// Keys that write something are no commands.
function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
}

const keyGroups: KeyGroup[] = [
  {
    title: 'Everywhere',
    keys: [
      ['/ Ctrl-K', 'ask or search all videos, go to a video or a page'],
      ['?', 'all keys'],
    ],
  },
  {
    title: 'Player',
    keys: [
      ['space k', 'play, pause'],
      ['j l', 'back, forward 10 s'],
      ['← →', 'back, forward 5 s'],
      [', .', 'previous, next frame'],
    ],
  },
  {
    title: 'Lanes',
    keys: [
      ['[ ]', 'previous, next row of the lane'],
      ['↑ ↓', 'lane above, below'],
      ['+ -', 'zoom'],
      ['0', 'all of the video'],
    ],
  },
  {
    title: 'Answers',
    keys: [
      ['a', 'ask'],
      ['c', 'cite this moment in the next question'],
      ['n p', 'next, previous citation'],
    ],
  },
  {
    title: 'Run',
    keys: [
      ['← p', 'previous step'],
      ['→ n', 'next step'],
      ['Home End', 'first, last step'],
    ],
  },
]
