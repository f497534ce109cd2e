import type { Conversation } from './conversation.ts'

const fresh = '\u0000new' // no name of a session

// Which conversation the next question belongs to.
export function SessionChoice({ chat }: { chat: Conversation }) {
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
