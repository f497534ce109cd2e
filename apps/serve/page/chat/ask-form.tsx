import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { pageAddress } from '../../../../src/core/api/pages.ts'
import { Text } from '../../../../src/page/text.tsx'
import { answering } from '../answering.ts'
import { Icon } from '../parts/icon.tsx'
import type { AskBody, Conversation } from './conversation.ts'

// The next question: Enter asks, Shift+Enter begins a line.
export function AskForm({ chat, hint, asked }: { chat: Conversation; hint: string; asked(): void }) {
  const form = useRef<HTMLFormElement>(null)
  const more = useSignal(false)
  const sending = useSignal(false)
  const ask = async (event: Event) => {
    event.preventDefault()
    const element = form.current
    const question = chat.question.value.trim()
    if (!element || question === '' || sending.value) return
    sending.value = true
    try {
      await chat.ask(buildAskBody(question, chat.session.value, new FormData(element)))
      chat.question.value = ''
      more.value = false // they are of one question
      asked()
    } catch {
      // the conversation says why; the question stays to be sent again
    } finally {
      sending.value = false
    }
  }
  return (
    <form ref={form} class="ask-form" onSubmit={ask}>
      <label class="hidden-text" for="ask">
        Question
      </label>
      <textarea
        id="ask"
        rows={1}
        maxLength={20_000}
        placeholder={hint}
        value={chat.question.value}
        onInput={event => {
          chat.question.value = event.currentTarget.value
        }}
        onKeyDown={event => {
          // Out of the field, where the keys of the player and the lanes are letters.
          if (event.key === 'Escape' && !event.isComposing) document.querySelector<HTMLElement>('#main')?.focus()
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
          void ask(event)
        }}
      />
      <div class="ask-buttons">
        <button
          type="button"
          class="quiet"
          title="Options"
          aria-expanded={more.value}
          onClick={() => {
            more.value = !more.value
          }}
        >
          <Icon name="more" />
          <span class="hidden-text">Options</span>
        </button>
        <button type="submit" class="primary" disabled={sending.value || chat.question.value.trim() === ''}>
          Ask
        </button>
      </div>
      {more.value && <Options chat={chat} />}
    </form>
  )
}

function Options({ chat }: { chat: Conversation }) {
  return (
    <div class="ask-options small">
      {chat.isOfOne && <SessionChoice chat={chat} />}
      <p>
        Answered by <Text of={answering.value?.name ?? 'whoever the server was started with'} />.{' '}
        <a href={pageAddress('settings')}>Change</a>
      </p>
      <label>
        Answer options, one per line
        <textarea name="options" rows={3} placeholder={'nine\nten'} />
      </label>
      <div class="ask-limits">
        <label>
          Time limit (seconds)
          <input name="seconds" type="number" min={1} max={86_400} inputMode="numeric" placeholder="default" />
        </label>
        <label>
          Max steps
          <input name="steps" type="number" min={1} max={1000} inputMode="numeric" placeholder="default" />
        </label>
      </div>
    </div>
  )
}

function buildAskBody(question: string, session: string, form: FormData): AskBody {
  const lines = String(form.get('options') ?? '').split('\n')
  const options = lines.map(line => line.trim()).filter(line => line !== '')
  const limit = (name: string) => Number(form.get(name)) || undefined
  const [seconds, steps] = [limit('seconds'), limit('steps')]
  return {
    question,
    ...(options.length >= 2 && { options }),
    ...(session !== '' && { session }),
    ...((seconds ?? steps) && { budget: { seconds, steps } }),
  }
}

const fresh = '\u0000new' // no name of a session

// Which conversation the next question belongs to.
function SessionChoice({ chat }: { chat: Conversation }) {
  const names = [...new Set([...chat.sessions.value.map(({ name }) => name), chat.session.value])].filter(Boolean)
  return (
    <label>
      Conversation
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
        <option value="">none: each question stands alone</option>
        <option value={fresh}>new…</option>
      </select>
    </label>
  )
}
