import { useSignal } from '@preact/signals'
import { type AnsweringChoice, answering, chooseAnswering } from '../answering.ts'
import { api, type ReplyTo } from '../api.ts'
import { useLoad } from '../load.ts'
import { formatSeconds } from '../parts/format.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { Text } from '../parts/text.tsx'

// Who answers the questions that are asked in this browser. What is listed is here already: nothing is downloaded.
export function Answering() {
  const { loaded, again } = useLoad(signal => api('GET /answering', { signal }))
  const { value, error } = loaded.value
  return (
    <section class="answering" aria-labelledby="answering-title">
      <h2 id="answering-title">Who answers</h2>
      {error && <ProblemNotice error={error} again={again} />}
      {value && (
        <>
          <ul class="panel rows" aria-labelledby="answering-title">
            {value.choices.map(choice => (
              <Choice key={choice.name} choice={choice} />
            ))}
          </ul>
          {value.fault !== undefined && (
            <p class="wrong small">
              Its server does not list its models: <Text of={value.fault} />
            </p>
          )}
          <p class="dim small">
            For questions asked in this browser. The profile is <b>{value.profile}</b>: it also says how videos are
            indexed, so another one ({value.profiles.filter(name => name !== value.profile).join(', ')}) is chosen at
            the start: <code>longtake serve --profile NAME</code>. <code>longtake setup</code> adds models.
          </p>
        </>
      )}
    </section>
  )
}

function Choice({ choice }: { choice: AnsweringChoice }) {
  const { name, by, settings } = choice
  const isOwn = Object.keys(settings).length === 0
  const chosen = answering.value?.name ?? ''
  return (
    <li>
      <label>
        <input
          type="radio"
          name="answering"
          checked={isOwn ? chosen === '' : chosen === name}
          onChange={() => chooseAnswering(choice)}
        />{' '}
        <Text of={name === 'rules' ? 'Rules, without a model' : name} class="strong" />
      </label>
      <span class="dim small">
        {isOwn ? 'as the server was started' : name === 'rules' ? 'quotes the rows that fit; free' : by}
      </span>
      <Try choice={choice} />
    </li>
  )
}

function Try({ choice: { name, settings } }: { choice: AnsweringChoice }) {
  const tried = useSignal<ReplyTo<'POST /answering/try'> | Error | 'running' | undefined>(undefined)
  const run = () => {
    tried.value = 'running'
    api('POST /answering/try', { body: { settings } }).then(
      reply => {
        tried.value = reply
      },
      error => {
        tried.value = error
      },
    )
  }
  const now = tried.value
  return (
    <>
      <span class="tried small" role="status">
        {now === 'running' && 'Asking…'}
        {now instanceof Error && <Text class="wrong" of={now.message} />}
        {now !== undefined && now !== 'running' && !(now instanceof Error) && (
          <Text of={`${now.reply} (${formatSeconds(now.seconds)})`} />
        )}
      </span>
      <button type="button" class="small" aria-label={`Try ${name}`} disabled={now === 'running'} onClick={run}>
        Try
      </button>
    </>
  )
}
