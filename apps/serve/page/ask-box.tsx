import { type Signal, signal, useComputed, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type PageName, pageAddress } from '../../../src/core/api/pages.ts'
import { Text } from '../../../src/page/text.tsx'
import { api } from './api.ts'
import { currentRoute, go } from './router.ts'

// What the page of all videos is to ask as soon as it is open. It is in no address: a link from elsewhere asks nothing.
export const questionToAsk = signal('')

interface Choice {
  id: string
  title: string
  about?: string // what was typed, or the name of a video
  run(): void
}

const commands: [title: string, page: PageName][] = [
  ['Library', 'library'],
  ['Ask all videos', 'ask'],
  ['Activity', 'runs'],
  ['Reports', 'reports'],
  ['Settings', 'settings'],
  ['Health', 'health'],
]

// The box at the top of every page: asks or searches all videos, and goes to a video or a page by its name. "/" or Ctrl-K is
// its key.
export function AskBox({ field }: { field: { current: HTMLInputElement | null } }) {
  const { match, query } = currentRoute.value
  const isOpen = useSignal(false)
  const text = useSignal('')
  const at = useSignal(0)
  const videos = useVideosNamed(text, isOpen)
  const choices = useComputed(() => choicesFor(text.value.trim(), videos.value))
  const searched = match?.page === 'search' ? (query.get('q') ?? '') : ''
  useEffect(() => {
    text.value = searched
  }, [searched, text])
  const hasList = isOpen.value && choices.value.length > 0
  const close = () => {
    isOpen.value = false
    at.value = 0
  }
  const take = (choice: Choice | undefined) => {
    if (!choice) return
    close()
    if (choice.id !== 'search') text.value = ''
    choice.run()
  }
  const press = (event: KeyboardEvent) => {
    const count = choices.value.length
    if (event.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const step = event.key === 'ArrowDown' ? 1 : -1
      if (isOpen.value) at.value = (at.value + step + count) % count
      isOpen.value = true
    } else if (event.key === 'Enter') take(hasList || text.value !== '' ? choices.value[at.value] : undefined)
    else if (event.key === 'Escape' && isOpen.value) close()
    else return
    event.preventDefault()
  }
  return (
    <search class="ask-box">
      <input
        ref={field}
        type="text"
        role="combobox"
        aria-label="Ask or search all videos"
        aria-keyshortcuts="/ Control+K Meta+K"
        aria-autocomplete="list"
        aria-expanded={hasList}
        aria-controls={hasList ? 'ask-box-list' : undefined}
        aria-activedescendant={hasList ? `ask-box-${choices.value[at.value]?.id}` : undefined}
        autocomplete="off"
        enterkeyhint="go"
        maxLength={20_000}
        placeholder="Ask or search all videos"
        value={text.value}
        onInput={event => {
          text.value = event.currentTarget.value
          at.value = 0
          isOpen.value = true
        }}
        onFocus={() => {
          isOpen.value = true
        }}
        onClick={() => {
          isOpen.value = true
        }}
        onBlur={close}
        onKeyDown={press}
      />
      <span class="hint" aria-hidden="true">
        /
      </span>
      {hasList && (
        <div id="ask-box-list" role="listbox" aria-label="Ask, search or go to">
          {choices.value.map((choice, index) => (
            <div
              key={choice.id}
              id={`ask-box-${choice.id}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at.value}
              onMouseDown={event => event.preventDefault()} // the field keeps the focus
              onPointerUp={() => take(choice)}
              onPointerMove={() => {
                at.value = index
              }}
            >
              <span>{choice.title}</span> {choice.about !== undefined && <Text of={choice.about} class="dim" />}
            </div>
          ))}
        </div>
      )}
    </search>
  )
}

const maxVideos = 6

// Enter takes the first: to ask if it reads as a question, else to search. The other is one key away.
function choicesFor(typed: string, videos: readonly { id: string; name: string }[]): Choice[] {
  const ask: Choice = { id: 'ask', title: 'Ask all videos', about: typed, run: () => askAll(typed) }
  const search: Choice = { id: 'search', title: 'Search', about: typed, run: () => searchAll(typed) }
  const films = videos.map(
    ({ id, name }): Choice => ({
      id,
      title: 'Go to',
      about: name,
      run: () => go(pageAddress('video', { video: id })),
    }),
  )
  const pages = commands
    .filter(([title]) => title.toLowerCase().includes(typed.toLowerCase()))
    .map(([title, page]): Choice => ({ id: `page-${page}`, title: `Open ${title}`, run: () => go(pageAddress(page)) }))
  if (typed === '') return [...pages, ...films]
  return [...(isQuestion(typed) ? [ask, search] : [search, ask]), ...films, ...pages]
}

const asks =
  /^(who|what|when|where|which|why|how|is|are|was|were|does|do|did|can|summari[sz]e|list|count|explain)\s+\S+\s+\S/i

export function isQuestion(typed: string): boolean {
  return /[?？؟]$/.test(typed) || asks.test(typed)
}

function askAll(question: string): void {
  questionToAsk.value = question
  go(pageAddress('ask'))
}

function searchAll(q: string): void {
  const { match, query } = currentRoute.peek()
  const parameters = match?.page === 'search' ? new URLSearchParams(query) : new URLSearchParams()
  parameters.set('q', q)
  go(`${pageAddress('search')}?${parameters}`)
}

const pause = 150 // milliseconds without a key, before the names are asked for

// The videos whose names hold what is typed.
function useVideosNamed(
  text: Signal<string>,
  isOpen: Signal<boolean>,
): Signal<readonly { id: string; name: string }[]> {
  const videos = useSignal<readonly { id: string; name: string }[]>([])
  const q = text.value.trim()
  const open = isOpen.value
  useEffect(() => {
    if (!open) return
    const leave = new AbortController()
    const timer = setTimeout(() => {
      api('GET /videos', { query: { q }, signal: leave.signal }).then(
        page => {
          videos.value = page.videos.slice(0, maxVideos)
        },
        () => {}, // asked again with the next key
      )
    }, pause)
    return () => {
      leave.abort()
      clearTimeout(timer)
    }
  }, [q, open, videos])
  return videos
}
