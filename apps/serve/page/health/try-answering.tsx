import { useSignal } from '@preact/signals'
import { roleTitle } from '../../../../src/core/words/role-title.ts'
import { Text } from '../../../../src/page/text.tsx'
import { api, type ReplyTo, type RequestTo } from '../api.ts'
import { formatSeconds } from '../parts/format.ts'

type Tried = ReplyTo<'POST /answering/try'>

// Puts one small question to who would answer, and shows what comes.
export function TryAnswering({ name, body }: { name: string; body: RequestTo<'POST /answering/try'>['body'] }) {
  const tried = useSignal<Tried | Error | 'running' | undefined>(undefined)
  const now = tried.value
  const run = () => {
    tried.value = 'running'
    api('POST /answering/try', { body }).then(
      reply => {
        tried.value = reply
      },
      error => {
        tried.value = error
      },
    )
  }
  return (
    <>
      <span class="tried small" role="status">
        {now === 'running' && 'Asking…'}
        {now instanceof Error && <Text class="wrong" of={now.message} />}
        {now !== undefined && now !== 'running' && !(now instanceof Error) && <Outcome of={now} />}
      </span>
      <button type="button" class="small" aria-label={`Try ${name}`} disabled={now === 'running'} onClick={run}>
        Try
      </button>
    </>
  )
}

function Outcome({ of: { reply, seconds, missing } }: { of: Tried }) {
  return (
    <>
      <Text of={`${reply} (${formatSeconds(seconds)})`} />
      {missing.map(({ role, detail, mend }) => (
        <Text key={role} class="wrong" of={` ${roleTitle(role)}: ${detail}${mend === undefined ? '' : `. ${mend}`}`} />
      ))}
    </>
  )
}
